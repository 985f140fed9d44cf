"""Lines grouped by shape: what is left when words and numbers are masked.

The mask serves grouping only and is never shown. Numbers, ids, dates and
addresses become 0, other words a; what stands between them stays. The grouping
depends on nothing but the text at hand.
"""

import re
import string
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

# ASCII only, byte by byte: translating a text that holds anything else is slow.
_DIGITS, _WORDLIKE = frozenset(b"0123456789"), frozenset(string.ascii_letters.encode() + b"_./@+-")
_MASK = bytes(
    ord("0") if code in _DIGITS else ord("a") if code in _WORDLIKE else code for code in range(256)
)
_LETTERS = re.compile(rb"aa+")
# Runs of letters are one by then, so that this takes linear time.
_WITH_DIGIT = re.compile(rb"a0[a0]*|0[a0]+")
_SPACES, _BLANKS = re.compile(rb"  +"), re.compile(rb"[ \t]{2,}")
_ZEROS, _ANY_DIGITS = bytes.maketrans(b"123456789", b"000000000"), re.compile(r"\d+")
_TOKEN = re.compile(r"[\w./@+-]+(?:(?<=\d):(?=\d)[\w./@+-]+)*")
_ASCII_TOKEN = re.compile(_TOKEN.pattern, re.ASCII)
# A colon holds no token together but between digits.
_LOOSE_COLON = re.compile(r"(?<![0-9]):|:(?![0-9])")
_APART = bytes(
    code if code in _DIGITS | _WORDLIKE or code in b":\n" else ord(" ") for code in range(256)
)


class Cluster(NamedTuple):
    """Lines of one shape, in order."""

    shape: str
    members: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many lines there are."""
        return len(self.members)


def mask_text(text: str) -> str:
    """A text with every word masked as `a` and every number as `0`; line ends stay."""
    masked = text.encode("utf-8", "surrogatepass").translate(_MASK)
    # Each colon of a time has digits of its own only in the second pass: 10:04:26.
    masked = masked.replace(b"0:0", b"00").replace(b"0:0", b"00")
    masked = _WITH_DIGIT.sub(b"0", _LETTERS.sub(b"a", masked))
    spaces = _BLANKS if b"\t" in masked else _SPACES
    return spaces.sub(b" ", masked).decode("utf-8", "surrogatepass")


def mask_digits(text: str) -> str:
    """A text with every run of digits as one 0."""
    if not text.isascii():
        return _ANY_DIGITS.sub("0", text)
    masked = text.encode().translate(_ZEROS)
    while b"00" in masked:
        masked = masked.replace(b"00", b"0")
    return masked.decode()


def group_by_shape(masked: Sequence[str]) -> list[Cluster]:
    """Clusters of lines with the same masked form, by first appearance."""
    members: defaultdict[str, list[int]] = defaultdict(list)
    for index, shape in enumerate(masked):
        members[shape].append(index)
    return [Cluster(shape, tuple(lines)) for shape, lines in members.items()]


def tokens_of_each(lines: Sequence[str]) -> list[list[str]]:
    """The same of several lines without line ends, in fewer steps."""
    text = "\n".join(lines)
    if not text.isascii():
        return list(map(tokens_of, lines))
    told = _LOOSE_COLON.sub(" ", text).encode().translate(_APART).decode()
    return [line.split() for line in told.split("\n")]


def tokens_of(line: str) -> list[str]:
    """The words and numbers of a line that the mask replaces."""
    return (_ASCII_TOKEN if line.isascii() else _TOKEN).findall(line)
