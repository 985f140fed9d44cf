"""What the host tells besides messages: ends of sessions, and what became of a view."""

from dataclasses import asdict, dataclass

from flowctx.service.adopt import open_row
from flowctx.service.context import Context
from flowctx.service.ledger import append_line
from flowctx.service.sliding.unsent import note_outcome
from flowctx.service.state import UNSTORED, SessionState
from flowctx.store.connection import Connection
from flowctx.store.ledger import add_event
from flowctx.store.sessions import end_epoch

_ENDS = frozenset({"reset", "deleted"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one view.

    Attributes:
        used: the model got it.
        reason: why not; empty when it did.
        waited_ms: how long the host waited for it.
        told_ms: when that was, Unix milliseconds.
    """

    used: bool
    reason: str
    waited_ms: int
    told_ms: int


def record_event(context: Context, state: SessionState, kind: str) -> None:
    """Note an event of the host; a reset or deletion ends the session's epoch.

    Raises:
        StoreError: it could not be stored.
    """
    with state.lock:
        state.refresh(context.database)
        row, now = open_row(context, state), context.now_ms()
        if row.id == UNSTORED:
            return

        def write(connection: Connection) -> None:
            add_event(connection, row.id, kind, {}, now)
            if kind in _ENDS:
                end_epoch(connection, row.id, now)

        context.database.write(write).result()
        append_line(context, row, kind, {}, now)
        if kind in _ENDS:
            state.forget()
    # A note that is being written for it is no longer wanted.
    context.wake(state)


def record_outcome(context: Context, state: SessionState, outcome: Outcome) -> None:
    """Note what became of a view.

    Raises:
        StoreError: it could not be stored.
    """
    with state.lock:
        state.refresh(context.database)
        row = open_row(context, state)
        note_outcome(context, state, used=outcome.used)
    if row.id == UNSTORED:
        return
    now = context.now_ms()
    context.database.write(
        lambda connection: add_event(connection, row.id, "outcome", asdict(outcome), now)
    ).result()
