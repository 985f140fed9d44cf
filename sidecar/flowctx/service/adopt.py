"""Taking messages in, whichever way they come, and finding the epoch they belong to."""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace

from flowctx.errors import StoreError
from flowctx.identity import SessionRef
from flowctx.message import ParsedMessage
from flowctx.model import Message
from flowctx.service.context import Context
from flowctx.service.frame import Frame
from flowctx.service.state import UNSTORED, SessionState
from flowctx.store.connection import Connection
from flowctx.store.injections import current_injections
from flowctx.store.messages import Kept, pending_digests, sync_visible, visible_messages
from flowctx.store.notes import current_folds
from flowctx.store.redundant import current_stand_ins, verbatim_of
from flowctx.store.sessions import (
    SessionRow,
    begin_epoch,
    current_session,
    ensure_session,
    gone_of,
    note_gone,
)
from flowctx.view.change import shared_runs
from flowctx.view.protect import Protection


@dataclass(frozen=True, slots=True)
class Adopted:
    """What came of handing a list over.

    Attributes:
        kept: how many messages of the former list stand unchanged.
        stored: done when the rows are written.
        is_new_epoch: nothing of what was known is left: the session was reset.
    """

    kept: int
    stored: Future[None]
    is_new_epoch: bool


def open_row(context: Context, state: SessionState) -> SessionRow:
    """The session's row; begins its first epoch where there is none.

    Raises:
        StoreError: the store cannot be used.
    """
    walled = state.is_sandboxed
    if state.row is None or (walled and not state.row.ref.is_sandboxed):
        ref, now = replace(state.ref, is_sandboxed=walled), context.now_ms()
        found = context.database.read(lambda connection: current_session(connection, ref))
        is_told = found is not None and (found.ref.is_sandboxed or not walled)
        if found is not None and is_told and found.ended_ms is None:
            state.row = found
        else:
            written = context.database.write(
                lambda connection: ensure_session(connection, ref, now)
            )
            state.row = _result_or(written, _unstored(ref, now))
        state.ref = state.row.ref
    return state.row


def open_frame(context: Context, state: SessionState) -> Frame:
    """The session's frame, rebuilt from the store where memory has none.

    Raises:
        StoreError: the store cannot be used.
    """
    if state.frame is None:
        row = open_row(context, state)
        messages, state.folds, state.injections, gone, verbatim, stand_ins = context.database.read(
            lambda connection: (
                visible_messages(connection, row.id),
                tuple(current_folds(connection, row.id)),
                current_injections(connection, row.id),
                gone_of(connection, row.id),
                verbatim_of(connection, row.id),
                current_stand_ins(connection, row.id),
            )
        )
        state.frame = Frame(protection=Protection(*verbatim), stand_ins=stand_ins)
        state.frame.replace_tail(0, messages)
        state.frame.hand_over(gone)
    return state.frame


def adopt_list(
    context: Context, state: SessionState, located: tuple[int, int], tail: Sequence[ParsedMessage]
) -> Adopted:
    """Make `tail`, behind what stands of the former list, the session's list.

    Args:
        context: of the sidecar.
        state: of the session.
        located: messages that stand, and how many are gone then; see `Frame.locate`.
        tail: messages behind them.

    Raises:
        StoreError: the store cannot be used.
    """
    is_new_epoch = located[0] == 0 and _nothing_is_left(context, state, tail)
    if is_new_epoch:
        _begin_epoch(context, state)
        located = (0, 0)
    frame = open_frame(context, state)
    kept, gone, fresh = _align(frame, located, tail)
    last = frame.messages[kept - 1].digest if kept else b""
    stands = Kept(kept, last, len(frame.messages) - kept)
    frame.replace_tail(kept, [parsed.message for parsed in fresh])
    frame.hand_over(gone)
    return Adopted(kept, _store_rows(context, state, stands, fresh), is_new_epoch)


def _align(
    frame: Frame, located: tuple[int, int], tail: Sequence[ParsedMessage]
) -> tuple[int, int, Sequence[ParsedMessage]]:
    """Find how a list goes on in what is known: messages that stand, gone ones, new ones."""
    kept, gone = located
    shared = _shared(frame.messages[kept:], tail)
    stands, rest = kept + shared, tail[shared:]
    if not rest or stands != frame.lead:
        return stands, gone, rest
    start, run = _find_window(frame, rest)
    if run == 0:
        return stands, gone, rest
    return start + run, start - frame.lead, rest[run:]


def _find_window(frame: Frame, rest: Sequence[ParsedMessage]) -> tuple[int, int]:
    """Where a list whose oldest messages went goes on, and for how long; (0, 0) if nowhere."""
    known = [message.digest for message in frame.messages[frame.lead :]]
    runs = shared_runs(known, [parsed.message.digest for parsed in rest])
    best = (0, 0)
    for start, run in enumerate(runs):
        # Most of what is known must go on, or it is another list with an equal message.
        if run > best[1] and 2 * run >= min(len(known) - start, len(rest)):
            best = (frame.lead + start, run)
    return best


def _store_rows(
    context: Context, state: SessionState, kept: Kept, tail: Sequence[ParsedMessage]
) -> Future[None]:
    row, gone = open_row(context, state), open_frame(context, state).gone
    keep_body = not context.database.is_stand_in

    def sync(connection: Connection) -> None:
        sync_visible(connection, row.id, kept, tail, keep_body=keep_body)
        note_gone(connection, row.id, gone)

    stored = context.database.write(sync)

    def check(done: Future[None]) -> None:
        # Rows that are missing leave the store behind the frame.
        if done.exception():
            state.is_stale = True

    stored.add_done_callback(check)
    return stored


def _nothing_is_left(context: Context, state: SessionState, tail: Sequence[ParsedMessage]) -> bool:
    frame, row = open_frame(context, state), open_row(context, state)
    known = {message.digest for message in frame.messages}
    if any(parsed.message.digest in known for parsed in tail):
        return False
    told = context.database.read(lambda connection: pending_digests(connection, row.id))
    known.update(told)
    return bool(known) and not any(parsed.message.digest in known for parsed in tail)


def _begin_epoch(context: Context, state: SessionState) -> None:
    row, now = open_row(context, state), context.now_ms()
    begun = context.database.write(lambda connection: begin_epoch(connection, row, now))
    state.forget()
    # What cannot be written must still not mix two epochs in memory.
    state.row = _result_or(begun, _unstored(row.ref, now))
    if state.row.id == UNSTORED:
        state.frame = Frame()


def _result_or(written: Future[SessionRow], otherwise: SessionRow) -> SessionRow:
    try:
        return written.result()
    except StoreError:
        return otherwise


def _unstored(ref: SessionRef, now_ms: int) -> SessionRow:
    """Stands in for the row of a session that could not be stored."""
    return SessionRow(UNSTORED, ref, 0, now_ms, now_ms, None, "", 0, 0, 0)


def _shared(known: Sequence[Message], tail: Sequence[ParsedMessage]) -> int:
    """How many of the messages handed over are the known ones, from the start."""
    count = 0
    for message, parsed in zip(known, tail, strict=False):
        if message.digest != parsed.message.digest:
            break
        count += 1
    return count
