"""Placing folds by their anchors.

A fold stands for a run of messages given by the digests of its first and last
message and their count. It is placed only where both are found, in order and
that far apart; otherwise it stays out of the view. So a reset, a host
compaction or a rewind needs no special case.
"""

from collections.abc import Iterable, Mapping, Sequence

from flowctx.chain import chain_of
from flowctx.dag.plan.chunks import Node
from flowctx.dag.plan.standing import standing
from flowctx.model import Fold, Message, Placement


def place_folds(messages: Sequence[Message], folds: Iterable[Fold]) -> list[Placement]:
    """Place the folds that stand, in the order of their messages and without overlap.

    Args:
        messages: of the session.
        folds: in the order they were made; those that others have replaced may be among
            them, and stand where their successors no longer fit.
    """
    spots = {spot.fold.node: spot for spot in find_folds(messages, folds)}
    return [spots[node.node] for node in standing(nodes_of(spots.values()))]


def find_folds(messages: Sequence[Message], folds: Iterable[Fold]) -> list[Placement]:
    """Where the folds are whose messages are there, in the order given; they may overlap.

    Equal messages may come again, and a note of each time with them. Notes of one depth
    are made in the order of their messages, so each takes the first place that is left.
    """
    listed = list(folds)
    wanted = {anchor for fold in listed for anchor in (fold.first, fold.last)}
    found: dict[bytes, list[int]] = {}
    if wanted:
        for at, message in enumerate(messages):
            if message.digest in wanted:
                found.setdefault(message.digest, []).append(at)
    placed: list[Placement] = []
    for fold in listed:
        spots = _spots(messages, fold, found)
        free = (spot for spot in spots if len(spots) == 1 or not _is_taken(spot, placed))
        if spots:
            placed.append(next(free, spots[0]))
    return placed


def nodes_of(spots: Iterable[Placement]) -> tuple[Node, ...]:
    """Found folds as the planner takes them."""
    return tuple(
        Node(
            spot.start, spot.end, spot.fold.depth, spot.fold.tokens, spot.fold.kind, spot.fold.node
        )
        for spot in spots
    )


def _spots(
    messages: Sequence[Message], fold: Fold, found: Mapping[bytes, Sequence[int]]
) -> list[Placement]:
    ends = set(found.get(fold.last, ()))
    starts = (at for at in found.get(fold.first, ()) if at + fold.count - 1 in ends)
    spots = [Placement(fold, start, start + fold.count) for start in starts]
    if len(spots) < 2 or not fold.chain:
        return spots
    # Only its ends may be the same.
    return [spot for spot in spots if chain_of(messages[spot.start : spot.end]) == fold.chain]


def _is_taken(spot: Placement, placed: Sequence[Placement]) -> bool:
    like = (each for each in placed if each.fold.kind == spot.fold.kind == "note")
    return any(
        each.fold.depth == spot.fold.depth and each.start < spot.end and each.end > spot.start
        for each in like
    )
