"""Reading the host's own session stores; never writing them.

OpenClaw keeps a session's transcript as events in `transcript_events`, in plain
or compressed form; `session_transcript_active_events` names those of the branch
that is in use.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import zstandard

from flowctx.errors import StoreError
from flowctx.store.connection import connect_reader, translated_errors

# The host stores no event larger than this.
_EVENT_MAX_BYTES = 4 << 20
_SESSIONS = (
    "SELECT w.session_id, w.session_key, row_number() OVER before - 1,"
    " count(*) OVER (PARTITION BY w.session_key) - row_number() OVER before"
    " FROM session_windows w"
    " WHERE EXISTS (SELECT 1 FROM transcript_events e WHERE e.session_id = w.session_id)"
    " WINDOW before AS (PARTITION BY w.session_key ORDER BY w.created_at, w.session_id)"
    " ORDER BY w.created_at, w.session_id"
)
_ACTIVE = (
    "SELECT e.event_json, e.event_zstd FROM session_transcript_active_events a"
    " JOIN transcript_events e ON e.session_id = a.session_id AND e.seq = a.event_seq"
    " WHERE a.session_id = ? ORDER BY a.active_position"
)
_ALL = "SELECT event_json, event_zstd FROM transcript_events WHERE session_id = ? ORDER BY seq"


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A window of a session that a store holds; its events are read when they are needed.

    Attributes:
        path: of the store.
        id: of the window in the store; `key` is the host's name for the session.
        older, newer: windows of the same session before and after it.
    """

    path: Path
    id: str
    key: str
    older: int = 0
    newer: int = 0


def list_sessions(path: Path) -> list[StoredSession]:
    """The windows of a store's sessions, oldest first.

    Raises:
        StoreError: the file cannot be read, or is no store of OpenClaw's.
    """
    with _opened(path) as connection:
        rows: list[Any] = connection.execute(_SESSIONS).fetchall()
    return [StoredSession(path, str(id_), str(key), *place) for id_, key, *place in rows]


def read_events(session: StoredSession) -> list[bytes]:
    """A session's events as JSON, oldest first.

    Raises:
        StoreError: the file cannot be read, or an event is damaged.
    """
    with _opened(session.path) as connection:
        has_branches = _has_table(connection, "session_transcript_active_events")
        return list(_events(connection, session.id, has_branches=has_branches))


@contextmanager
def _opened(path: Path) -> Iterator[apsw.Connection]:
    if not path.exists():
        message = f"There is no store at {path}."
        raise StoreError(message)
    with closing(connect_reader(path)) as connection, translated_errors():
        if not _has_table(connection, "transcript_events"):
            message = f"{path} is no session store of OpenClaw's."
            raise StoreError(message)
        yield connection


def _events(connection: apsw.Connection, id_: str, *, has_branches: bool) -> Iterator[bytes]:
    rows = connection.execute(_ACTIVE, (id_,)).fetchall() if has_branches else []
    # A session whose branch was not worked out yet has all its events on one.
    for plain, packed in rows or connection.execute(_ALL, (id_,)):
        yield _unpack(packed) if isinstance(packed, bytes) else str(plain).encode()


def _unpack(packed: bytes) -> bytes:
    unpacker = zstandard.ZstdDecompressor()
    try:
        return unpacker.decompress(packed, max_output_size=_EVENT_MAX_BYTES)
    except zstandard.ZstdError as error:
        message = f"An event of the store cannot be unpacked ({error})."
        raise StoreError(message) from error


def _has_table(connection: apsw.Connection, name: str) -> bool:
    found = connection.execute(
        "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", (name,)
    )
    return found.fetchone() is not None
