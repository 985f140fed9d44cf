"""Where a session's folds stand in its view: in place of messages, or beside them."""

from collections.abc import Sequence

from flowctx.config import Settings
from flowctx.dag.plan.frontier import place_folds
from flowctx.model import Fold, Injection, Placement
from flowctx.service.frame import Frame


def placed_folds(
    frame: Frame, folds: tuple[Fold, ...], kept: int, settings: Settings
) -> list[Placement]:
    """Where the folds stand; looked for only when they or their messages may have changed.

    Args:
        frame: of the session.
        folds: all that may stand, in the order they were made.
        kept: how many messages stand as they did when `frame.standing` was made.
        settings: say whether notes replace what they cover.
    """
    if folds == frame.folds and _are_still_there(frame, folds, kept):
        return frame.standing
    if settings.summary_replaces_history:
        return place_folds(frame.messages, folds)
    # Notes that are only added leave the digests where they are.
    return [
        placed
        for kind in ("digest", "note")
        for placed in place_folds(frame.messages, [fold for fold in folds if fold.kind == kind])
    ]


def replacing(placements: Sequence[Placement], settings: Settings) -> list[Placement]:
    """The folds that stand in place of their messages."""
    if settings.summary_replaces_history:
        return list(placements)
    return [placed for placed in placements if placed.fold.kind != "note"]


def added(placements: Sequence[Placement], settings: Settings) -> list[Injection]:
    """The notes that stand behind what they cover, where they are only to be added."""
    if settings.summary_replaces_history:
        return []
    return [
        Injection(fold.node, "note", fold.last, fold.body, fold.tokens)
        for placed in placements
        if (fold := placed.fold).kind == "note"
    ]


def _are_still_there(frame: Frame, folds: tuple[Fold, ...], kept: int) -> bool:
    if any(kept < placed.end for placed in frame.standing):
        return False
    anchors = {anchor for fold in folds for anchor in (fold.first, fold.last)}
    return all(message.digest not in anchors for message in frame.messages[kept:])
