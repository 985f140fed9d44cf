"""Where the lines of a text begin to be of other kinds than before, as in an output behind another.

Each of some lines from all over the text has a class that its looks tell. Where those
before a place and those behind it have hardly a class in common, the text changes there.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence

from flowctx.reducers.case import Case
from flowctx.reducers.document import Document
from flowctx.reducers.formats import format_of, sampled_formats

_WORDS = re.compile(r"\W*(?:[^\W\d_][\w'’-]*[,;:.]? ){6}|[^\x00-\x7f]{15}")
_MIN_LINES, _MIN_CHARS = 24, 8000
# Of the information that could be told apart, so much is: less will do where several commands
# are known to have printed. And so much of the text is on each side.
_MIN_SEPARATION, _MIN_TOLD_SEPARATION, _MIN_SIDE = 0.6, 0.45, 0.06
# Less than this is no output of its own.
_SIDE_LINES, _SIDE_CHARS = 8, 400
# The change is looked for so many sampled lines around the place.
_REACH = 2
# Where so much of both halves of a first look is of one class, there is no change.
_FIRST_LOOK, _MOST = 10, 0.9
_KEY_CHARS = 40
_ENDS = frozenset("{}();,:")
_HEADING = "#"
# What lines of patches begin with, and what lines end with that go on in what is below.
_PATCH_HEADS = ("index ", "new file ", "deleted file ", "rename ", "similarity ", "Binary ")
_PATCHED, _OPEN = frozenset("+-@ \\"), frozenset("{([:,")


def find_change(case: Case) -> int | None:
    """The first line of what follows the clearest change in a text; None where none is clear.

    A text whose command is known is one that several commands printed.
    """
    if len(case.filled) < _MIN_LINES or len(case.document.text) < _MIN_CHARS:
        return None
    formats = zip(case.sampled, case.sample, sampled_formats(case), strict=True)
    sampled = sorted(formats)
    if _is_even([class_of(*each[1:]) for each in sampled[:: len(sampled) // _FIRST_LOOK]]):
        return None
    classes = [class_of(*each[1:]) for each in sampled]
    several = case.output.command.strip()
    place = _clearest(classes, _MIN_TOLD_SEPARATION if several else _MIN_SEPARATION)
    if place is None or all(_HEADING in side for side in (classes[:place], classes[place:])):
        # One document, with headings all over.
        return None
    first = sampled[max(place - 1 - _REACH, 0)][0]
    last = sampled[min(place + _REACH, len(sampled) - 1)][0]
    return _exact(case.document, range(first + 1, last + 1), classes, place)


def _is_even(classes: Sequence[str]) -> bool:
    """True where both halves are mostly of the same class."""
    half = len(classes) // 2
    common = [Counter(part).most_common(1)[0] for part in (classes[:half], classes[half:])]
    (first, often), (second, as_often) = common
    return first == second and min(often, as_often) > _MOST * half


def class_of(line: str, strict: str) -> str:
    """What a line looks like: its strict format, running text, or what it begins and ends with."""
    if strict:
        return strict
    first, last = line[:1], line[-1:] if line[-1:] in _ENDS else ""
    if first in (" ", "\t", ""):
        return f" {last}"
    if _WORDS.match(line):
        return "words"
    if first.isdigit():
        return "0"
    if first.isalpha():
        return f"{'A' if first.isupper() else 'a'}{':' if ':' in line[:_KEY_CHARS] else ''}{last}"
    return first


def _clearest(classes: Sequence[str], separation: float) -> int | None:
    """Where classes are told apart best by standing before or behind a place.

    What is told apart is measured in bits: how much less it takes to name the class of each
    line when it is known on which side it stands, of what naming the side takes.
    """
    total, before, behind = len(classes), Counter[str](), Counter(classes)
    weighed = [n * math.log2(n) if n else 0.0 for n in range(total + 1)]
    known = weighed[total] - sum(weighed[count] for count in behind.values())
    left, right, best, place = 0.0, weighed[total] - known, 0.0, 0
    margin = max(int(_MIN_SIDE * total), 2)
    for at, found in enumerate(classes, 1):
        left += weighed[before[found] + 1] - weighed[before[found]]
        right += weighed[behind[found] - 1] - weighed[behind[found]]
        before[found] += 1
        behind[found] -= 1
        gained = known - (weighed[at] - left) - (weighed[total - at] - right)
        if gained > best and margin <= at <= total - margin:
            best, place = gained, at
    most = weighed[total] - weighed[place] - weighed[total - place]
    return place if place and best >= separation * most else None


def _exact(document: Document, around: range, classes: Sequence[str], place: int) -> int | None:
    """The line from which on lines are rather like those behind the place, if one can begin there.

    An output begins unindented, or behind a blank line; and it is of some lines.
    """
    lines, total = document.lines, len(document.lines)
    before, behind = Counter(classes[:place]), Counter(classes[place:])
    is_patch = "\n@@ " in document.text
    weight, best, found = 0.0, -math.inf, -1
    for at in around:
        is_apart = not lines[at - 1].strip()
        if weight + is_apart / 2 > best and _may_begin(lines, at, is_patch=is_patch):
            best, found = weight + is_apart / 2, at
        if lines[at].strip():
            known = class_of(lines[at], format_of(lines[at]))
            likely = (before[known] + 0.1) / place, (behind[known] + 0.1) / (len(classes) - place)
            weight += math.log2(likely[0] / likely[1])
    is_output = _SIDE_LINES <= found <= total - _SIDE_LINES and (
        _SIDE_CHARS <= document.starts[found] <= len(document.text) - _SIDE_CHARS
    )
    return found if is_output else None


def _may_begin(lines: Sequence[str], at: int, *, is_patch: bool) -> bool:
    """True for a line that an output can begin with, for how it and what is above it are set."""
    line, above = lines[at], lines[at - 1]
    if is_patch and (line[:1] in _PATCHED or line.startswith(_PATCH_HEADS)):
        return False
    if line[:1] not in (" ", "\t", ""):
        return True
    if above.strip() or line[:1] == "\t":
        return False
    last = next((lines[i] for i in range(at - 1, -1, -1) if lines[i].strip()), "")
    return last[:1] not in (" ", "\t") and last[-1:] not in _OPEN
