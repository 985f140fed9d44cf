"""Purging: deleting stored data for good, on request."""

from dataclasses import dataclass

from flowctx.errors import InvalidRequestError
from flowctx.identity import SessionRef
from flowctx.service.context import Context
from flowctx.service.notes.dump import remove_dump
from flowctx.service.state import SessionTable
from flowctx.store.connection import Connection
from flowctx.store.originals import check_hash
from flowctx.store.purge import (
    PurgeCount,
    compact_file,
    idle_sessions,
    purge_original,
    purge_sessions,
    sessions_of,
)
from flowctx.store.sessions import list_sessions


@dataclass(frozen=True, slots=True)
class Selection:
    """What to purge; one of the three must be given.

    Attributes:
        session_key: all epochs of the sessions with this key.
        hash: one original.
        older_than_ms: sessions not active since this time, Unix milliseconds.
    """

    session_key: str = ""
    hash: str = ""
    older_than_ms: int = 0


class _DryRun(Exception):  # noqa: N818 - no error: it rolls a transaction back
    def __init__(self, count: PurgeCount) -> None:
        self.count = count


def purge(
    context: Context, table: SessionTable, selection: Selection, *, dry_run: bool = False
) -> PurgeCount:
    """Delete what is selected; with `dry_run` only count it.

    Raises:
        InvalidRequestError: nothing is selected.
        OriginalNotFoundError: what should be a hash is none.
        StoreError: the store cannot be written.
    """
    if selection == Selection():
        message = "Nothing is selected to purge."
        raise InvalidRequestError(message, hint="Name a session, a hash or an age.")
    if selection.hash:
        check_hash(selection.hash)

    gone: list[SessionRef] = []

    def work(connection: Connection) -> PurgeCount:
        known = _refs(connection)
        count = _delete(connection, selection, context.now_ms())
        left = _refs(connection)
        gone.extend(ref for name, ref in known.items() if name not in left)
        if dry_run:
            raise _DryRun(count)
        return count

    try:
        count = context.database.write(work).result()
    except _DryRun as done:
        return done.count
    context.database.write_outside_transaction(compact_file).result()
    for ref in gone:
        remove_dump(context.state_dir, ref)
    table.forget()
    context.index.begin_anew()
    return count


def _refs(connection: Connection) -> dict[tuple[str, str], SessionRef]:
    return {(row.ref.agent, row.ref.key): row.ref for row in list_sessions(connection)}


def _delete(connection: Connection, selection: Selection, now_ms: int) -> PurgeCount:
    if selection.hash:
        return purge_original(connection, selection.hash, now_ms)
    if selection.session_key:
        ids = sessions_of(connection, selection.session_key)
    else:
        ids = idle_sessions(connection, selection.older_than_ms)
    return purge_sessions(connection, ids, now_ms)
