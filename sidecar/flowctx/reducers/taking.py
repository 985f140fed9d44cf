"""Which members of a tree are shown: those that fit, in an order of how much they are missed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from flowctx.reducers.rows import PLAIN_RANK

MARK_CHARS = 34
_PLAIN_SHARE = 0.6
_MIN_SHOWN = 3


def take_rows(
    ranks: Mapping[int, float], sizes: Mapping[int, int], caps: Mapping[int, int], room: int
) -> frozenset[int]:
    """Rows that fit, the highest ranks first; plain ones only up to a part of the room."""
    kept: set[int] = set()
    left = room
    for at in sorted(ranks, key=lambda row: (-ranks[row], row)):
        neighbours = (at - 1 in kept) + (at + 1 in kept)
        cost = min(sizes[at], caps[at]) + 4 + (1 - neighbours) * MARK_CHARS
        is_extra = ranks[at] <= PLAIN_RANK and len(kept) >= _MIN_SHOWN
        if cost <= left - (room * (1 - _PLAIN_SHARE) if is_extra else 0):
            kept.add(at)
            left -= cost
    return frozenset(kept)


def take_members(
    order: Iterable[int], sizes: Sequence[int], room: int, each: int
) -> frozenset[int]:
    """Members that fit, the first of the order first, if none takes more than a size."""
    kept: set[int] = set()
    for at in order:
        cost = min(sizes[at], each) + MARK_CHARS // 2
        if cost <= room:
            kept.add(at)
            room -= cost
    return frozenset(kept)


def runs_of(indexes: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The first and last of each run of neighbours."""
    start = last = -2
    for at in indexes:
        if at != last + 1:
            if start >= 0:
                yield start, last
            start = at
        last = at
    if start >= 0:
        yield start, last
