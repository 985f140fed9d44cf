"""What is stored, sent and used, as one document."""

from dataclasses import asdict
from typing import Any

from flowctx.store.connection import Connection
from flowctx.store.damage import files_set_aside
from flowctx.store.ledger import last_events
from flowctx.store.reader import Readable
from flowctx.store.savings import daily_savings, sum_savings
from flowctx.store.sessions import SessionRow, list_sessions

Document = dict[str, Any]


def collect_stats(database: Readable, key: str = "") -> Document:
    """Figures of all sessions, or of those with a key.

    Raises:
        StoreError: the store cannot be read.
    """
    return database.read(lambda connection: _collect(connection, key)) | {
        "store": {
            "path": str(database.path),
            "set_aside_as": ", ".join(map(str, files_set_aside(database.path))),
            **asdict(database.status),
        }
    }


def _collect(connection: Connection, key: str) -> Document:
    sessions = [describe_session(connection, row) for row in list_sessions(connection, key)]
    raw = sum(session["raw_tokens"] for session in sessions)
    sent = sum(session["view_tokens"] for session in sessions)
    return {
        "days": daily_savings(connection),
        "sessions": sessions,
        "totals": {
            "sessions": len(sessions),
            "messages": sum(session["messages"] for session in sessions),
            "originals": _count(connection, "originals"),
            "reduced_results": sum(session["reduced_results"] for session in sessions),
            "stored_bytes": _file_bytes(connection),
            "raw_tokens": raw,
            "view_tokens": sent,
            "saved_tokens": raw - sent,
            "savings": sum_savings(connection),
        },
    }


def describe_session(connection: Connection, row: SessionRow) -> Document:
    """One epoch of a session: who, when, how much, and the last view."""
    views = last_events(connection, row.id, "assemble", 1)
    outcomes = last_events(connection, row.id, "outcome", 1)
    return {
        "key": row.ref.key,
        "agent": row.ref.agent,
        "kind": row.ref.kind.value,
        "person": row.ref.person,
        "epoch": row.epoch,
        "started_ms": row.started_ms,
        "seen_ms": row.seen_ms,
        "ended_ms": row.ended_ms,
        "messages": _count(connection, "messages", row.id),
        "reduced_results": int(
            connection.execute(
                "SELECT count(*) FROM views WHERE session_id = ? AND state = 'reduced'"
                " AND first_shown_ms IS NOT NULL",
                (row.id,),
            ).get
        ),
        "assembles": row.assembles,
        "raw_tokens": row.raw_tokens,
        "view_tokens": row.view_tokens,
        "savings": sum_savings(connection, row.id),
        "last_view": views[0] if views else None,
        "last_outcome": outcomes[0] if outcomes else None,
    }


def _count(connection: Connection, table: str, session_id: int | None = None) -> int:
    if session_id is None:
        return int(connection.execute(f"SELECT count(*) FROM {table}").get)
    query = f"SELECT count(*) FROM {table} WHERE session_id = ?"
    return int(connection.execute(query, (session_id,)).get)


def _file_bytes(connection: Connection) -> int:
    pages, size = connection.pragma("page_count"), connection.pragma("page_size")
    return int(pages) * int(size)
