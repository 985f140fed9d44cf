"""Assemble: the view of a session's messages for the next model call."""

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass

from flowctx.message import ParsedMessage, parse_message
from flowctx.service.adopt import Adopted, adopt_list, open_frame, open_row
from flowctx.service.ahead import reduce_listed, reduce_pending
from flowctx.service.context import Context
from flowctx.service.exchange import AssembleAnswer, AssembleRequest
from flowctx.service.frame import Frame
from flowctx.service.ledger import AssembleRecord, record_assemble
from flowctx.service.notes.dump import dump_view
from flowctx.service.savings import record_turn
from flowctx.service.shaping import Shaped, shape_view
from flowctx.service.sliding.capture import capture_newest
from flowctx.service.state import SessionState
from flowctx.view.change import shared_ops


def assemble(
    context: Context, state: SessionState, request: AssembleRequest
) -> AssembleAnswer | None:
    """Take the host's list in and plan its view.

    Returns:
        The view, or None when the base is not known: send all bodies.

    Raises:
        StoreUnavailableError: the caller's last view is better than what could be made now.
        StoreError: the store cannot be used at all.
    """
    started = time.monotonic()
    with state.lock:
        state.refresh(context.database)
        if _holds_better(context, state, request):
            context.database.status.require_file()
        with context.database.together():
            taken = _take_in(context, state, request)
            if taken is None:
                return None
            if request.extend_only:
                frame = open_frame(context, state)
                answer = AssembleAnswer(frame.count, frame.token, frame.lead, frame.gone)
            else:
                answer = _show(context, state, request, taken, started)
        _go_on_behind(context, state, request, taken)
    if not request.extend_only:
        context.wake(state)
    return answer


def _holds_better(context: Context, state: SessionState, request: AssembleRequest) -> bool:
    """True where the caller's last view knows what a stand-in for the store does not."""
    if not context.database.is_stand_in or request.extend_only or not request.view_token:
        return False
    return state.frame is None or state.frame.view_token != request.view_token


@dataclass(frozen=True, slots=True)
class _Taken:
    adopted: Adopted
    tail: Sequence[ParsedMessage]


def _take_in(context: Context, state: SessionState, request: AssembleRequest) -> _Taken | None:
    located = open_frame(context, state).locate(request.base)
    if located is None:
        return None
    tail = [parse_message(body) for body in request.bodies]
    return _Taken(adopt_list(context, state, located, tail), tail)


def _show(
    context: Context,
    state: SessionState,
    request: AssembleRequest,
    taken: _Taken,
    started: float,
) -> AssembleAnswer:
    frame, row, tail = open_frame(context, state), open_row(context, state), taken.tail
    new = len(frame.messages) - taken.adopted.kept
    record_turn(context, row, frame, tail[max(len(tail) - new, 0) :])
    shaped = shape_view(context, state, request, taken.adopted, tail)
    answer = _answer(frame, request, shaped)
    _remember(context, state, shaped, request, time.monotonic() - started)
    state.notes.note_view(request.context_window, request.token_budget)
    return answer


def _go_on_behind(
    context: Context, state: SessionState, request: AssembleRequest, taken: _Taken
) -> None:
    """Begin what nobody waits for; what it needs of the request is on its way to the store."""
    frame, row = open_frame(context, state), open_row(context, state)
    if request.extend_only:
        reduce_listed(context, row, frame, taken.adopted.kept)
    else:
        reduce_pending(context, row, frame)
        if taken.tail:
            # Another message follows, so the newest turn at hand is complete.
            capture_newest(context, state, row, taken.tail[-1].message.digest)
    context.index.wake(context.settings)


def _answer(frame: Frame, request: AssembleRequest, shaped: Shaped) -> AssembleAnswer:
    view = shaped.view
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
        round=shaped.round,
        reduced=view.reduced,
        pending=view.pending,
    )


def _remember(
    context: Context,
    state: SessionState,
    shaped: Shaped,
    request: AssembleRequest,
    seconds: float,
) -> None:
    frame = open_frame(context, state)
    frame.sent_tokens = shaped.view.tokens, frame.raw_tokens
    record = AssembleRecord(
        messages=frame.count,
        raw_tokens=frame.raw_tokens,
        view_tokens=shaped.view.tokens,
        budget=request.token_budget,
        reduced=shaped.view.reduced,
        pending=shaped.view.pending,
        folded=sum(placed.end - placed.start for placed in frame.placements),
        pinned=shaped.pinned,
        round=shaped.round,
        seconds=round(seconds, 4),
        folded_tokens=sum(placed.fold.tokens for placed in frame.placements),
        reduced_tokens=sum(segment.reduced_tokens for segment in frame.segments),
    )
    record_assemble(context, state, record, shaped.shown)
    dump_view(context, state.ref, shaped.view.ops, shaped.view.tokens)
