"""Picking some of many, spread over all of them."""

# The fractional part of the golden ratio: its multiples fill an interval evenly
# however many are taken, and never fall in step with text that repeats.
_GOLDEN = 0.618_033_988_749_895


def spread(total: int, count: int) -> list[int]:
    """Indexes of some of *total* items, spread over all; any first few of them are too."""
    if total <= count:
        return list(range(total))
    return list(dict.fromkeys(int(at * _GOLDEN % 1 * total) for at in range(count)))


def place_of(index: int) -> float:
    """Where an item comes when items are to be spread evenly, however many are taken."""
    return index * _GOLDEN % 1
