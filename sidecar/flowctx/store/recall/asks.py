"""What users said, newest last."""

import apsw

from flowctx.store.blobs import load_blob


def user_bodies(connection: apsw.Connection, session_id: int, limit: int) -> list[bytes]:
    """Bodies of the newest user messages of an epoch, oldest first."""
    rows = connection.execute(
        "SELECT body FROM messages WHERE session_id = ? AND role = 'user' AND body IS NOT NULL"
        " ORDER BY id DESC LIMIT ?",
        (session_id, limit),
    ).fetchall()
    bodies = (load_blob(connection, blob) for (blob,) in reversed(rows))
    return [body for body in bodies if body is not None]
