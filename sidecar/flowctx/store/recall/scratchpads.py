"""Working memory: one text per epoch of a session."""

import apsw


def scratchpad_of(connection: apsw.Connection, session_id: int) -> str:
    """The working memory of a session; empty where there is none."""
    row = connection.execute(
        "SELECT text FROM scratchpads WHERE session_id = ?", (session_id,)
    ).fetchone()
    return str(row[0]) if row else ""


def set_scratchpad(connection: apsw.Connection, session_id: int, text: str, now_ms: int) -> None:
    """Replace the working memory of a session."""
    connection.execute(
        "INSERT INTO scratchpads (session_id, text, changed_ms) VALUES (?1, ?2, ?3)"
        " ON CONFLICT (session_id) DO UPDATE SET text = ?2, changed_ms = ?3",
        (session_id, text, now_ms),
    )
