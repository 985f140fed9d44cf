"""A stored session over its turns, for reports."""

from typing import Any

from flowctx.errors import InvalidRequestError
from flowctx.service.outlook import look_at
from flowctx.store.connection import Connection
from flowctx.store.ledger import KEPT_ROWS, last_events
from flowctx.store.reader import Readable
from flowctx.store.savings import cache_hits, sum_savings
from flowctx.store.sessions import SessionRow, list_sessions

Document = dict[str, Any]


def session_history(database: Readable, key: str) -> Document:
    """The views, calls, notes and largest results of a session's newest epoch.

    Raises:
        InvalidRequestError: no session has this key.
        StoreError: the store cannot be read.
    """
    return database.read(lambda connection: _history(connection, key))


def require_session(database: Readable, key: str) -> None:
    """See that a session is stored.

    Raises:
        InvalidRequestError: no session has this key.
        StoreError: the store cannot be read.
    """
    database.read(lambda connection: _rows_of(connection, key))


def _rows_of(connection: Connection, key: str) -> list[SessionRow]:
    rows = list_sessions(connection, key) if key else []
    if not rows:
        message = f"No session {key!r} is stored."
        raise InvalidRequestError(message, hint="`flowctx sessions` lists them.")
    return rows


def _history(connection: Connection, key: str) -> Document:
    rows = _rows_of(connection, key)
    row = max(rows, key=lambda each: each.epoch)
    views = last_events(connection, row.id, "assemble", KEPT_ROWS)[::-1]
    count = connection.execute("SELECT count(*) FROM messages WHERE session_id = ?", (row.id,))
    return {
        "key": row.ref.key,
        "epoch": row.epoch,
        "messages": int(count.get),
        "views": views,
        "hits": cache_hits(connection, row.id),
        "savings": sum_savings(connection, row.id),
        **look_at(connection, row.id),
    }
