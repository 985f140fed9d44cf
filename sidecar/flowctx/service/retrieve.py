"""Retrieving an original, behind the walls."""

import re
from dataclasses import replace
from datetime import UTC, datetime

from flowctx.errors import OriginalNotFoundError
from flowctx.identity import SessionRef
from flowctx.reducers.marker import marked_hashes
from flowctx.store.connection import Connection
from flowctx.store.damage import files_set_aside
from flowctx.store.originals import StoredOriginal, find_original, retrieve_original
from flowctx.store.reader import Readable
from flowctx.store.sessions import known_ref

_NODE = re.compile("[0-9a-f]{16}")

# Every answer ends the matter, so that a model does not try again and again.
_FINAL = {
    "not-a-hash": "Pass the 24 hex digits that follow hash= in a marker, nothing else.",
    "never-stored": "Retrying will not help; run the command or read the file again instead.",
    "not-yours": "Retrying will not help: it cannot be shown in this conversation.",
    "removed": "Retrying will not help; run the command or read the file again instead.",
}


def retrieve(database: Readable, ref: SessionRef, hash_: str) -> StoredOriginal:
    """The original behind a hash, if the caller's agent and person own it.

    Args:
        database: the store.
        ref: the caller, as the host gives it; never from a model's arguments.
        hash_: what the model passed.

    Raises:
        OriginalNotFoundError: its message is a final answer for the model.
        StoreError: the store cannot be read, or is not available.
    """
    database.status.require_file()
    wanted = hash_.strip().lower()
    try:
        return database.read(lambda connection: _retrieve(connection, ref, wanted))
    except OriginalNotFoundError as error:
        raise _final(error, hash_, database) from None


def retrieve_as_owner(database: Readable, hash_: str) -> StoredOriginal:
    """The original behind a hash, whoever it belongs to; for the owner of the store.

    Raises:
        OriginalNotFoundError: not a hash, never stored, or removed.
        StoreError: the store cannot be read.
    """
    wanted = hash_.strip().lower()
    try:
        return database.read(lambda connection: find_original(connection, wanted))
    except OriginalNotFoundError as error:
        raise _final(error, hash_, database) from None


def _retrieve(connection: Connection, ref: SessionRef, wanted: str) -> StoredOriginal:
    known = known_ref(connection, ref)
    alone = ref.is_sandboxed or known.is_sandboxed
    return retrieve_original(connection, wanted, replace(known, key=ref.key, is_sandboxed=alone))


def _final(error: OriginalNotFoundError, asked: str, database: Readable) -> OriginalNotFoundError:
    said = str(error)
    if error.reason == "never-stored" and files_set_aside(database.path):
        said = said.rstrip(".") + ", unless it was in the store that was damaged and set aside."
    if error.reason == "not-a-hash" and marked_hashes(asked):
        said = "This is a whole marker, not a hash."
    elif error.reason == "not-a-hash" and _NODE.fullmatch(asked.strip().lower()):
        said = "This is the node of a note, not the hash of an original."
    if error.removed_at_ms:
        day = datetime.fromtimestamp(error.removed_at_ms / 1000, UTC).strftime("%Y-%m-%d")
        said = said.replace("was removed", f"was removed on {day}")
    return OriginalNotFoundError(
        f"{said} {_FINAL[error.reason]}", reason=error.reason, removed_at_ms=error.removed_at_ms
    )
