"""Choosing lines for a budget, and the draft that shows them.

The rank of a line says how much a reader would miss it. Lines are taken from
the highest rank down while they fit; a line that stands alone also pays for
the mark in front of it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from flowctx.reducers.document import Document
from flowctx.reducers.draft import Draft, Note, Omitted, Piece, Shown, mark

# Lines from this rank on are facts: a view without them is not honest.
MUST = 100.0
# And from this one on they are shown even where they need more room than a view has.
VITAL = 200.0
# How much more room that may be, and what the pointer lines of a view take.
_MAX_EXCESS = 10.0
_POINTER_CHARS = 220
# Longer lines are shown in part.
CLIP_CHARS = 400
_TAIL_CHARS = 100
# Length of a mark like "[… 482 lines omitted, 19-500 …]", with its line end.
_MARK_CHARS = 34
# No mark of lines is longer, of however many.
_LONGEST_MARK = 80
_CUT_SLACK = 24


class Window(NamedTuple):
    """Characters [start, end) of the document that must be seen though their line is long."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Budget:
    """Room for lines of a document.

    Attributes:
        document: the text they are lines of.
        room: characters they may take, with the marks between them.
        mark_chars: what a mark takes, with its line end.
    """

    document: Document
    room: int
    mark_chars: int = _MARK_CHARS

    def choose(
        self, ranks: Mapping[int, float], *, floor: float = 0.0, kept: Collection[int] = ()
    ) -> frozenset[int]:
        """Lines to show, the highest ranks first, as many as fit.

        Args:
            ranks: rank by line; lines that are absent are never chosen.
            floor: ranks up to this are not chosen even where there is room.
            kept: lines chosen before; they stay, and take their part of the room.
        """
        chosen, left, lines = set(kept), self.left(kept), self.document.lines
        # Of equal ranks the first line comes first: sorting keeps their order.
        for line in sorted(sorted(ranks), key=ranks.__getitem__, reverse=True):
            if ranks[line] <= floor:
                break
            # With both neighbours chosen, a line saves the mark that stood for it.
            if len(lines[line]) - self.mark_chars < left or len(lines[line]) > CLIP_CHARS:
                cost = self.cost(line, chosen)
                if cost <= left and line not in chosen:
                    chosen.add(line)
                    left -= cost
        return frozenset(chosen)

    def left(self, kept: Collection[int]) -> int:
        """Characters that chosen lines leave, below 0 where they are too many."""
        chosen: set[int] = set()
        left = self.room
        for line in sorted(kept):
            left -= self.cost(line, chosen)
            chosen.add(line)
        return left

    def cost(self, line: int, chosen: Collection[int]) -> int:
        """Characters a line adds to a view: its own, and the marks it brings or saves."""
        neighbours = (line - 1 in chosen) + (line + 1 in chosen)
        return _shown_chars(self.document.lines[line]) + 1 + (1 - neighbours) * self.mark_chars


def choose_lines(
    document: Document, ranks: Mapping[int, float], room: int, *, floor: float = 0.0
) -> frozenset[int]:
    """Lines to show, the highest ranks first, as many as fit; see `Budget.choose`."""
    return Budget(document, room).choose(ranks, floor=floor)


