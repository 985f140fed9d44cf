"""Lines grouped by shape: what is left when words and numbers are masked.

The mask serves grouping only and is never shown. Numbers, ids, dates and
addresses become 0, other words a; what stands between them stays. The grouping
depends on nothing but the text at hand.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

_WORDLIKE = "_./@+-"
_MASK = str.maketrans(
    {
        chr(code): "0" if chr(code).isdigit() else "a"
        for code in range(128)
        if chr(code).isalnum() or chr(code) in _WORDLIKE
    }
)
_TIME_COLON = re.compile(r"(?<=0):(?=0)")
_LETTERS = re.compile(r"a{2,}")
# Runs of letters are one by then, so that this takes linear time.
_WITH_DIGIT = re.compile(r"a?0[a0]*")
_SPACES = re.compile(r"[ \t]{2,}")
_TOKEN = re.compile(r"[\w./@+-]+(?:(?<=\d):(?=\d)[\w./@+-]+)*")


@dataclass(frozen=True, slots=True)
class Cluster:
    """Lines of one shape, in order."""

    shape: str
    members: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self.members)


def mask_text(text: str) -> str:
    """A text with every word masked as `a` and every number as `0`; line ends stay."""
    masked = _LETTERS.sub("a", _TIME_COLON.sub("0", text.translate(_MASK)))
    return _SPACES.sub(" ", _WITH_DIGIT.sub("0", masked))


def group_by_shape(masked: Sequence[str]) -> list[Cluster]:
    """Clusters of lines with the same masked form, by first appearance."""
    members: defaultdict[str, list[int]] = defaultdict(list)
    for index, shape in enumerate(masked):
        members[shape].append(index)
    return [Cluster(shape, tuple(lines)) for shape, lines in members.items()]


def tokens_of(line: str) -> list[str]:
    """The words and numbers of a line that the mask replaces."""
    return _TOKEN.findall(line)
