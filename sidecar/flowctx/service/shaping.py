"""From a session's list to its view: what stands as it was sent, what changes, and why.

Bytes that were sent change in rounds only. A round has a reason, which is
told: notes that came, a turn edge where folding pays, a budget that is met no
more, a window that moved, settings.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from flowctx.errors import StoreError
from flowctx.message import ParsedMessage
from flowctx.model import Op, Placement, Replace, View
from flowctx.reducers.marker import RETRIEVE_TOOL
from flowctx.service.adopt import Adopted, open_frame, open_row
from flowctx.service.context import Context
from flowctx.service.edges.edge import Asked, edge_round
from flowctx.service.exchange import AssembleRequest
from flowctx.service.fitting import fit, folded_at_least, take_folds
from flowctx.service.frame import Frame
from flowctx.service.going_on import look_at_newest_turn
from flowctx.service.ledger import settings_print
from flowctx.service.planning import Planner, replan_from
from flowctx.service.recall.blocks import CHECKPOINT
from flowctx.service.recall.checkpoint import checkpoint_text
from flowctx.service.recall.standing import Standing
from flowctx.service.savings import calibrated_budget
from flowctx.service.sliding.inject import Coming, inject_cards
from flowctx.service.state import SessionState
from flowctx.store.notes import folds_changed_since
from flowctx.store.views import load_views
from flowctx.view.change import first_change, shared_ops
from flowctx.view.plan import Segment
from flowctx.view.protect import ALL_VERBATIM, Protection

# How long a digest waits for the rows it is made of.
_ROWS_SECONDS = 0.3
_SETTINGS_CHANGED = "settings changed"
_EMPTY = View((), 0)


@dataclass(frozen=True, slots=True)
class Shaped:
    """A view as it will be sent.

    Attributes:
        round: why bytes that had been sent change; empty when none does.
        shown: digests of the results that are shown reduced for the first time.
        pinned: how many pins stand in it.
    """

    view: View
    round: str
    shown: frozenset[bytes]
    pinned: int


def shape_view(
    context: Context,
    state: SessionState,
    request: AssembleRequest,
    adopted: Adopted,
    tail: Sequence[ParsedMessage],
) -> Shaped:
    """Plan the view of a session's list.

    Args:
        context: shared by all.
        state: of the session.
        request: what the caller asks.
        adopted: what of the list was known, and when its rows are written.
        tail: messages that came with the request.

    Raises:
        StoreError: the store cannot be read.
    """
    frame, row = open_frame(context, state), open_row(context, state)
    fresh = {parsed.message.digest: parsed for parsed in tail}
    with_tool = RETRIEVE_TOOL in request.tools
    planner = Planner(context, state, row, frame, fresh, adopted.stored, with_tool=with_tool)
    shaping = _Shaping(planner, Standing(context, state, row), request, adopted, tail)
    shaping.begin()
    shaping.fold_at_edge()
    shaping.fit_budget()
    shaping.show_what_must_stand()
    return shaping.finish()


@dataclass(slots=True)
class _Shaping:
    planner: Planner
    standing: Standing
    request: AssembleRequest
    adopted: Adopted
    tail: Sequence[ParsedMessage]
    placements: list[Placement] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    view: View = _EMPTY
    reason: str = ""
    # The view that was sent, and up to where it changes in rounds only.
    old_ops: tuple[Op, ...] = ()
    settled: int = 0
    is_resumed: bool = False
    # What was sent has changed while no frame was held, so that it cannot be compared.
    is_outdated: bool = False

    def begin(self) -> None:
        """Take over what stands, and plan what is new."""
        planner, frame, kept = self.planner, self.planner.frame, self.adopted.kept
        start, self.reason = _where_to_begin(planner, kept)
        planner.renewed = _renewed(frame, kept, is_round=start == 0 and bool(self.reason))
        self.old_ops, self.settled = frame.ops, min(frame.settled, kept)
        self.is_resumed = not frame.view_token and planner.row.settings_print != ""
        look_at_newest_turn(planner, self.request.prompt)
        self.standing.ride(frame)
        self.placements, change = take_folds(planner, kept)
        if change and not self.reason and not self.is_resumed:
            # What the rewritten view lets change anyway changes in this round.
            start, self.reason, planner.held = 0, change, frozenset()
            self._renew_blocks(self._budget())
        self._catch_up(change)
        self._inject_cards()
        self.segments, self.view = planner.plan(start, self.placements)
        if self.is_resumed:
            # What the store makes of the messages it knew is the view that was sent.
            self.old_ops = self.view.ops
            verbatim = frame.protect(planner.context.settings, kept)
            self.settled = min(verbatim.tail_start, verbatim.reads_start)
        frame.protection = Protection(self.settled, self.settled)

    def fold_at_edge(self) -> None:
        """Where a turn has ended, take the form that the next calls make worth its price."""
        request, planner = self.request, self.planner
        if self.view.pending:
            # What is not reduced yet is not what it will cost.
            return
        # The budget is what the window leaves, so it stands for one that was not told.
        asked = Asked(request.context_window or request.token_budget, request.model)
        why = edge_round(planner, self.segments, self.placements, asked)
        if why:
            self.placements, _ = take_folds(planner, 0)
            self.segments, self.view = planner.plan(0, self.placements)
            self.reason = self.reason or why

    def fit_budget(self) -> None:
        """Fold what does not fit, or is no longer handed over."""
        planner = self.planner
        at_least = folded_at_least(planner.frame, self.placements)
        budget = self._budget()
        if not at_least and self.view.tokens <= budget:
            return
        with suppress(TimeoutError, StoreError):
            self.adopted.stored.result(_ROWS_SECONDS)
        self._renew_blocks(budget)
        self.placements, self.segments, self.view = fit(planner, self.placements, budget, at_least)
        self.reason = self.reason or ("the host's window moved" if at_least else "over budget")

    def show_what_must_stand(self) -> None:
        """Bring back the blocks that folding took out of the view."""
        if self.standing.is_whole(self.view):
            return
        self.standing.move_to_head()
        self.segments, self.view = self.planner.plan(0, self.placements)
        self.reason = self.reason or "pins"

    def finish(self) -> Shaped:
        """Remember the view, and tell whether sent bytes change."""
        planner, frame, view = self.planner, self.planner.frame, self.view
        before = shared_ops(self.old_ops, view.ops)
        changed = first_change(self.old_ops, view.ops, self.settled)
        if self.is_outdated:
            changed = 0
        frame.segments, frame.placements = self.segments, self.placements
        frame.with_tool, frame.view_tokens = planner.with_tool, view.tokens
        frame.protection = frame.protect(planner.context.settings)
        told = (self.reason or "late results") if changed < self.settled else ""
        return Shaped(view, told, _shown(frame, view.ops[before:]), len(self.standing.pins))

    def _catch_up(self, change: str) -> None:
        """Tell of what came between the last view of a sidecar before and this one."""
        if not self.is_resumed:
            return
        self.is_outdated = self.reason == _SETTINGS_CHANGED
        if change and not self.reason and _folds_changed(self.planner):
            self.reason, self.is_outdated = change, True

    def _budget(self) -> int:
        context, request = self.planner.context, self.request
        return calibrated_budget(context, request.token_budget, request.model, self.tail)

    def _renew_blocks(self, budget: int) -> None:
        """In a round that folds: blocks at the head, and what was retrieved given back."""
        self.planner.releases = True
        self.standing.move_to_head({CHECKPOINT: checkpoint_text(self.planner, budget)})

    def _inject_cards(self) -> None:
        planner, request = self.planner, self.request
        budget = request.token_budget or planner.context.settings.context_window_tokens
        coming = Coming(request.prompt, self.tail, budget)
        inject_cards(planner.context, planner.state, planner.row, planner.frame, coming)


def _where_to_begin(planner: Planner, kept: int) -> tuple[int, str]:
    """The first message to plan anew, and the reason if it lies in what was settled."""
    frame, row, context = planner.frame, planner.row, planner.context
    if row.settings_print not in ("", settings_print(context.settings)):
        return 0, _SETTINGS_CHANGED
    if frame.with_tool != planner.with_tool:
        return 0, "other tools"
    if frame.pending:
        if _all_ready(context, row.id, frame.pending):
            return 0, "caught up"
        planner.held = frame.pending
    reason = "the host changed its history" if kept < frame.settled else ""
    return replan_from(frame, kept, frame.settled), reason


def _folds_changed(planner: Planner) -> bool:
    row = planner.row
    read = planner.context.database.read
    return read(lambda connection: folds_changed_since(connection, row.id, row.seen_ms))


def _all_ready(context: Context, session_id: int, digests: frozenset[bytes]) -> bool:
    found = context.database.read(lambda connection: load_views(connection, session_id, digests))
    return len(found) == len(digests)


def _renewed(frame: Frame, kept: int, *, is_round: bool) -> Protection:
    """From where on results may take another form than they had: all in a round."""
    last = frame.protection
    if is_round:
        return ALL_VERBATIM
    return Protection(min(last.tail_start, kept), min(last.reads_start, kept))


def _shown(frame: Frame, ops: Sequence[Op]) -> frozenset[bytes]:
    return frozenset(frame.messages[op.index].digest for op in ops if isinstance(op, Replace))
