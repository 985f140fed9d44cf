"""The text a JSON string stands for, and where each of its characters is written."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

_ESCAPE = re.compile(
    r"(?P<color>\\u001[bB]\[[0-?]*[ -/]*[@-~])|(?P<pair>\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w)"
    r"|(?P<code>\\u[0-9a-fA-F]{4})|(?P<return>\\r(?=\\n|\Z))|(?P<sign>\\.)",
    re.DOTALL,
)
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


@dataclass(frozen=True, slots=True)
class Unescaped:
    """What a JSON string says, as a terminal shows it, and the way back to how it is written.

    Attributes:
        text: the text, without colours and without returns before line ends.
        behind: for each escape, the offset in the text behind it.
        begun: where each escape is written.
        written: and the offset of what is written behind it.
    """

    text: str
    behind: tuple[int, ...]
    begun: tuple[int, ...]
    written: tuple[int, ...]

    @staticmethod
    def read(source: str, start: int, end: int) -> "Unescaped":
        """The string whose contents are written in [start, end) of a text."""
        parts: list[str] = []
        behind, begun, written = [0], [start], [start]
        length, at = 0, start
        for said, escape in _escapes(source, start, end):
            parts += (source[at : escape.start()], said)
            length += escape.start() - at + len(said)
            at = escape.end()
            behind.append(length)
            begun.append(escape.start())
            written.append(at)
        parts.append(source[at:end])
        return Unescaped("".join(parts), tuple(behind), tuple(begun), tuple(written))

    def place(self, offset: int) -> int:
        """Where the character at an offset of the text is written."""
        # Colours say nothing, so that several places have one offset: the last is meant.
        at = bisect_right(self.behind, offset) - 1
        return self.written[at] + offset - self.behind[at]

    def end(self, offset: int) -> int:
        """Where the character before an offset of the text has been written."""
        at = bisect_left(self.behind, offset)
        if at == len(self.behind) or self.behind[at] > offset or at == 0:
            return self.place(offset)
        says_nothing = self.begun[at] - self.written[at - 1] == offset - self.behind[at - 1]
        return self.begun[at] if says_nothing else self.written[at]


def _escapes(source: str, start: int, end: int) -> Iterator[tuple[str, re.Match[str]]]:
    """Each escape, and the characters that it stands for."""
    for escape in _ESCAPE.finditer(source, start, end):
        kind, written = escape.lastgroup, escape.group()
        if kind in ("color", "return"):
            yield "", escape
        elif kind == "pair":
            high, low = int(written[2:6], 16), int(written[8:], 16)
            yield chr(0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF)), escape
        elif kind == "code":
            yield chr(int(written[2:], 16)), escape
        else:
            yield _SIGNS.get(written[1], written[1]), escape
