"""A text with its lines: what every reducer works on.

Lines end at the line feed only, so that line numbers agree with those of editors and
of `grep -n`. Offsets count code points of the cleaned text.
"""

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from operator import add

from flowctx.message import well_formed
from flowctx.reducers.terminal import Cleaning, clean


def indent_of(line: str) -> int:
    """How many blanks a line begins with; all of it where it is blank."""
    return len(line) - len(line.lstrip())


@dataclass(frozen=True)
class Document:
    """A cleaned text and its lines.

    Attributes:
        text: the text all offsets refer to; ends without a line end.
        cleaning: what was taken away before.
        first: number of its first line, from 0; a segment begins further down.
        numbers: the number of each line, from 0, where some lines between are not in it.
    """

    text: str
    cleaning: Cleaning
    first: int = 0
    numbers: tuple[int, ...] = ()

    @staticmethod
    def read(raw: str) -> "Document":
        """Clean a tool's text: well-formed Unicode, no escapes, final repaint states."""
        text, cleaning = clean(well_formed(raw))
        return Document(text.rstrip("\n"), cleaning)

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their ends."""
        return self.text.split("\n")

    @cached_property
    def starts(self) -> list[int]:
        """Offset of each line."""
        ends = accumulate(map(len, self.lines))
        return list(map(add, chain((0,), ends), range(len(self.lines))))

    def line_at(self, offset: int) -> int:
        """Index of the line that holds an offset."""
        return bisect_right(self.starts, offset) - 1

    def line_end(self, index: int) -> int:
        """Offset behind the last character of a line."""
        return self.starts[index] + len(self.lines[index])

    def number(self, index: int) -> int:
        """The number of a line as editors count, from 1."""
        return (self.numbers[index] if self.numbers else self.first + index) + 1

    def lines_between(self, start: int, end: int) -> "Document":
        """Lines [start, end) as a document of their own, that knows their numbers."""
        text = self.text[self.starts[start] : self.line_end(end - 1)]
        return Document(text, self.cleaning, self.first + start, self.numbers[start:end])
