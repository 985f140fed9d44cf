"""Compact: the host wants a smaller view now, so what can be folded folds at once."""

from concurrent.futures import Future
from dataclasses import dataclass

from flowctx.service.adopt import open_frame, open_row
from flowctx.service.context import Context
from flowctx.service.folding import fold_to_budget
from flowctx.service.frame import Frame
from flowctx.service.notes.commit import commit_pass
from flowctx.service.notes.placing import placed_folds, replacing
from flowctx.service.notes.survey import Survey, survey
from flowctx.service.planning import Planner
from flowctx.service.state import SessionState
from flowctx.store.sessions import set_focus

# Where the host names no target: about what is left by a fold for the budget.
_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Compacted:
    """What a compaction came to: estimates of the view before and after, and folded messages."""

    tokens_before: int
    tokens_after: int
    folded: int


def compact(
    context: Context, state: SessionState, target_tokens: int, instructions: str
) -> Compacted:
    """Fold a session's view down to a target, with the notes at hand and digests for the rest.

    Args:
        context: of the sidecar.
        state: of the session.
        target_tokens: 0 where the host names none.
        instructions: what the user wants notes to attend to; empty for no change.

    Raises:
        StoreError: the store cannot be used.
    """
    surveyed = survey(context, state)
    if surveyed is None:
        return Compacted(0, 0, 0)
    if instructions:
        row_id = surveyed.row.id
        context.database.write(lambda c: set_focus(c, row_id, instructions)).result()
    before = surveyed.view_tokens(surveyed.placed(surveyed.current))
    target = min(target_tokens or int(before * _SHARE), int(before * _SHARE) or 1)
    commit_pass(context, state, surveyed, "the host asked for a smaller view")
    with state.lock:
        if state.row is None or state.row.id != surveyed.row.id:
            return Compacted(before, before, 0)
        _fold(context, state, target)
    after = survey(context, state)
    assert after is not None
    context.wake(state)
    return Compacted(before, after.view_tokens(after.placed(after.current)), _folded(after))


def _fold(context: Context, state: SessionState, target: int) -> None:
    """Digest what is over the target, the newest turns and standing notes excepted."""
    row, frame = open_row(context, state), open_frame(context, state)
    copy = Frame(messages=list(frame.messages), turn_starts=list(frame.turn_starts))
    planner = Planner(context, state, row, copy, {}, Future())
    planner.deadline = 0.0
    standing = placed_folds(copy, state.folds, 0, context.settings)
    placements = replacing(standing, context.settings)
    _, view = planner.plan(0, placements)
    if view.tokens > target:
        notes = [placed for placed in placements if placed.fold.kind == "note"]
        fold_to_budget(planner, notes, target, 0)


def _folded(surveyed: Survey) -> int:
    spots = [surveyed.spots[node] for node in surveyed.current]
    return len({at for spot in spots for at in range(spot.start, spot.end)})
