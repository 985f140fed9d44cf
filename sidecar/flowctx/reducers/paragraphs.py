"""Long paragraphs that stand on a line each: the sentences of them that say most."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from flowctx.reducers.document import Document
from flowctx.reducers.select import Window
from flowctx.reducers.sentences import Sentence

# Shorter paragraphs are shown whole.
_MIN_CHARS = 200
# The room that paragraphs take at most, and how many sentences each may then have.
_SHARE, _MAX_SENTENCES = 0.6, 2
# What the marks around a sentence take.
_MARKS_CHARS = 60
# A further sentence says nearly as much as the best.
_NEARLY = 0.7


def best_parts(
    document: Document, sentences: Sequence[tuple[int, Sentence]], worth: Sequence[float], room: int
) -> dict[int, list[Window]]:
    """What to show of each long paragraph; empty where there is room for more of them.

    Args:
        document: the text.
        sentences: each with its line, in order.
        worth: of each sentence.
        room: characters for the whole text.
    """
    held: defaultdict[int, list[tuple[float, Sentence]]] = defaultdict(list)
    for (line, sentence), value in zip(sentences, worth, strict=True):
        if len(document.lines[line]) >= _MIN_CHARS:
            held[line].append((value, sentence))
    long = {line: each for line, each in held.items() if len(each) > 1}
    least = sum(_MARKS_CHARS + _chars(_best(each, 1)) for each in long.values())
    count = int(_SHARE * room / least) if least else 0
    if count > _MAX_SENTENCES or not long:
        return {}
    return {line: list(_windows(_best(each, max(count, 1)))) for line, each in long.items()}


def part_sizes(parts: Mapping[int, Sequence[Window]]) -> dict[int, int]:
    """Characters that each line takes of which only parts are shown, with the marks in it."""
    return {
        line: sum(part.end - part.start for part in shown) + _MARKS_CHARS
        for line, shown in parts.items()
    }


def _best(found: Sequence[tuple[float, Sentence]], count: int) -> list[Sentence]:
    """The best sentences in their order; the first of those that are worth the same."""
    ranked = sorted(found, key=lambda each: (-each[0], each[1].start))
    least = _NEARLY * ranked[0][0]
    return sorted(sentence for value, sentence in ranked[:count] if value >= least)


def _chars(sentences: Sequence[Sentence]) -> int:
    return sum(each.end - each.start for each in sentences)


def _windows(sentences: Sequence[Sentence]) -> Iterator[Window]:
    """Sentences side by side are one window."""
    start = end = -1
    for each in sentences:
        if 0 <= end < each.start - 1:
            yield Window(start, end)
            start = -1
        start, end = (each.start if start < 0 else start), each.end
    yield Window(start, end)