def choose_facts(
    document: Document, ranks: Mapping[int, float], room: int, *, floor: float = 0.0
) -> tuple[frozenset[int], bool]:
    """Like `choose_lines`, with more room where vital lines need it.

    Returns:
        The lines, and whether they take more than the room.
    """
    chosen = choose_lines(document, ranks, room, floor=floor)
    if chosen.issuperset(line for line, rank in ranks.items() if rank >= MUST):
        return chosen, False
    vital = {line: rank for line, rank in ranks.items() if rank >= VITAL}
    facts = {line: rank for line, rank in ranks.items() if MUST <= rank < VITAL}
    kept = choose_lines(document, facts, room // 2)
    limit = max(min(int(room * _MAX_EXCESS), len(document.text) // 2 - _POINTER_CHARS), room)
    if not vital:
        return chosen, False
    kept = Budget(document, limit).choose(vital, kept=kept)
    return Budget(document, room).choose(ranks, floor=floor, kept=kept), limit > room


def water_level(sizes: Sequence[int], room: int) -> int:
    """The size that, as a cap on every part, fills the room: smaller parts stay whole."""
    left, remaining = room, len(sizes)
    for size in sorted(sizes):
        if size * remaining > left:
            break
        left -= size
        remaining -= 1
    return left // remaining if remaining else max(sizes, default=0)


@dataclass(frozen=True, slots=True)
class Layout:
    """How chosen lines are set.

    Attributes:
        notes: notes to set before a line, one a line; -1 stands for the very top.
        windows: parts of long lines that stay visible.
        parts: lines of which nothing but these parts is shown.
        rows: lines that are rows of a table and counted as such.
        places: whether marks say which lines they stand for.
    """

    notes: Mapping[int, str] = field(default_factory=dict)
    windows: Sequence[Window] = ()
    parts: Mapping[int, Sequence[Window]] = field(default_factory=dict)
    rows: range = range(0)
    places: bool = True


def draft_lines(
    document: Document, content_type: str, chosen: Collection[int], layout: Layout | None = None
) -> Draft:
    """A draft that shows the chosen lines and says in place what it leaves out."""
    layout = layout or Layout()
    notes = layout.notes
    pieces: list[Piece] = [Note(notes[-1])] if -1 in notes else []
    breaks = {*notes, layout.rows.start, layout.rows.stop}
    for start, end, shown in _runs(document, chosen, breaks):
        if start in notes:
            pieces.extend(map(Note, notes[start].split("\n")))
        if shown:
            pieces.extend(_show_run(document, start, end, layout))
        else:
            pieces.append(_omit_run(document, start, end, layout))
    totals = [("lines", len(document.lines)), ("rows", len(layout.rows))]
    if any(isinstance(piece, Omitted) and piece.unit == "characters" for piece in pieces):
        totals.append(("characters", len(document.text)))
    return Draft(content_type, tuple(pieces), tuple(totals))


def _runs(
    document: Document, chosen: Collection[int], breaks: Collection[int]
) -> Iterable[tuple[int, int, bool]]:
    """Runs [start, end) of lines that are all shown or all left out.

    A gap that is no longer than its mark is shown instead. A run ends before a
    line that a note stands before.
    """
    total, shown = len(document.lines), set(chosen)
    gaps = pairwise((-1, *sorted(shown), total))
    for start, end in [(before + 1, after) for before, after in gaps if after > before + 1]:
        if _is_shorter_than_mark(document, start, end):
            shown.update(range(start, end))
    # Where a run begins, and behind its last line.
    borders = {*shown, *(line + 1 for line in shown)}
    borders = {at for at in borders if (at in shown) != (at - 1 in shown)}
    ends = sorted({0, total, *(at for at in {*borders, *breaks} if 0 < at < total)})
    yield from ((start, end, start in shown) for start, end in pairwise(ends))


def _is_shorter_than_mark(document: Document, start: int, end: int) -> bool:
    length = document.line_end(end - 1) - document.starts[start]
    return length < _LONGEST_MARK and length <= len(mark(_omit_run(document, start, end, Layout())))


def _omit_run(document: Document, start: int, end: int, layout: Layout) -> Omitted:
    """The omission of lines [start, end); rows are placed by their lines too."""
    unit, where = "lines", ""
    if layout.places:
        first, last = document.number(start), document.number(end - 1)
        where = f"{first}-{last}" if last > first else f"{last}"
    if start in layout.rows:
        unit = "rows"
        where = f"lines {where}" if where and end - start > 1 else where and f"line {where}"
    return Omitted(document.starts[start], document.line_end(end - 1), end - start, unit, where)


def _show_run(
    document: Document, start: int, end: int, layout: Layout
) -> Iterable[Shown | Omitted]:
    """Lines [start, end), the long ones in part."""
    first = start
    for line in range(start, end):
        begin, stop = document.starts[line], document.line_end(line)
        parts = layout.parts.get(line)
        if parts or len(document.lines[line]) > CLIP_CHARS:
            if first < line:
                yield Shown(document.starts[first], document.line_end(line - 1))
            if parts:
                yield from _show_parts(begin, stop, parts)
            else:
                yield from clip_span(document, begin, stop, layout.windows)
            first = line + 1
    if first < end:
        yield Shown(document.starts[first], document.line_end(end - 1))


def _show_parts(start: int, end: int, parts: Iterable[Window]) -> Iterable[Shown | Omitted]:
    """Nothing but some parts of a run of characters, in order."""
    at = start
    for part in parts:
        if part.start > at:
            yield Omitted(at, part.start, part.start - at, "characters")
        yield Shown(part.start, part.end)
        at = part.end
    if at < end:
        yield Omitted(at, end, end - at, "characters")


def clip_span(
    document: Document, start: int, end: int, windows: Iterable[Window] = ()
) -> Iterable[Shown | Omitted]:
    """A long run of characters: its head, the windows in it and its tail."""
    head = CLIP_CHARS - _TAIL_CHARS
    parts = [Window(start, start + head)]
    parts += [
        Window(max(w.start, start), min(w.end, end)) for w in windows if start <= w.start < end
    ]
    parts.append(Window(end - _TAIL_CHARS, end))
    at = start
    merged = _merge(sorted(parts))
    for position, part in enumerate(merged):
        begin = at if position == 0 else max(_cut_at_space(document.text, part.start), at)
        stop = end if position == len(merged) - 1 else _cut_at_space(document.text, part.end)
        if begin > at:
            yield Omitted(at, begin, begin - at, "characters")
        yield Shown(begin, stop)
        at = stop


def _merge(parts: list[Window]) -> list[Window]:
    merged = [parts[0]]
    for part in parts[1:]:
        if part.start - merged[-1].end <= 2 * _MARK_CHARS:
            merged[-1] = Window(merged[-1].start, max(merged[-1].end, part.end))
        else:
            merged.append(part)
    return merged


def _cut_at_space(text: str, at: int) -> int:
    if text[at : at + 1].isspace():
        return at
    space = text.rfind(" ", at - _CUT_SLACK, at)
    return space + 1 if space >= 0 else at


def _shown_chars(line: str) -> int:
    return len(line) if len(line) <= CLIP_CHARS else CLIP_CHARS + _MARK_CHARS
