"""Purging through the sidecar where one runs, else on the store itself."""

from flowctx.errors import SidecarUnreachableError, StoreReadOnlyError
from flowctx.paths import StatePaths
from flowctx.rpc.client import SidecarClient
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
        return _purge_alone(paths, selection, dry_run=dry_run)


def _purge_alone(paths: StatePaths, selection: Selection, *, dry_run: bool) -> PurgeCount:
    require_store(paths.database)
    prepare_folders(paths)
    lock = RunLock(paths.lock)
    lock.acquire()
    context = Context(paths.home, Database(paths.database))
    try:
        if context.database.status.state != "ok":
            raise StoreReadOnlyError(context.database.status.reason)
        return purge(context, SessionTable(), selection, dry_run=dry_run)
    finally:
        context.close()
        lock.release()
