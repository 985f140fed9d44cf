"""The calls behind the model's recall tools: what cannot be done is answered in words."""

import orjson

from flowctx.errors import InvalidRequestError, OriginalNotFoundError
from flowctx.rpc import convert
from flowctx.service.context import Context
from flowctx.service.recall.parts import retrieve_parts
from flowctx.service.recall.pins import list_pins, pin, pins_answer, unpin
from flowctx.service.recall.scratchpad import edit_scratchpad
from flowctx.service.search.answer import answer_search, search_answer
from flowctx.service.state import SessionState
from flowctx.v1 import flowctx_pb2 as pb


def retrieve(context: Context, request: pb.RetrieveRequest) -> pb.RetrieveResponse:
    """An original, or parts of some."""
    ref = convert.session_ref(request.session)
    try:
        found = retrieve_parts(context.database, ref, request.hash, convert.part(request))
    except OriginalNotFoundError as error:
        missing = pb.Missing(
            reason=error.reason, message=str(error), removed_at_ms=error.removed_at_ms
        )
        return pb.RetrieveResponse(missing=missing)
    return convert.wire_retrieved(found)


def search(context: Context, request: pb.SearchRequest) -> pb.SearchResponse:
    """What was found, for the model and for machines."""
    ref = convert.session_ref(request.session)
    found = answer_search(context, ref, request.query, request.limit)
    text = search_answer(found, request.query)
    return pb.SearchResponse(text=text, json=orjson.dumps(found.document()))


def pins(context: Context, state: SessionState, request: pb.PinsRequest) -> pb.PinsResponse:
    """List, set or remove pins."""
    try:
        match request.action:
            case "pin":
                done = pin(context, state, request.text, request.scope)
            case "unpin":
                done = unpin(context, state, request.id)
            case "list" | "":
                done = list_pins(context, state)
            case other:
                message = f"{other[:40]!r} is nothing to do with pins: pin, unpin or list."
                raise InvalidRequestError(message)
    except InvalidRequestError as error:
        return pb.PinsResponse(text=str(error), json=orjson.dumps({"error": str(error)}))
    return pb.PinsResponse(text=pins_answer(done), json=orjson.dumps(done.document()))


def scratchpad(
    context: Context, state: SessionState, request: pb.ScratchpadRequest
) -> pb.ScratchpadResponse:
    """Edit the working memory."""
    try:
        said = edit_scratchpad(context, state, request.action, request.text, request.old_text)
    except InvalidRequestError as error:
        said = str(error)
    return pb.ScratchpadResponse(text=said)
