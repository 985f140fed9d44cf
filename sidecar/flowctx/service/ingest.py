"""Messages told ahead of their view: observed as the host writes them, or committed as a turn."""

from collections.abc import Sequence

from flowctx.errors import StoreError
from flowctx.message import ParsedMessage, parse_message
from flowctx.model import Call
from flowctx.service.adopt import open_row
from flowctx.service.ahead import reduce_ahead
from flowctx.service.context import Context
from flowctx.service.ledger import append_line
from flowctx.service.state import UNSTORED, SessionState
from flowctx.store.connection import Connection
from flowctx.store.ledger import add_event
from flowctx.store.messages import add_committed, add_observed, ensure_advancement, find_call

# Calls remembered per session, to know the command of a result that comes ahead.
_KEPT_CALLS = 64


def observe(context: Context, state: SessionState, body: bytes) -> None:
    """Take in a message the host has just written; reduces it behind, if it is due.

    Raises:
        StoreError: it could not be stored. The next view brings it again.
    """
    parsed = parse_message(body)
    with state.lock:
        state.refresh(context.database)
        row = open_row(context, state)
        keep_body = not context.database.is_stand_in

        def write(connection: Connection) -> None:
            add_observed(connection, row.id, parsed, keep_body=keep_body)

        written = context.database.write(write)
        call = _note_calls(context, state, parsed)
    if row.id == UNSTORED:
        return
    written.result()
    reduce_ahead(context, row, parsed, call)
    context.index.wake(context.settings)


def commit_turn(
    context: Context,
    state: SessionState,
    advancement: str,
    bodies: Sequence[bytes],
    *,
    is_heartbeat: bool = False,
) -> bool:
    """Take in the messages of an accepted turn, atomically, once per advancement key.

    Returns:
        False when the key had been committed before.

    Raises:
        StoreError: nothing was stored.
    """
    turn = [parse_message(body) for body in bodies]
    with state.lock:
        state.refresh(context.database)
        row, now = open_row(context, state), context.now_ms()
        if row.id == UNSTORED:
            message = "The session could not be stored."
            raise StoreError(message)
        keep_body = not context.database.is_stand_in
        told = {"messages": len(turn), "is_heartbeat": is_heartbeat}

        def write(connection: Connection) -> bool:
            if not ensure_advancement(connection, advancement, row.id, now):
                return False
            add_committed(connection, row.id, advancement, turn, keep_body=keep_body)
            add_event(connection, row.id, "commit", told, now)
            return True

        is_new = context.database.write(write).result()
        if is_new:
            append_line(context, row, "commit", told, now)
        calls = [_note_calls(context, state, parsed) for parsed in turn]
    for parsed, call in zip(turn, calls, strict=True):
        reduce_ahead(context, row, parsed, call)
    context.index.wake(context.settings)
    return is_new


def _note_calls(context: Context, state: SessionState, parsed: ParsedMessage) -> Call | None:
    """Remember the calls of an assistant message; find the call of a result."""
    message, recent = parsed.message, state.recent_calls
    for call in message.calls:
        recent[call.id] = call
        recent.move_to_end(call.id)
    while len(recent) > _KEPT_CALLS:
        recent.popitem(last=False)
    if not message.is_result:
        return None
    if message.answers in recent:
        return recent[message.answers]
    row = open_row(context, state)
    return context.database.read(lambda connection: find_call(connection, row.id, message.answers))
