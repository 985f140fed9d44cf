"""Injections: engine-made messages that keep their place in a session's view."""

import apsw

from flowctx.model import Injection


def ensure_injection(
    connection: apsw.Connection, session_id: int, injection: Injection, now_ms: int
) -> None:
    """Store an injection; the same node is stored once."""
    connection.execute(
        "INSERT OR IGNORE INTO injections"
        " (node, session_id, kind, after, body, tokens, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            injection.node,
            session_id,
            injection.kind,
            injection.after,
            injection.body,
            injection.tokens,
            now_ms,
        ),
    )


def remove_injections(connection: apsw.Connection, session_id: int, kind: str, now_ms: int) -> None:
    """Take all injections of a kind out of a session's view; rows stay."""
    connection.execute(
        "UPDATE injections SET removed_ms = ? WHERE session_id = ? AND kind = ?"
        " AND removed_ms IS NULL",
        (now_ms, session_id, kind),
    )


def current_injections(connection: apsw.Connection, session_id: int) -> list[Injection]:
    """The injections that stand in a session's view, oldest first."""
    rows = connection.execute(
        "SELECT node, kind, after, body, tokens FROM injections"
        " WHERE session_id = ? AND removed_ms IS NULL ORDER BY rowid",
        (session_id,),
    )
    return [Injection(*row) for row in rows]


def remove_injection(connection: apsw.Connection, node: str, now_ms: int) -> None:
    """Take one injection out of its session's view; the row stays."""
    connection.execute("UPDATE injections SET removed_ms = ? WHERE node = ?", (now_ms, node))
