"""Blocks that are built alike, as servers, rules and tables are, and what only few of them say.

A line is seen as a form: the words it shares with many lines stay, all others
are names. Where most lines have the form of many others, one that has not is
odd; so is a number far from those at the same place.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from flowctx.reducers.columns import judge_column
from flowctx.reducers.document import indent_of
from flowctx.reducers.shapes import tokens_of

# More lines take longer than what is odd among them is worth.
_MAX_LINES = 12_000
# A word of so many lines is no name, and a form of so many lines is usual.
_MIN_ALIKE = 5
# Of names alone a form is usual only where it makes up this share of the lines.
_NAMES_SHARE = 0.03
# The share of the lines that have usual forms, and what odd ones take at most.
_MIN_USUAL, _MAX_ODD_SHARE, _FEW = 0.6, 0.1, 12
# A form is rare up to this share of the lines; numbers are compared from so many on.
_RARE_SHARE, _MIN_COMPARED = 0.01, 8
_MAX_BITS = 10.0
_MAX_TOKENS, _NAME = 24, "\0"
_NAME_ONLY = frozenset({_NAME})
_TOKEN = re.compile(r"[\w./@+-]+")
# A block is looked for and looked at over so many lines.
_MAX_REACH = 400


class _Form(NamedTuple):
    """A line as its words and what stands between them, its names hidden."""

    words: tuple[str, ...]
    between: str


class LikeBlocks(NamedTuple):
    """What was found in a text of like blocks.

    Attributes:
        odd: lines that hardly another is like, in bits.
        context: lines that say which block an odd line is in, by that line.
        alike: how many lines have the form of each line.
    """

    odd: Mapping[int, float]
    context: Mapping[int, Sequence[int]]
    alike: Mapping[int, int]


def read_like_blocks(lines: Sequence[str]) -> LikeBlocks | None:
    """What stands out among like blocks; None where too few lines are like others."""
    if len(lines) > _MAX_LINES:
        return None
    forms = _forms({at: line for at, line in enumerate(lines) if _TOKEN.search(line)})
    counts = Counter(forms.values())
    usual = {form for form, count in counts.items() if _is_usual(form, count, len(forms))}
    if sum(map(counts.__getitem__, usual)) < _MIN_USUAL * max(len(forms), 1):
        return None
    odd = _rare_forms(forms, counts, usual) | dict(_far_numbers(lines, forms, counts))
    if len(odd) > max(_MAX_ODD_SHARE * len(forms), _FEW):
        odd = {}
    alike = {at: counts[form] for at, form in forms.items()}
    around = _Lines(lines, alike)
    return LikeBlocks(odd, {at: around.context(at) for at in odd}, alike)


def _forms(lines: Mapping[int, str]) -> dict[int, _Form]:
    times = Counter(lines.values())
    tokens = {line: tuple(tokens_of(line)[:_MAX_TOKENS]) for line in times}
    held: Counter[str] = Counter()
    for line, words in tokens.items():
        for word in frozenset(words):
            held[word] += times[line]
    kept = {word: word if count >= _MIN_ALIKE else _NAME for word, count in held.items()}
    forms = {
        line: _Form(tuple(map(kept.__getitem__, words)), "".join(_TOKEN.sub("", line).split()))
        for line, words in tokens.items()
    }
    return {at: forms[line] for at, line in lines.items()}


def _is_usual(form: _Form, count: int, total: int) -> bool:
    is_named = any(word != _NAME for word in form.words)
    return count >= (_MIN_ALIKE if is_named else max(_MIN_ALIKE, _NAMES_SHARE * total))


def _rare_forms(
    forms: Mapping[int, _Form], counts: Counter[_Form], usual: Set[_Form]
) -> dict[int, float]:
    """Lines of rare forms; but not those that are usual but for a name that many have elsewhere."""
    total = len(forms)
    most = max(_RARE_SHARE * total, 1)
    return {
        at: min(math.log2(total / min(counts[form], most)), _MAX_BITS)
        for at, form in forms.items()
        if form not in usual
        and (counts[form] <= most or _NAME_ONLY.issuperset(form.words))
        and usual.isdisjoint(_with_a_name_more(form))
    }


def _with_a_name_more(form: _Form) -> Iterator[_Form]:
    for at, word in enumerate(form.words):
        if word != _NAME:
            yield _Form((*form.words[:at], _NAME, *form.words[at + 1 :]), form.between)


def _far_numbers(
    lines: Sequence[str], forms: Mapping[int, _Form], counts: Counter[_Form]
) -> Iterator[tuple[int, float]]:
    members: defaultdict[_Form, list[int]] = defaultdict(list)
    for at, form in forms.items():
        if counts[form] >= _MIN_COMPARED and _NAME in form.words:
            members[form].append(at)
    for group in members.values():
        rows = [tokens_of(lines[at])[:_MAX_TOKENS] for at in group]
        for values in zip(*rows, strict=True):
            column = judge_column("", values)
            if column.kind == "number":
                yield from (
                    (group[row], min(bits, _MAX_BITS)) for row, bits in column.scores.items()
                )


class _Lines:
    """The lines of a text by what they stand under, which their indentation tells."""

    def __init__(self, lines: Sequence[str], alike: Mapping[int, int]) -> None:
        self._lines = lines
        self._alike = alike
        self._said = Counter(lines)

    def context(self, at: int) -> list[int]:
        """The heads a line stands under, each with the line that names it where it does not."""
        found: list[int] = []
        depth, above = indent_of(self._lines[at]), at
        while depth and above > max(at - _MAX_REACH, 0):
            above -= 1
            if above in self._alike and indent_of(self._lines[above]) < depth:
                depth = indent_of(self._lines[above])
                found.append(above)
                found.extend(self._name(above) if self._said[self._lines[above]] > 1 else ())
        return found

    def _name(self, head: int) -> Iterator[int]:
        """The first line under a head that others have with another value each."""
        for at in range(head + 1, min(head + _MAX_REACH, len(self._lines))):
            if at in self._alike:
                if indent_of(self._lines[at]) <= indent_of(self._lines[head]):
                    return
                if self._alike[at] >= _MIN_ALIKE and self._said[self._lines[at]] == 1:
                    yield at
                    return
