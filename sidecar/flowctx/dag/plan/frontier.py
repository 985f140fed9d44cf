"""Placing folds by their anchors.

A fold stands for a run of messages given by the digests of its first and last
message and their count. It is placed only where both are found, in order and
that far apart; otherwise it stays out of the view. So a reset, a host
compaction or a rewind needs no special case.
"""

from collections.abc import Iterable, Sequence

from flowctx.model import Fold, Message, Placement


def place_folds(messages: Sequence[Message], folds: Iterable[Fold]) -> list[Placement]:
    """Place the folds that fit, in the order of their messages and without overlap.

    Where two overlap, the one that covers more wins: it was made later, from
    the other's sources.
    """
    wanted = {anchor for fold in folds for anchor in (fold.first, fold.last)}
    if not wanted:
        return []
    found: dict[bytes, list[int]] = {}
    for at, message in enumerate(messages):
        if message.digest in wanted:
            found.setdefault(message.digest, []).append(at)
    placed = [spot for fold in folds if (spot := _spot(fold, found)) is not None]
    placed.sort(key=lambda spot: (spot.start - spot.end, spot.start))
    kept: list[Placement] = []
    for spot in placed:
        if all(spot.end <= other.start or spot.start >= other.end for other in kept):
            kept.append(spot)
    return sorted(kept, key=lambda spot: spot.start)


def _spot(fold: Fold, found: dict[bytes, list[int]]) -> Placement | None:
    ends = set(found.get(fold.last, ()))
    for start in found.get(fold.first, ()):
        if start + fold.count - 1 in ends:
            return Placement(fold, start, start + fold.count)
    return None
