"""Purging through the sidecar where one runs, else on the store itself."""

from collections.abc import Iterator
from contextlib import contextmanager

from flowctx.errors import FlowctxError, SidecarUnreachableError, StoreError
from flowctx.paths import StatePaths
from flowctx.rpc.client import SidecarClient, is_same_version
from flowctx.rpc.endpoint import RunLock, prepare_folders
from flowctx.service.context import Context
from flowctx.service.purge import Selection, purge
from flowctx.service.state import SessionTable
from flowctx.store.database import Database
from flowctx.store.purge import PurgeCount
from flowctx.store.reader import require_store


def run_purge(paths: StatePaths, selection: Selection, *, dry_run: bool) -> PurgeCount:
    """Purge what is selected.

    Raises:
        FlowctxError: nothing was selected, or it could not be deleted.
    """
    try:
        return SidecarClient(paths).purge(selection, dry_run=dry_run)
    except SidecarUnreachableError:
        require_store(paths.database)
        with store_alone(paths) as context:
            return purge(context, SessionTable(), selection, dry_run=dry_run)


@contextmanager
def store_alone(paths: StatePaths) -> Iterator[Context]:
    """The store of a state directory that no sidecar serves, locked while it is used.

    Raises:
        FlowctxError: a sidecar serves it after all, or it cannot be written.
    """
    prepare_folders(paths)
    lock = RunLock(paths.lock)
    lock.acquire()
    try:
        with writable_store(paths) as context:
            yield context
    finally:
        lock.release()


@contextmanager
def writable_store(paths: StatePaths) -> Iterator[Context]:
    """The store of a state directory; a damaged one is left as it is.

    Raises:
        StoreError: it cannot be written.
    """
    context = Context(paths.home, Database(paths.database, sets_aside=False))
    try:
        if context.database.status.state != "ok":
            raise StoreError(context.database.status.reason)
        yield context
    finally:
        context.close()


@contextmanager
def shared_store(paths: StatePaths) -> Iterator[Context]:
    """The store, whether or not a sidecar serves it: SQLite lets two processes write in turn.

    For what a sidecar does not hold in memory.

    Raises:
        FlowctxError: a sidecar of another version serves it, or it cannot be written.
    """
    try:
        client = SidecarClient(paths)
        client.ping()
    except SidecarUnreachableError:
        with store_alone(paths) as context:
            yield context
        return
    if not is_same_version(client.endpoint):
        message = "A sidecar of another version runs."
        raise FlowctxError(message, hint="Restart the gateway first.")
    with writable_store(paths) as context:
        yield context
