"""Assemble: the view of a session's messages for the next model call."""

import secrets
import time
from bisect import bisect_left
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from flowctx.errors import StoreError
from flowctx.message import ParsedMessage, parse_message
from flowctx.model import Op, Placement, Replace, View
from flowctx.reducers.marker import RETRIEVE_TOOL
from flowctx.service.adopt import Adopted, adopt_list, open_frame, open_row
from flowctx.service.ahead import reduce_listed, reduce_pending
from flowctx.service.context import Context
from flowctx.service.folding import fold_to_budget
from flowctx.service.frame import NO_BASE, Base, Frame
from flowctx.service.ledger import AssembleRecord, record_assemble, settings_print
from flowctx.service.notes.dump import dump_view
from flowctx.service.notes.placing import added, placed_folds, replacing
from flowctx.service.planning import Planner, replan_from
from flowctx.service.recall.blocks import CHECKPOINT
from flowctx.service.recall.checkpoint import checkpoint_text
from flowctx.service.recall.standing import Standing
from flowctx.service.state import SessionState
from flowctx.store.views import load_views
from flowctx.view.budget import choose_window_cut
from flowctx.view.change import first_change, shared_ops
from flowctx.view.pairing import pair_results
from flowctx.view.plan import Segment
from flowctx.view.protect import protect

# How long a digest waits for the rows it is made of.
_ROWS_SECONDS = 0.3
_SETTINGS_CHANGED = "settings changed"


@dataclass(frozen=True, slots=True)
class AssembleRequest:
    """One call of the host.

    Attributes:
        base: the list both sides know.
        bodies: messages from there on.
        token_budget: tokens the view may take; 0 when not told.
        view_token: of the view the caller still holds.
        tools: flowctx's own tools that the run may call.
        extend_only: only take the messages in.
        context_window: of the model that reads the view, tokens; 0 when not told.
    """

    bodies: Sequence[bytes] = ()
    base: Base = NO_BASE
    token_budget: int = 0
    view_token: bytes = b""
    tools: frozenset[str] = frozenset()
    extend_only: bool = False
    context_window: int = 0


@dataclass(frozen=True, slots=True)
class AssembleAnswer:
    """What the caller is told.

    Attributes:
        count, token: the list both sides know from now on.
        lead, gone: indices in ops count `gone` messages behind the first `lead` that
            are not in that list.
        kept_ops: so many ops of the view the caller holds stay; `ops` follow.
        round: why bytes that had been sent changed; empty if they did not.
    """

    count: int
    token: bytes
    lead: int = 0
    gone: int = 0
    kept_ops: int = 0
    ops: tuple[Op, ...] = ()
    view_token: bytes = b""
    estimated_tokens: int = 0
    round: str = ""
    reduced: int = 0
    pending: int = 0


def assemble(
    context: Context, state: SessionState, request: AssembleRequest
) -> AssembleAnswer | None:
    """Take the host's list in and plan its view.

    Returns:
        The view, or None when the base is not known: send all bodies.

    Raises:
        StoreError: the store cannot be used at all.
    """
    started = time.monotonic()
    with state.lock:
        state.refresh(context.database)
        frame = open_frame(context, state)
        located = frame.locate(request.base)
        if located is None:
            return None
        tail = [parse_message(body) for body in request.bodies]
        adopted = adopt_list(context, state, located, tail)
        frame = open_frame(context, state)
        if request.extend_only:
            reduce_listed(context, open_row(context, state), frame, adopted.kept)
            context.index.wake(context.settings)
            return AssembleAnswer(frame.count, frame.token, frame.lead, frame.gone)
        planned = _plan(context, state, request, adopted, tail)
        answer = _answer(frame, request, planned)
        _remember(context, state, planned, request, time.monotonic() - started)
        state.notes.note_view(request.context_window, request.token_budget)
        context.index.wake(context.settings)
    context.wake(state)
    return answer


@dataclass(frozen=True, slots=True)
class _Planned:
    view: View
    round: str
    shown: frozenset[bytes]
    pinned: int


def _plan(
    context: Context,
    state: SessionState,
    request: AssembleRequest,
    adopted: Adopted,
    tail: Sequence[ParsedMessage],
) -> _Planned:
    frame, row = open_frame(context, state), open_row(context, state)
    fresh = {parsed.message.digest: parsed for parsed in tail}
    with_tool = RETRIEVE_TOOL in request.tools
    planner = Planner(context, state, row, frame, fresh, adopted.stored, with_tool=with_tool)
    start, reason = _where_to_begin(context, planner, adopted)
    old_ops, settled = frame.ops, min(frame.settled, adopted.kept)
    is_resumed = not frame.view_token and row.settings_print != ""
    standing = Standing(context, state, row)
    standing.ride(frame)
    placements, change = _take_folds(planner, adopted.kept)
    if change and not reason and not is_resumed:
        # What the rewritten view lets change anyway changes in this round.
        start, reason, planner.held = 0, change, frozenset()
        standing.move_to_head()
    at_least = _folded_at_least(frame, placements)
    segments, view = planner.plan(start, placements)
    if is_resumed:
        # What the store makes of the messages it knew is the view that was sent.
        old_ops, settled = view.ops, _settled(context, frame, adopted.kept)
    budget = request.token_budget or context.settings.context_window_tokens
    if at_least or view.tokens > budget:
        with suppress(TimeoutError, StoreError):
            adopted.stored.result(_ROWS_SECONDS)
        standing.move_to_head({CHECKPOINT: checkpoint_text(planner, budget)})
        placements, segments, view = _fit(planner, placements, budget, at_least)
        reason = reason or ("the host's window moved" if at_least else "over budget")
    if not standing.is_whole(view):
        standing.move_to_head()
        segments, view = planner.plan(0, placements)
        reason = reason or "pins"
    before = shared_ops(old_ops, view.ops)
    changed = first_change(old_ops, view.ops, settled)
    if is_resumed and reason == _SETTINGS_CHANGED:
        changed = 0
    frame.segments, frame.placements, frame.with_tool = segments, placements, with_tool
    frame.view_tokens = view.tokens
    frame.settled = _settled(context, frame, len(frame.messages))
    reduce_pending(context, row, frame)
    told = (reason or "late results") if changed < settled else ""
    return _Planned(view, told, _shown(frame, view.ops[before:]), len(standing.pins))


