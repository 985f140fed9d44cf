"""Texts of too many lines: a part of them to look at closely, and the way back to all.

A family looks at every line several times. Of a text with very many short lines it
gets those that stand out, by their shape, the size of their numbers or a word they
hold, and a sample of the others, in runs so that what belongs together stays so.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flowctx.reducers.document import Document, indent_of
from flowctx.reducers.draft import Draft, Note, Omitted, Piece, Shown
from flowctx.reducers.oddity import oddity
from flowctx.reducers.sampling import place_of

# Up to so many lines, and at so many characters a line, every line is looked at. Of more lines
# that are longer together than so many characters, fewer are.
_MAX_LINES, _CHARS_PER_LINE = 6000, 64
_FULL_CHARS, _MIN_LINES = 100_000, 3000
_RUN_LINES = 32
# How far above a run the lines are looked for that it stands under.
_REACH = 64
# The part of the lines that is a sample of all, whatever stands out.
_SAMPLE_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Thinned:
    """The lines of a text that are looked at, as a document, and the text they are of."""

    whole: Document
    part: Document

    def restore(self, draft: Draft) -> Draft:
        """A draft of the part as one of the whole; what was not looked at is left out there."""
        pieces: list[Piece] = [Note(self._told())]
        at = 0
        for piece in draft.pieces:
            if isinstance(piece, Note):
                pieces.append(piece)
            elif isinstance(piece, Shown) or piece.unit == "characters":
                for span in self._spans(piece):
                    pieces += self._gap(at, span.start)
                    pieces.append(span)
                    at = span.end + (self.whole.text[span.end : span.end + 1] == "\n")
        if at < len(self.whole.text):
            pieces += self._gap(at, len(self.whole.text) + 1)
        totals = (("lines", len(self.whole.lines)), ("characters", len(self.whole.text)))
        return Draft(draft.type, tuple(pieces), totals, draft.may_exceed)

    def _told(self) -> str:
        looked, lines = len(self.part.lines), len(self.whole.lines)
        return f"{looked} of {lines} lines looked at, odd ones and a sample; counts are of them"

    def _spans(self, piece: Shown | Omitted) -> Iterator[Shown | Omitted]:
        """A piece in the whole, in parts where lines between were not looked at."""
        part, whole = self.part, self.whole
        start = self._at(piece.start)
        if isinstance(piece, Omitted):
            yield Omitted(start, self._at(piece.end), piece.amount, piece.unit)
            return
        for line in range(part.line_at(piece.start), part.line_at(piece.end)):
            if self._line(line + 1) != self._line(line) + 1:
                yield Shown(start, whole.line_end(self._line(line)))
                start = whole.starts[self._line(line + 1)]
        yield Shown(start, self._at(piece.end))

    def _at(self, offset: int) -> int:
        """The place in the whole of a place in the part."""
        line = self.part.line_at(offset)
        return self.whole.starts[self._line(line)] + offset - self.part.starts[line]

    def _line(self, line: int) -> int:
        """The place of a line of the part among those of the whole."""
        return self.part.numbers[line] - self.whole.first

    def _gap(self, start: int, stop: int) -> list[Piece]:
        """What is left out from one place to just before another: whole lines mostly."""
        if stop <= start:
            return []
        first, last = self.whole.line_at(start), self.whole.line_at(stop - 1)
        if start != self.whole.starts[first] or stop - 1 != self.whole.line_end(last):
            return [Omitted(start, stop, stop - start, "characters")]
        numbers = self.whole.number(first), self.whole.number(last)
        where = f"{numbers[0]}-{numbers[1]}" if last > first else f"{numbers[1]}"
        return [Omitted(start, stop - 1, last - first + 1, "lines", where)]


def thin(document: Document) -> Thinned | None:
    """The part of a text to look at; None where all of it can be."""
    total, chars = len(document.lines), len(document.text)
    if total <= max(_MAX_LINES, chars // _CHARS_PER_LINE) or document.numbers:
        return None
    few = min(_MAX_LINES, _MAX_LINES * _FULL_CHARS // max(chars, 1))
    most = max(few, _MIN_LINES, chars // _CHARS_PER_LINE)
    lines = document.lines
    runs = _choose_runs(oddity(lines), most // _RUN_LINES)
    chosen = {at for run in runs for at in range(run, min(run + _RUN_LINES, total))}
    heads = _diff_heads(lines) if "\n@@ " in document.text else []
    for run in runs:
        chosen.update(_lines_above(lines, run), _diff_above(lines, run, heads))
    order = sorted(chosen)
    text = "\n".join([lines[at] for at in order])
    numbers = tuple(document.first + at for at in order)
    return Thinned(document, Document(text, document.cleaning, numbers=numbers))


def _choose_runs(oddities: Sequence[float], count: int) -> list[int]:
    """First lines of some runs: the two ends, a sample, and those that hold the rarest lines."""
    firsts = range(0, len(oddities), _RUN_LINES)
    sample = sorted(firsts, key=lambda first: place_of(first // _RUN_LINES))
    rarest = sorted(sample, key=lambda first: -round(max(oddities[first : first + _RUN_LINES])))
    wanted = [firsts[0], firsts[-1], *sample[: int(count * _SAMPLE_SHARE)], *rarest]
    return sorted(list(dict.fromkeys(wanted))[:count])


def _lines_above(lines: Sequence[str], line: int) -> Iterator[int]:
    """The lines that an indented one stands under, nearest first."""
    depth = indent_of(lines[line])
    for at in range(line - 1, max(line - _REACH, -1), -1):
        if depth == 0:
            return
        if lines[at].strip() and indent_of(lines[at]) < depth:
            depth = indent_of(lines[at])
            yield at


def _diff_heads(lines: Sequence[str]) -> list[int]:
    """Where the files and hunks of a diff begin."""
    return [at for at, line in enumerate(lines) if line.startswith(("diff ", "--- ", "@@ "))]


def _diff_above(lines: Sequence[str], line: int, heads: Sequence[int]) -> Iterator[int]:
    """What says which file and hunk a line of a diff is of."""
    nearest = bisect_right(heads, line) - 1
    for at in reversed(heads[max(nearest - _REACH, 0) : nearest + 1]):
        if at == heads[nearest] or not lines[at].startswith("@@ "):
            yield at
            yield from range(at + 1, min(at + 2, line)) if lines[at].startswith("--- ") else ()
        if lines[at].startswith("diff "):
            return
