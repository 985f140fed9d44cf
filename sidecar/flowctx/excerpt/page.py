"""Writing entries out within a room, and saying how to go on."""

from collections.abc import Sequence
from dataclasses import dataclass

from flowctx.excerpt.parts import Entry, Selection
from flowctx.tokens import estimate_tokens

_SIGNS = {"hit": ":", "near": "-", "head": ":"}
# A line that is cut shows at least so many characters.
_LEAST_CHARS = 40


@dataclass(frozen=True, slots=True)
class Page:
    """As much of a selection as there is room for.

    Attributes:
        text: its entries, numbered like `grep -n` does it.
        shown: "lines 1-40, 60" as it stands in the text.
        next: where to go on ("61-120", "7@4001-120"); empty when all is shown.
        left: how many entries are not shown.
    """

    text: str
    shown: str
    next: str
    left: int


def write_page(selection: Selection, room: int) -> Page:
    """Write entries until the room, in tokens, is used up; at least a part of the first one."""
    rows: list[str] = []
    numbers: list[int] = []
    last = 0
    for at, entry in enumerate(selection.entries):
        row = _row(entry)
        cost = estimate_tokens(row) + 1
        if cost > room:
            if len(numbers) > 0 or room < _LEAST_CHARS // 4:
                return _page(selection, rows, numbers, at)
            return _cut(selection, rows, at, room)
        if numbers and entry.number > last + 1:
            rows.append("--")
        rows.append(row)
        room -= cost
        if entry.number:
            numbers.append(entry.number)
            last = entry.number
    return _page(selection, rows, numbers, len(selection.entries))


def _page(selection: Selection, rows: list[str], numbers: list[int], at: int) -> Page:
    rest = selection.entries[at:]
    next_ = f"{rest[0].number}-{rest[-1].number}" if rest else ""
    return Page("\n".join(rows), _spelled(numbers, selection.unit), next_, len(rest))


def _cut(selection: Selection, rows: list[str], at: int, room: int) -> Page:
    """One line that is too long by itself: its beginning, and where to go on inside it."""
    entry = selection.entries[at]
    chars = _fitting(entry.text, room)
    rows.append(_row(Entry(entry.number, entry.text[:chars], entry.mark, entry.skipped)))
    following = entry.skipped + chars + 1
    shown = f"{selection.unit} {entry.number}, characters {entry.skipped + 1:,}-{following - 1:,}"
    next_ = f"{entry.number}@{following}-{selection.entries[-1].number}"
    return Page("\n".join(rows), shown, next_, len(selection.entries) - at)


def _fitting(text: str, room: int) -> int:
    """How many characters of a text take no more than so many tokens."""
    low, high = 1, min(len(text), room * 4)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate_tokens(text[:middle]) <= room else (low, middle - 1)
    return low


def _row(entry: Entry) -> str:
    if entry.mark == "head":
        return entry.text
    begun = f"[… {entry.skipped:,} characters before]" if entry.skipped else ""
    return f"{entry.number}{_SIGNS[entry.mark]}{begun}{entry.text}"


def _spelled(numbers: Sequence[int], unit: str) -> str:
    if not numbers:
        return f"no {unit}"
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    if len(spans) > 3:
        return f"{len(numbers):,} {unit} of {numbers[0]:,}-{numbers[-1]:,}"
    words = [f"{first}" if first == last else f"{first}-{last}" for first, last in spans]
    return f"{unit} {', '.join(words)}"
