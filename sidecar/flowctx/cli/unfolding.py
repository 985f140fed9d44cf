"""Unfolding a note through the sidecar where one runs, else on the store itself."""

from typing import Any

from flowctx.errors import SidecarUnreachableError, StoreReadOnlyError
from flowctx.paths import StatePaths
from flowctx.rpc.client import SidecarClient
from flowctx.rpc.endpoint import RunLock, prepare_folders
from flowctx.service.context import Context
from flowctx.service.notes.tree import NotesRequest, answer_notes
from flowctx.service.state import SessionTable
from flowctx.store.database import Database


def change_note(paths: StatePaths, action: str, node: str) -> dict[str, Any]:
    """Unfold ("undo") or fold ("redo") a note.

    Raises:
        FlowctxError: there is no such note, or it could not be stored.
    """
    try:
        return SidecarClient(paths).notes(action, node)
    except SidecarUnreachableError:
        return _change_alone(paths, NotesRequest(action, node=node))


def _change_alone(paths: StatePaths, request: NotesRequest) -> dict[str, Any]:
    prepare_folders(paths)
    lock = RunLock(paths.lock)
    lock.acquire()
    context = Context(paths.home, Database(paths.database))
    try:
        if context.database.status.state != "ok":
            raise StoreReadOnlyError(context.database.status.reason)
        return answer_notes(context, SessionTable(), request)
    finally:
        context.close()
        lock.release()
