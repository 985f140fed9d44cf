"""Stored messages, read back."""

from flowctx.message import ParsedMessage, parse_message
from flowctx.service.context import Context
from flowctx.store.blobs import load_blob
from flowctx.store.connection import Connection
from flowctx.store.messages import find_body
from flowctx.store.sessions import SessionRow


def load_message(context: Context, row: SessionRow, digest: bytes) -> ParsedMessage | None:
    """A message of a session with its body, or None when the body is not stored.

    Raises:
        StoreError: the store cannot be read.
    """

    def load(connection: Connection) -> bytes | None:
        blob = find_body(connection, row.id, digest)
        return load_blob(connection, blob) if blob else None

    body = context.database.read(load)
    return parse_message(body) if body else None