def _take_folds(planner: Planner, kept: int) -> tuple[list[Placement], str]:
    """The folds that stand in place of messages, and what it is called if any came or went."""
    frame, folds, settings = planner.frame, planner.state.folds, planner.context.settings
    placed = placed_folds(frame, folds, kept, settings)
    has_notes = any(each.fold.kind == "note" for each in (*placed, *frame.standing))
    change = "" if placed == frame.standing else "notes" if has_notes else "folded"
    frame.standing, frame.folds = placed, folds
    planner.added = added(placed, settings)
    return replacing(placed, settings), change


def _where_to_begin(context: Context, planner: Planner, adopted: Adopted) -> tuple[int, str]:
    """The first message to plan anew, and the reason if it lies in what was settled."""
    frame, row = planner.frame, planner.row
    if row.settings_print not in ("", settings_print(context.settings)):
        return 0, _SETTINGS_CHANGED
    if frame.with_tool != planner.with_tool:
        return 0, "other tools"
    if frame.pending:
        if _all_ready(context, row.id, frame.pending):
            return 0, "caught up"
        planner.held = frame.pending
    reason = "the host changed its history" if adopted.kept < frame.settled else ""
    return replan_from(frame, adopted.kept, frame.settled), reason


def _all_ready(context: Context, session_id: int, digests: frozenset[bytes]) -> bool:
    found = context.database.read(lambda connection: load_views(connection, session_id, digests))
    return len(found) == len(digests)


def _folded_at_least(frame: Frame, placements: Sequence[Placement]) -> int:
    """Up to where must be folded, because the host no longer hands it over; 0 for nowhere."""
    covered = frame.lead
    for placed in placements:
        if placed.start <= covered:
            covered = max(covered, placed.end)
    if frame.at_hand <= covered:
        return 0
    return choose_window_cut(frame.messages, pair_results(frame.messages), frame.at_hand)


def _fit(
    planner: Planner, standing: Sequence[Placement], budget: int, at_least: int
) -> tuple[list[Placement], list[Segment], View]:
    """Fold until the view fits; what would be verbatim is reduced before it is folded."""
    planner.releases = True
    notes = [placed for placed in standing if placed.fold.kind == "note"]
    fold_to_budget(planner, notes, budget, at_least)
    placements, _ = _take_folds(planner, 0)
    segments, view = planner.plan(0, placements)
    reach = max((placed.end for placed in placements), default=0)
    if planner.protects and (view.tokens > budget or reach > planner.protection().tail_start):
        planner.protects = False
        return _fit(planner, notes, budget, at_least)
    return placements, segments, view


def _settled(context: Context, frame: Frame, end: int) -> int:
    """Up to where a list of the first `end` messages changes in rounds only."""
    starts = frame.turn_starts[: bisect_left(frame.turn_starts, end)]
    protection = protect(frame.messages[:end], starts, context.settings)
    return min(protection.tail_start, protection.reads_start)


def _shown(frame: Frame, ops: Sequence[Op]) -> frozenset[bytes]:
    return frozenset(frame.messages[op.index].digest for op in ops if isinstance(op, Replace))


def _answer(frame: Frame, request: AssembleRequest, planned: _Planned) -> AssembleAnswer:
    view = planned.view
    holds_last = bool(frame.view_token) and request.view_token == frame.view_token
    kept = shared_ops(frame.ops, view.ops) if holds_last else 0
    if view.ops != frame.ops or not frame.view_token:
        frame.view_token = secrets.token_bytes(8)
    frame.ops = view.ops
    return AssembleAnswer(
        count=frame.count,
        token=frame.token,
        lead=frame.lead,
        gone=frame.gone,
        kept_ops=kept,
        ops=view.ops[kept:],
        view_token=frame.view_token,
        estimated_tokens=view.tokens,
        round=planned.round,
        reduced=view.reduced,
        pending=view.pending,
    )


def _remember(
    context: Context,
    state: SessionState,
    planned: _Planned,
    request: AssembleRequest,
    seconds: float,
) -> None:
    frame = open_frame(context, state)
    record = AssembleRecord(
        messages=frame.count,
        raw_tokens=frame.raw_tokens,
        view_tokens=planned.view.tokens,
        budget=request.token_budget,
        reduced=planned.view.reduced,
        pending=planned.view.pending,
        folded=sum(placed.end - placed.start for placed in frame.placements),
        pinned=planned.pinned,
        round=planned.round,
        seconds=round(seconds, 4),
    )
    record_assemble(context, state, record, planned.shown)
    dump_view(context, state.ref, planned.view.ops, planned.view.tokens)
