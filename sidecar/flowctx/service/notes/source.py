"""What a note is made from: the stored bodies of messages, as turns."""

from collections.abc import Sequence

from flowctx.dag.source.source import SourceTurn, source_turns
from flowctx.message import ParsedMessage, parse_message
from flowctx.model import Message
from flowctx.service.context import Context
from flowctx.service.notes.survey import Survey
from flowctx.store.blobs import load_blob
from flowctx.store.connection import Connection
from flowctx.store.messages import find_body, gists_of

# Of no role that a note could be made from.
_ABSENT = b"{}"


def read_turns(context: Context, surveyed: Survey, start: int, end: int) -> tuple[SourceTurn, ...]:
    """The turns of messages [start, end); a message whose body was purged is left out.

    Raises:
        StoreError: the store cannot be read.
    """
    parsed = _bodies(context, surveyed.row.id, surveyed.messages[start:end])
    row_id = surveyed.row.id
    gists = context.database.read(lambda connection: gists_of(connection, row_id, start, end))
    originals = {at: gist.hash for at, gist in enumerate(gists, start=start) if gist.hash}
    before = sum(message.opens_turn for message in surveyed.messages[: start + 1])
    return source_turns(
        parsed,
        surveyed.pairing.calls,
        start=start,
        number=max(before, 1),
        originals=originals,
    )


def _bodies(context: Context, session_id: int, messages: Sequence[Message]) -> list[ParsedMessage]:
    def load(connection: Connection) -> list[bytes]:
        found = []
        for message in messages:
            blob = find_body(connection, session_id, message.digest)
            found.append((load_blob(connection, blob) if blob else None) or _ABSENT)
        return found

    return [parse_message(body) for body in context.database.read(load)]
