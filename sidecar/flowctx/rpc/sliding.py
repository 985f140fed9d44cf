"""What is asked about cards, from the wire to the use cases."""

from dataclasses import replace
from typing import Any

from flowctx.errors import InvalidRequestError
from flowctx.rpc import convert
from flowctx.service.context import Context
from flowctx.service.sliding.clear import clear_cards
from flowctx.service.sliding.embedding.vectors import TOOL_SECONDS
from flowctx.service.sliding.look import count_visible, search_cards
from flowctx.service.sliding.recall import Query
from flowctx.service.state import SessionTable
from flowctx.store.card_blocks import CardSelection
from flowctx.v1 import flowctx_pb2 as pb


def answer_sliding(
    context: Context, table: SessionTable, request: pb.SlidingRequest
) -> dict[str, Any]:
    """Answer one request with a document.

    Raises:
        InvalidRequestError: nothing was asked.
        StoreError: the store cannot be used.
    """
    database, settings = context.database, context.settings
    match request.WhichOneof("ask"):
        case "search":
            asked = request.search
            vector = context.vectors.vector_of(asked.query, settings, TOOL_SECONDS)
            query = replace(_query(context, asked.session, asked.query), vector=vector)
            return search_cards(database, query, asked.limit, settings)
        case "stats":
            return count_visible(database, _query(context, request.stats.session, ""), settings)
        case "clear":
            chosen = request.clear
            selection = CardSelection(chosen.session_key, chosen.agent, chosen.before_ms)
            return {"cards": clear_cards(context, table, selection, dry_run=chosen.dry_run)}
    message = "Nothing was asked about cards."
    raise InvalidRequestError(message)


def _query(context: Context, session: pb.SessionRef, prompt: str) -> Query:
    return Query(convert.session_ref(session), 0, prompt, context.now_ms())
