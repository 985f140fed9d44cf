"""Deletion for good: rows go, pages are overwritten, the file shrinks."""

from dataclasses import dataclass

import apsw

from flowctx.store.blobs import delete_unused_blobs
from flowctx.store.recall.documents import drop_deleted_terms


@dataclass(frozen=True, slots=True)
class PurgeCount:
    """How much a purge deleted, or would delete."""

    sessions: int = 0
    messages: int = 0
    originals: int = 0
    bytes_freed: int = 0


def purge_sessions(connection: apsw.Connection, ids: list[int], now_ms: int) -> PurgeCount:
    """Delete sessions with all that belongs to them; originals others share stay."""
    messages = sum(_count(connection, "messages", id_) for id_ in ids)
    for id_ in ids:
        _remember_removed(connection, "refs.session_id = ?", (id_,), now_ms)
        connection.execute("DELETE FROM sessions WHERE id = ?", (id_,))
    return _sweep(connection, PurgeCount(sessions=len(ids), messages=messages))


def purge_original(connection: apsw.Connection, hash_: str, now_ms: int) -> PurgeCount:
    """Delete one original and the bodies of the messages that hold it."""
    _remember_removed(connection, "refs.hash = ?", (hash_,), now_ms)
    row = connection.execute("SELECT body FROM originals WHERE hash = ?", (hash_,)).fetchone()
    if row is None:
        return PurgeCount()
    connection.execute("UPDATE messages SET body = NULL, gist = '' WHERE body = ?", (row[0],))
    # The message still stands in the host's transcript: it is shown whole from now on,
    # so that its text does not come back into the store.
    connection.execute(
        "UPDATE views SET state = 'raw', reason = 'its original was purged', text = '',"
        " tokens = 0, hash = NULL WHERE hash = ?",
        (hash_,),
    )
    connection.execute("DELETE FROM originals WHERE hash = ?", (hash_,))
    return _sweep(connection, PurgeCount(originals=1))


def sessions_of(connection: apsw.Connection, key: str) -> list[int]:
    """All epochs of the sessions with a key."""
    return [row[0] for row in connection.execute("SELECT id FROM sessions WHERE key = ?", (key,))]


def idle_sessions(connection: apsw.Connection, before_ms: int) -> list[int]:
    """Epochs that were not active since a time."""
    rows = connection.execute("SELECT id FROM sessions WHERE seen_ms < ?", (before_ms,))
    return [row[0] for row in rows]


def expired_sessions(connection: apsw.Connection, before_ms: int) -> list[int]:
    """Epochs that ended before a time: nothing in a live view can name what they hold."""
    rows = connection.execute("SELECT id FROM sessions WHERE ended_ms < ?", (before_ms,))
    return [row[0] for row in rows]


def compact_file(connection: apsw.Connection) -> None:
    """Give freed pages back to the disk; must run outside a transaction."""
    drop_deleted_terms(connection)
    connection.execute("VACUUM")
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)


def _remember_removed(
    connection: apsw.Connection, where: str, values: tuple[int | str, ...], now_ms: int
) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO removed (hash, agent, person, removed_ms)"
        f" SELECT hash, agent, person, {int(now_ms)} FROM refs WHERE {where}",
        values,
    )


def _sweep(connection: apsw.Connection, count: PurgeCount) -> PurgeCount:
    # A right that another session still holds keeps the original, and is no removal.
    connection.execute(
        "DELETE FROM removed WHERE EXISTS (SELECT 1 FROM refs WHERE refs.hash = removed.hash"
        " AND refs.agent = removed.agent AND refs.person = removed.person)"
    )
    connection.execute(
        "DELETE FROM originals WHERE NOT EXISTS"
        " (SELECT 1 FROM refs WHERE refs.hash = originals.hash)"
    )
    originals = count.originals + connection.changes()
    freed = delete_unused_blobs(connection)
    return PurgeCount(count.sessions, count.messages, originals, freed)


def _count(connection: apsw.Connection, table: str, session_id: int) -> int:
    query = f"SELECT count(*) FROM {table} WHERE session_id = ?"
    return int(connection.execute(query, (session_id,)).get)
