"""Long paragraphs that stand on a line each: the sentences of them that say most.

Sentences compete for the room with the lines that are shown whole: headings, items, code.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from flowctx.reducers.select import Budget, Window
from flowctx.reducers.sentences import Sentence

# Shorter paragraphs are shown whole.
_MIN_CHARS = 200
# What the mark beside a sentence takes; a first one of its paragraph has two.
_MARK_CHARS = 30


class Said(NamedTuple):
    """A sentence of a long paragraph.

    Attributes:
        line: the paragraph.
        place: which of its sentences it is.
        sentence: where it stands.
        rank: how much it would be missed.
    """

    line: int
    place: int
    sentence: Sentence
    rank: float


class Chosen(NamedTuple):
    """Lines to show, and the parts of those of which not all is shown."""

    lines: frozenset[int]
    parts: Mapping[int, Sequence[Window]]


def long_paragraphs(
    lines: Sequence[str], sentences: Sequence[tuple[int, Sentence]], ranks: Sequence[float]
) -> list[Said]:
    """The sentences of paragraphs that are long and hold more than one.

    Args:
        lines: the text.
        sentences: each with its line, in order.
        ranks: of each sentence.
    """
    held: defaultdict[int, list[tuple[Sentence, float]]] = defaultdict(list)
    for (line, sentence), rank in zip(sentences, ranks, strict=True):
        if len(lines[line]) >= _MIN_CHARS:
            held[line].append((sentence, rank))
    return [
        Said(line, place, sentence, rank)
        for line, each in held.items()
        if len(each) > 1
        for place, (sentence, rank) in enumerate(each)
    ]


def choose(
    budget: Budget, ranks: Mapping[int, float], said: Sequence[Said], kept: Collection[int]
) -> Chosen:
    """Whole lines and sentences of paragraphs, the highest ranks first, as many as fit.

    Args:
        budget: the room for all of them.
        ranks: of lines that are shown whole or not at all.
        said: the sentences of the other lines.
        kept: lines chosen before.
    """
    lines, left = set(kept), budget.left(kept)
    shown: defaultdict[int, dict[int, Sentence]] = defaultdict(dict)
    whole = [(-rank, line, -1) for line, rank in ranks.items()]
    parts = [(-each.rank, each.line, at) for at, each in enumerate(said)]
    for _, line, at in sorted(whole + parts):
        cost = budget.cost(line, lines) if at < 0 else _cost(budget, said[at], lines, shown)
        if cost <= left and (at >= 0 or line not in lines):
            left -= cost
            lines.add(line)
            if at >= 0:
                shown[line][said[at].place] = said[at].sentence
    return Chosen(frozenset(lines), {line: list(_windows(each)) for line, each in shown.items()})


def _cost(
    budget: Budget, each: Said, lines: Collection[int], shown: Mapping[int, Mapping[int, Sentence]]
) -> int:
    """Characters that a sentence adds: its own, and the marks it brings or saves."""
    chars = each.sentence.end - each.sentence.start + 1
    beside = shown.get(each.line)
    if not beside:
        return chars + _marks_chars(budget, each, lines)
    neighbours = (each.place - 1 in beside) + (each.place + 1 in beside)
    return chars + (1 - neighbours) * _MARK_CHARS


def _marks_chars(budget: Budget, each: Said, lines: Collection[int]) -> int:
    """The marks in a paragraph, and those around it; what is blank between two is shown."""
    line, texts = each.line, budget.document.lines
    inside = 1 if each.sentence.opens else 2
    above = line - 1 in lines or (line - 2 in lines and not texts[line - 1].strip())
    below = line + 1 in lines or (
        line + 2 in lines and line + 1 < len(texts) and not texts[line + 1].strip()
    )
    return inside * _MARK_CHARS + (1 - above - below) * budget.mark_chars


def _windows(sentences: Mapping[int, Sentence]) -> Iterator[Window]:
    """Sentences side by side are one window."""
    places = sorted(sentences)
    start = 0
    for at in range(1, len(places) + 1):
        if at == len(places) or places[at] > places[at - 1] + 1:
            first, last = sentences[places[start]], sentences[places[at - 1]]
            yield Window(first.start, last.end)
            start = at
