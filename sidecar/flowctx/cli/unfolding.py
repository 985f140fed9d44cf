"""Unfolding a note through the sidecar where one runs, else on the store itself."""

from typing import Any

from flowctx.cli.purging import store_alone
from flowctx.errors import SidecarUnreachableError
from flowctx.paths import StatePaths
from flowctx.rpc.client import SidecarClient
from flowctx.service.notes.tree import NotesRequest, answer_notes
from flowctx.service.state import SessionTable
from flowctx.store.reader import require_store


def change_note(paths: StatePaths, action: str, node: str) -> dict[str, Any]:
    """Unfold ("undo") or fold ("redo") a note.

    Raises:
        FlowctxError: there is no such note, or it could not be stored.
    """
    try:
        return SidecarClient(paths).notes(action, node)
    except SidecarUnreachableError:
        require_store(paths.database)
        with store_alone(paths) as context:
            return answer_notes(context, SessionTable(), NotesRequest(action, node=node))
