"""Picking some of many, spread over all of them."""

from collections.abc import Sequence
from functools import lru_cache

# The fractional part of the golden ratio: its multiples fill an interval evenly
# however many are taken.
_GOLDEN = 0.618_033_988_749_895
# Text repeats itself every few lines, and Fibonacci numbers of repetitions are in step with
# the golden ratio; another irrational number moves each pick by some lines.
_ROOT_OF_TWO, _MOVED = 1.414_213_562_373_095, 64


@lru_cache(maxsize=256)
def spread(total: int, count: int) -> Sequence[int]:
    """Indexes of some of *total* items, spread over all; any first few of them are too."""
    if total <= count:
        return range(total)
    moved = min(_MOVED, 2 * total // count)
    picks = (
        (int(at * _GOLDEN % 1 * total) + int(at * _ROOT_OF_TWO % 1 * moved)) % total
        for at in range(count)
    )
    return tuple(dict.fromkeys(picks))


def place_of(index: int) -> float:
    """Where an item comes when items are to be spread evenly, however many are taken."""
    return index * _GOLDEN % 1
