"""The score of a card: five signals, each 0 to 1, with fixed weights."""

from collections.abc import Mapping
from dataclasses import dataclass

HALF_LIFE_MS = 8 * 3_600_000

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


def recency(time_ms: int, now_ms: int) -> float:
    """1 for now, halved every eight hours; a time that is still to come counts as now."""
    age = max(now_ms - time_ms, 0)
    return float(0.5 ** (age / HALF_LIFE_MS))
