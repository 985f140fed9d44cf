"""Sentences chosen for a budget, and the pieces that show them and say what is left out between."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from flowctx.reducers.draft import Draft, Omitted, Piece, Shown
from flowctx.reducers.marker import VIEW_MAX_CHARS
from flowctx.reducers.sentences import Sentence
from flowctx.tokens import estimate_tokens

# A mark like "[… 2 omitted …]" with its line end.
_MARK_CHARS = 16
# Characters that all of it may have, whatever they count.
_WIDEST = VIEW_MAX_CHARS - 280
_TOKEN_CHARS = 4
# Sentences up to this rank say nothing that would be missed.
FLOOR = 6.0
_NOTHING: Mapping[int, Sequence[int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Extracts:
    """Sentences of a text, of which some are to be shown.

    Attributes:
        text: what they are sentences of.
        sentences: in order.
        room: characters for those that are shown and the marks between them.
        unit: what they are called where some are left out.
    """

    text: str
    sentences: Sequence[Sentence]
    room: int
    unit: str = "sentences"

    def choose(
        self,
        ranks: Mapping[int, float],
        *,
        floor: float = 0.0,
        kept: Collection[int] = (),
        below: Mapping[int, Sequence[int]] = _NOTHING,
    ) -> frozenset[int]:
        """Sentences to show, the highest ranks first, as many as fit.

        Args:
            ranks: rank by sentence; those that are absent are never chosen.
            floor: ranks up to this are not chosen even where there is room, if any rank is higher.
            kept: sentences chosen before; they stay, and take their part of the room.
            below: of a sentence, those that are shown wherever it is: who says it.
        """
        usual = estimate_tokens(self.text) / max(len(self.text), 1)
        left, chars = float(self.room), float(max(self.room, _WIDEST))
        least = floor if max(ranks.values(), default=0.0) > floor else 0.0
        wanted = sorted((at for at in ranks if ranks[at] > least), key=lambda at: (-ranks[at], at))
        chosen: set[int] = set()
        for at in (*sorted(kept), *wanted):
            if at in chosen:
                continue
            heads = [head for head in below.get(at, ()) if head not in chosen]
            marks = _count_marks((at, *heads), chosen) * _MARK_CHARS
            length = self._length(at) + marks + sum(map(self._length, heads))
            is_kept = at in kept
            # No character counts less than a letter.
            if not is_kept and (length > chars or length / _TOKEN_CHARS > left * usual):
                continue
            tokens = self._tokens(at) + sum(map(self._tokens, heads))
            cost = (tokens + marks / _TOKEN_CHARS) / usual
            if is_kept or cost <= left:
                left, chars = left - cost, chars - length
                chosen.update((at, *heads))
        return frozenset(chosen)

    def _length(self, at: int) -> int:
        """Characters of a sentence, with the line end behind it."""
        return self.sentences[at].end - self.sentences[at].start + 1

    def _tokens(self, at: int) -> float:
        """Tokens of a sentence. Where a character is a word, a mark takes few of them."""
        if self.text.isascii():
            return self._length(at) / _TOKEN_CHARS
        # The estimate is rounded up, by so much on average.
        return estimate_tokens(self.text[self.sentences[at].start : self.sentences[at].end]) - 0.125

    def draft(self, content_type: str, chosen: Collection[int]) -> Draft:
        """A draft that shows the chosen sentences."""
        pieces = tuple(self._show(chosen))
        return Draft(content_type, pieces, ((self.unit, len(self.sentences)),))

    def _show(self, chosen: Collection[int]) -> Iterator[Piece]:
        """Sentences side by side in one paragraph are one span; runs left out are one mark."""
        start, sentences = 0, self.sentences
        for at in range(1, len(sentences) + 1):
            is_shown = start in chosen
            continues = at < len(sentences) and (at in chosen) == is_shown
            if continues and not (is_shown and sentences[at].opens):
                continue
            begin, end = sentences[start].start, sentences[at - 1].end
            yield Shown(begin, end) if is_shown else Omitted(begin, end, at - start, self.unit)
            start = at


def _count_marks(added: Collection[int], chosen: Collection[int]) -> int:
    """Marks that further sentences bring, less those they save."""
    beside = sum((at - 1 in chosen) + (at + 1 in chosen) + (at + 1 in added) for at in added)
    return len(added) - beside


def covering(text: str, sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences, each with what stands before it and is of none: a time, a sign of quoting."""
    covered: list[Sentence] = []
    end = 0
    for each in sentences:
        between = text[end : each.start]
        start = each.start if not between.strip() else end + len(between) - len(between.lstrip())
        covered.append(Sentence(start, each.end, each.opens))
        end = each.end
    if covered and text[end:].strip():
        covered[-1] = covered[-1]._replace(end=len(text.rstrip()))
    return covered
