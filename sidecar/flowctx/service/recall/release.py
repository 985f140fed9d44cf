"""Giving back what was retrieved: in a round its result becomes a pointer to its own original.

The original is stored already, so nothing new is: the pointer names the hash
that the call asked for.
"""

from flowctx.errors import StoreError
from flowctx.model import Call, Decision, Message, Omission, Reduction
from flowctx.reducers.marker import RETRIEVE_TOOL, render_pointer
from flowctx.service.context import Context
from flowctx.service.recall.parts import read_hashes
from flowctx.store.connection import Connection
from flowctx.store.originals import share_original
from flowctx.store.sessions import SessionRow
from flowctx.store.views import StoredView, ensure_view
from flowctx.tokens import estimate_tokens

_TYPE = "retrieved"


def release(
    context: Context, row: SessionRow, message: Message, call: Call | None
) -> StoredView | None:
    """Decide that a retrieved original is shown as its pointer from now on; stores that.

    Returns:
        The decision, or None where the result must stay: it answers no retrieval of one
        original that this session may have again.
    """
    if call is None or call.tool != RETRIEVE_TOOL or not context.database.keeps_originals:
        return None
    hashes = read_hashes(call.detail)
    if len(hashes) != 1:
        return None
    omitted = Omission("tokens", message.text_tokens, message.text_tokens)
    reduction = Reduction(_TYPE, "", (omitted,))
    text = render_pointer(reduction, tool=call.tool, original_hash=hashes[0].lower())
    decision = Decision(
        "reduced", "retrieved earlier", text, estimate_tokens(text), hashes[0].lower()
    )
    view = StoredView(message.digest, _TYPE, decision)

    def write(connection: Connection) -> bool:
        if not share_original(connection, decision.hash, row.id):
            return False
        ensure_view(connection, row.id, view)
        return True

    try:
        return view if context.database.write(write).result() else None
    except StoreError:
        return None
