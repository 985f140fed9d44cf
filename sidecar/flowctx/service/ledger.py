"""Remembering what was sent: the ledger, the continuity log, the gateway's log."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from flowctx.config import Settings
from flowctx.service.adopt import open_row
from flowctx.service.context import Context
from flowctx.service.state import SessionState
from flowctx.store.connection import Connection
from flowctx.store.ledger import add_event
from flowctx.store.sessions import SessionRow, add_sent, mark_seen
from flowctx.store.views import mark_shown

# Settings that decide how a result appears; a change of one is a round.
_VIEW_SETTINGS = (
    "projection",
    "projection_threshold",
    "fresh_tail_window",
    "projection_keep_recent_turns",
    "verbatim_read_turns",
)


@dataclass(frozen=True, slots=True)
class AssembleRecord:
    """One assembled view in figures; a row of the ledger.

    `pinned` counts the pins that were found in the view, word for word.
    """

    messages: int
    raw_tokens: int
    view_tokens: int
    budget: int
    reduced: int
    pending: int
    folded: int
    pinned: int
    round: str
    seconds: float


def settings_print(settings: Settings) -> str:
    """A fingerprint of the settings that decide how results appear."""
    values = [getattr(settings, name) for name in _VIEW_SETTINGS]
    return hashlib.sha256(repr(values).encode()).hexdigest()[:12]


def record_assemble(
    context: Context, state: SessionState, record: AssembleRecord, shown: frozenset[bytes]
) -> None:
    """Write one view to the ledger and the log, behind the reply."""
    row, now = open_row(context, state), context.now_ms()
    print_ = settings_print(context.settings)
    told = asdict(record)

    def write(connection: Connection) -> None:
        mark_shown(connection, row.id, shown, now)
        mark_seen(connection, row.id, now, print_)
        add_sent(connection, row.id, record.raw_tokens, record.view_tokens)
        add_event(connection, row.id, "assemble", told, now)

    written = context.database.write(write)
    written.add_done_callback(lambda _: append_line(context, row, "assemble", told, now))
    if state.row is not None and state.row.settings_print != print_:
        state.row = replace(state.row, settings_print=print_)
    _tell(context, row.ref.key, record, len(shown))


def append_line(
    context: Context, row: SessionRow, event: str, told: Mapping[str, Any], now: int
) -> None:
    """Append to the continuity log; a log that cannot be written costs nothing else."""
    if not context.settings.session_continuity:
        return
    who = {"agent": row.ref.agent, "session": row.ref.key, "epoch": row.epoch}
    try:
        context.continuity.append({"time_ms": now, **who, "event": event, **told})
    except OSError as error:
        context.notify("engine", f"{context.continuity.path.name} not written: {error}")


def _tell(context: Context, key: str, record: AssembleRecord, shown: int) -> None:
    figures = f"{record.raw_tokens:,} → {record.view_tokens:,} tokens, {record.messages} messages"
    if record.round:
        context.notify("trigger", f"round ({record.round}): {figures}; {key}")
    elif shown:
        context.notify("trigger", f"reduced {shown} results: {figures}; {key}")
    context.notify("engine", f"assembled {figures} in {record.seconds * 1000:.0f} ms; {key}")
