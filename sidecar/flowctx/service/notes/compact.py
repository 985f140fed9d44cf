"""Compact: the host wants a smaller view now, so what can be folded folds at once."""

from concurrent.futures import Future
from dataclasses import dataclass

from flowctx.model import Placement
from flowctx.service.adopt import open_frame, open_row
from flowctx.service.context import Context
from flowctx.service.folding import fold_to_budget
from flowctx.service.frame import Frame
from flowctx.service.notes.commit import commit_pass
from flowctx.service.notes.placing import added, placed_folds, replacing
from flowctx.service.notes.survey import survey
from flowctx.service.planning import Planner
from flowctx.service.recall.blocks import CHECKPOINT
from flowctx.service.recall.checkpoint import checkpoint_text
from flowctx.service.state import SessionState
from flowctx.store.sessions import set_focus
from flowctx.tokens import estimate_tokens

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
    before = _sent(state) or surveyed.view_tokens(surveyed.placed(surveyed.current))
    target = min(target_tokens or int(before * _SHARE), int(before * _SHARE) or 1)
    is_changed = commit_pass(context, state, surveyed, "the host asked for a smaller view")
    with state.lock:
        if state.row is None or state.row.id != surveyed.row.id:
            return Compacted(before, before, 0)
        after, folded = _fold(context, state, target, is_changed=is_changed)
    context.wake(state)
    return Compacted(before, after, folded)


def _sent(state: SessionState) -> int:
    """Tokens of the last view, all blocks included; 0 where none was made since the start."""
    with state.lock:
        return state.frame.view_tokens if state.frame else 0


def _fold(
    context: Context, state: SessionState, target: int, *, is_changed: bool
) -> tuple[int, int]:
    """Digest what is over the target, the newest turns and standing notes excepted.

    Returns:
        Tokens that the next view will take, and how many messages folds stand for.
    """
    row, frame = open_row(context, state), open_frame(context, state)
    copy = Frame(list(frame.messages), list(frame.turn_starts), frame.gone)
    planner = Planner(context, state, row, copy, {}, Future())
    planner.deadline = 0.0
    placements, tokens = _view(planner)
    # A round renews the checkpoint, which takes its room, too.
    extra = _checkpoint_growth(planner)
    if tokens + extra * is_changed > target:
        notes = [placed for placed in placements if placed.fold.kind == "note"]
        fold_to_budget(planner, notes, max(target - extra, 1), 0)
        placements, tokens = _view(planner)
        is_changed = True
    folded = sum(placed.end - placed.start for placed in placements)
    return tokens + extra * is_changed, folded


def _view(planner: Planner) -> tuple[list[Placement], int]:
    """The folds that stand, and the tokens of the view with them."""
    settings = planner.context.settings
    standing = placed_folds(planner.frame, planner.state.folds, 0, settings)
    placements, planner.added = replacing(standing, settings), added(standing, settings)
    return placements, planner.plan(0, placements)[1].tokens


def _checkpoint_growth(planner: Planner) -> int:
    """Tokens by which a new checkpoint is longer than the one that stands."""
    state = planner.state
    window = state.notes.window_tokens or planner.context.settings.context_window_tokens
    old = sum(each.tokens for each in state.injections if each.kind == CHECKPOINT)
    return estimate_tokens(checkpoint_text(planner, window)) - old
