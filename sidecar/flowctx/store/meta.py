"""Single values: what a shim last said of itself, and when."""

import apsw


def set_meta(connection: apsw.Connection, key: str, value: str) -> None:
    """Store a value under a key, over the old one."""
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, value),
    )


def load_meta(connection: apsw.Connection, key: str) -> str | None:
    """The value under a key, or None."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return row[0] if row else None
