"""Folds: engine-made messages that stand for a run of messages."""

import apsw

from flowctx.model import Fold


def ensure_fold(connection: apsw.Connection, session_id: int, fold: Fold, now_ms: int) -> None:
    """Store a fold; the same node is stored once, and stands again if it was taken out."""
    connection.execute(
        "INSERT INTO notes"
        " (node, session_id, kind, first, last, count, body, tokens, created_ms)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (node) DO UPDATE SET superseded_ms = NULL",
        (
            fold.node,
            session_id,
            fold.kind,
            fold.first,
            fold.last,
            fold.count,
            fold.body,
            fold.tokens,
            now_ms,
        ),
    )


def supersede_folds(
    connection: apsw.Connection, session_id: int, kept: list[str], now_ms: int
) -> None:
    """Take all folds of a session out of its view but the named ones; rows stay."""
    marks = ", ".join("?" for _ in kept)
    connection.execute(
        "UPDATE notes SET superseded_ms = ? WHERE session_id = ? AND superseded_ms IS NULL"
        f" AND node NOT IN ({marks})",
        (now_ms, session_id, *kept),
    )


def current_folds(connection: apsw.Connection, session_id: int) -> list[Fold]:
    """The folds that stand in a session's view, oldest first."""
    rows = connection.execute(
        "SELECT node, kind, first, last, count, body, tokens FROM notes"
        " WHERE session_id = ? AND superseded_ms IS NULL ORDER BY rowid",
        (session_id,),
    )
    return [Fold(*row) for row in rows]
