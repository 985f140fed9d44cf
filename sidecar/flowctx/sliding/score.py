"""The score of a card: five signals, each 0 to 1, with fixed weights."""

from collections.abc import Mapping
from dataclasses import dataclass

HALF_LIFE_MS = 8 * 3_600_000

# Chosen on planted questions (tests/bench/test_cards_embedded.py): of some hundred cards a
# few stand out by three deviations without being about the prompt, by seven hardly one does.
DISTINCT, UNMISTAKABLE = 3.0, 7.0
# Likeness alone makes at most half of a relevance: words that agree tell more.
LIKENESS_SHARE = 0.5

WEIGHTS: Mapping[str, float] = {
    "relevance": 0.40,
    "recency": 0.30,
    "same_session": 0.10,
    "work": 0.10,
    "dm": 0.10,
}


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks for a card; every candidate has all of them.

    Attributes:
        relevance: how much of the prompt it answers.
        recency: 1 now, a half after eight hours.
        same_session: it comes from an earlier life of the same session.
        work: a tool was used or something was decided.
        dm: it comes from a conversation with the person.
    """

    relevance: float
    recency: float
    same_session: float
    work: float
    dm: float

    @property
    def score(self) -> float:
        """The weighted sum, 0 to 1."""
        return float(sum(weight * getattr(self, name) for name, weight in WEIGHTS.items()))


def joint_relevance(by_words: float, distinction: float) -> float:
    """Relevance by words, raised where a card is like the prompt in other words.

    Args:
        by_words: how much of the prompt the card answers, 0 to 1.
        distinction: by how many standard deviations it is more like the prompt than
            cards are in general; so no model's own scale of likeness matters.
    """
    span = (distinction - DISTINCT) / (UNMISTAKABLE - DISTINCT)
    return by_words + (1 - by_words) * LIKENESS_SHARE * min(max(span, 0.0), 1.0)


def recency(time_ms: int, now_ms: int) -> float:
    """1 for now, halved every eight hours; a time that is still to come counts as now."""
    age = max(now_ms - time_ms, 0)
    return float(0.5 ** (age / HALF_LIFE_MS))
