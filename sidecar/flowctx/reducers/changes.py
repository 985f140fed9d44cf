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
_MIN_LINES, _MIN_CHARS = 24, 3000
# Of the information that could be told apart, so much is; and so much of the text is on each side.
_MIN_SEPARATION, _MIN_SIDE = 0.7, 0.06
# Less than this is no output of its own.
_SIDE_LINES, _SIDE_CHARS = 8, 400
# The change is looked for so many sampled lines around the place.
_REACH = 2
# Where so much of both halves of a first look is of one class, there is no change.
_FIRST_LOOK, _MOST = 10, 0.6
_KEY_CHARS = 40
# What lines of patches begin with, and what lines end with that go on in what is below.
_PATCHED, _OPEN = frozenset("+-@ \\"), frozenset("{([:,")


def find_change(case: Case) -> int | None:
    """The first line of what follows the clearest change in a text; None where none is clear."""
    if len(case.filled) < _MIN_LINES or len(case.document.text) < _MIN_CHARS:
        return None
    formats = zip(case.sampled, case.sample, sampled_formats(case), strict=True)
    sampled = sorted(formats)
    if _is_even([class_of(*each[1:]) for each in sampled[:: len(sampled) // _FIRST_LOOK]]):
        return None
    classes = [class_of(*each[1:]) for each in sampled]
    place = _clearest(classes)
    if place is None:
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
    """What a line looks like: its strict format, running text, or what it begins with."""
    if strict:
        return strict
    first = line[:1]
    if first in (" ", "\t", ""):
        return "indented"
    if _WORDS.match(line):
        return "words"
    if first.isdigit():
        return "number"
    if first.isalpha():
        return f"{'Name' if first.isupper() else 'name'}{':' if ':' in line[:_KEY_CHARS] else ''}"
    return first


def _clearest(classes: Sequence[str]) -> int | None:
    """Where classes are told apart best by standing before or behind a place."""
    total, before, behind = len(classes), Counter[str](), Counter(classes)
    whole, best, place = _information(behind), 0.0, 0
    margin = max(int(_MIN_SIDE * total), 2)
    for at, found in enumerate(classes, 1):
        before[found] += 1
        behind[found] -= 1
        if margin <= at <= total - margin:
            gained = whole - _information(before) - _information(behind)
            if gained > best:
                best, place = gained, at
    most = _information(Counter({"before": place, "behind": total - place}))
    return place if place and best >= _MIN_SEPARATION * most else None


def _information(counts: Counter[str]) -> float:
    """What it takes to name the class of each line, in bits."""
    total = sum(counts.values())
    return sum(count * math.log2(total / count) for count in counts.values() if count)


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
    if is_patch and line[:1] in _PATCHED:
        return False
    if line[:1] not in (" ", "\t", ""):
        return True
    if above.strip() or line[:1] == "\t":
        return False
    last = next((lines[i] for i in range(at - 1, -1, -1) if lines[i].strip()), "")
    return last[:1] not in (" ", "\t") and last[-1:] not in _OPEN
