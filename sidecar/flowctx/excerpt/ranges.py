"""Ranges of lines and rows as a model writes them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flowctx.excerpt.parts import Entry, Lines, Selection, UnusablePartError

_RANGE = re.compile(r"(?:L?(\d{1,12})(?:@(\d{1,12}))?)?(?:\s*(-|–|:|\.\.)\s*L?(\d{1,12})?)?")
_MOST_RANGES = 100


@dataclass(frozen=True, slots=True)
class Range:
    """Entries from `start` to `end`, both counted; the first without its first characters."""

    start: int
    end: int
    skipped: int = 0


def read_ranges(text: str, total: int, unit: str) -> list[Range]:
    """Read ranges.

    Args:
        text: "120-180", "7", "120-", "-50" for the last 50; several joined by commas.
        total: how many entries there are.
        unit: what they are called, for errors.

    Raises:
        UnusablePartError: no range, or all of them lie behind the end.
    """
    words = [word.strip() for word in text.split(",") if word.strip()][:_MOST_RANGES]
    ranges = [found for word in words if (found := _read(word, total, unit))]
    if not ranges:
        message = f"There is nothing at {unit} {text[:60]}: the text has {total:,} {unit}."
        raise UnusablePartError(message)
    return ranges


def select_ranges(selection: Selection, ranges: list[Range]) -> Selection:
    """Keep the entries in any of the ranges; a table's head stays."""
    kept = []
    for entry in _candidates(selection.entries, ranges):
        inside = next((r for r in ranges if r.start <= entry.number <= r.end), None)
        if entry.mark == "head":
            kept.append(entry)
        elif inside is not None:
            skip = inside.skipped if entry.number == inside.start else 0
            kept.append(Entry(entry.number, entry.text[skip:], entry.mark, skip))
    return Selection(kept, selection.unit, selection.total, selection.note)


def _candidates(entries: Sequence[Entry], ranges: Sequence[Range]) -> Iterable[Entry]:
    """All entries, or of plain lines only those in a range, each once and in order."""
    if not isinstance(entries, Lines):
        return entries
    end = 0
    places: list[int] = []
    for each in sorted(ranges, key=lambda each: each.start):
        places += range(max(each.start - 1, end), each.end)
        end = max(end, each.end)
    return [entries[place] for place in places]


def _read(word: str, total: int, unit: str) -> Range | None:
    match = _RANGE.fullmatch(word)
    if match is None:
        message = f"{word[:60]!r} is no range of {unit}: write 120-180, 120- or -50."
        raise UnusablePartError(message)
    first, at, dash, last = match.groups()
    if first is None:
        start, end = max(total - int(last or 0) + 1, 1), total
    else:
        start, end = max(int(first), 1), int(last) if last else total if dash else int(first)
    if start > end:
        start, end = end, start
    is_zero = first is not None and int(first) == 0 and end <= 1
    if start > total or is_zero or (first is None and not last):
        return None
    return Range(start, min(end, total), max(int(at or 1) - 1, 0))
