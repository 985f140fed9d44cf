"""Making a view fit: which folds stand, and folding until the budget is met."""

from collections.abc import Sequence

from flowctx.model import Placement, View
from flowctx.service.folding import fold_to_budget
from flowctx.service.frame import Frame
from flowctx.service.notes.placing import added, placed_folds, replacing
from flowctx.service.planning import Planner
from flowctx.view.budget import choose_window_cut
from flowctx.view.pairing import pair_results
from flowctx.view.plan import Segment
from flowctx.view.protect import ALL_VERBATIM

# A round that does not fold must leave this much room, or the next turn needs another.
_ROOMY = 0.75

Fitted = tuple[list[Placement], list[Segment], View]


def take_folds(planner: Planner, kept: int) -> tuple[list[Placement], str]:
    """The folds that stand in place of messages, and what it is called if any came or went."""
    frame, folds, settings = planner.frame, planner.state.folds, planner.context.settings
    placed = placed_folds(frame, folds, kept, settings)
    has_notes = any(each.fold.kind == "note" for each in (*placed, *frame.standing))
    change = "" if placed == frame.standing else "notes" if has_notes else "folded"
    frame.standing, frame.folds = placed, folds
    planner.added = added(placed, settings)
    return replacing(placed, settings), change


def folded_at_least(frame: Frame, placements: Sequence[Placement]) -> int:
    """Up to where must be folded, because the host no longer hands it over; 0 for nowhere."""
    covered = frame.lead
    for placed in placements:
        if placed.start <= covered:
            covered = max(covered, placed.end)
    if frame.at_hand <= covered:
        return 0
    return choose_window_cut(frame.messages, pair_results(frame.messages), frame.at_hand)


def fit(planner: Planner, placements: list[Placement], budget: int, at_least: int) -> Fitted:
    """Fit the budget in a round: by leaving out what others stand for, or by folding.

    Args:
        planner: of the view.
        placements: of the folds that stand.
        budget: tokens the view may take.
        at_least: everything before this message is folded in any case.

    Raises:
        StoreError: the store cannot be read.
    """
    planner.renewed = ALL_VERBATIM
    if not at_least:
        segments, view = planner.plan(0, placements)
        if view.tokens <= _ROOMY * budget:
            return placements, segments, view
    return _fold(planner, placements, budget, at_least)


def _fold(planner: Planner, standing: Sequence[Placement], budget: int, at_least: int) -> Fitted:
    """Fold until the view fits; what would be verbatim is reduced before it is folded."""
    planner.releases = True
    notes = [placed for placed in standing if placed.fold.kind == "note"]
    fold_to_budget(planner, notes, budget, at_least)
    placements, _ = take_folds(planner, 0)
    segments, view = planner.plan(0, placements)
    reach = max((placed.end for placed in placements), default=0)
    if planner.protects and (view.tokens > budget or reach > planner.protection().tail_start):
        planner.protects = False
        return _fold(planner, notes, budget, at_least)
    return placements, segments, view
