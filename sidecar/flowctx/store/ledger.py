"""What happened, row by row: assembled views, rounds, and whether they were used."""

from typing import Any

import apsw
import orjson

# The event of an epoch that was brought in from the host's own store.
IMPORT = "import"

# Rows kept per session and event; sums live with the session.
KEPT_ROWS = 1_000


def add_event(
    connection: apsw.Connection, session_id: int, event: str, data: dict[str, Any], now_ms: int
) -> None:
    """Append one row."""
    connection.execute(
        "INSERT INTO ledger (session_id, time_ms, event, data) VALUES (?, ?, ?, ?)",
        (session_id, now_ms, event, orjson.dumps(data).decode()),
    )


def last_events(
    connection: apsw.Connection, session_id: int, event: str, limit: int
) -> list[dict[str, Any]]:
    """The newest rows of one kind, newest first, each with its `time_ms`."""
    rows = connection.execute(
        "SELECT time_ms, data FROM ledger WHERE session_id = ? AND event = ?"
        " ORDER BY id DESC LIMIT ?",
        (session_id, event, limit),
    )
    return [{"time_ms": time_ms, **orjson.loads(data)} for time_ms, data in rows]


def own_epochs(connection: apsw.Connection, agent: str, key: str) -> list[int]:
    """Epochs that are no news to their own session.

    Those that ended because somebody asked for a reset, and those that were
    imported, for the session may still hold what they hold.
    """
    rows = connection.execute(
        "SELECT DISTINCT s.id FROM sessions s JOIN ledger l ON l.session_id = s.id"
        " WHERE s.agent = ? AND s.key = ? AND l.event IN ('reset', 'import')",
        (agent, key),
    )
    return [int(id_) for (id_,) in rows]


def newest_event(connection: apsw.Connection, event: str) -> dict[str, Any] | None:
    """The newest row of one kind in any session, with its `time_ms` and session `key`."""
    row: Any = connection.execute(
        "SELECT l.time_ms, s.key, l.data FROM ledger l JOIN sessions s ON s.id = l.session_id"
        " WHERE l.event = ? ORDER BY l.id DESC LIMIT 1",
        (event,),
    ).fetchone()
    return {"time_ms": row[0], "key": row[1], **orjson.loads(row[2])} if row else None


def prune_ledger(connection: apsw.Connection, session_id: int) -> None:
    """Drop the oldest rows beyond `KEPT_ROWS` per event."""
    events = connection.execute(
        "SELECT DISTINCT event FROM ledger WHERE session_id = ?", (session_id,)
    ).fetchall()
    for (event,) in events:
        connection.execute(
            "DELETE FROM ledger WHERE session_id = ?1 AND event = ?2 AND id <= ("
            " SELECT id FROM ledger WHERE session_id = ?1 AND event = ?2"
            " ORDER BY id DESC LIMIT 1 OFFSET ?3)",
            (session_id, event, KEPT_ROWS),
        )
