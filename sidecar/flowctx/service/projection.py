"""Projection: how each tool result appears, decided once and then kept."""

from dataclasses import dataclass

from flowctx.config import Settings
from flowctx.message import ParsedMessage, hash_text, tool_output, well_formed
from flowctx.model import Call, Decision, Message, Reduction, ToolOutput, Unreduced
from flowctx.reducers.marker import render_view
from flowctx.reducers.pipeline import reduce_output
from flowctx.service.context import Context
from flowctx.store.blobs import ensure_blob
from flowctx.store.connection import Connection
from flowctx.store.originals import NewOriginal, Provenance, ensure_original
from flowctx.store.sessions import SessionRow
from flowctx.store.views import StoredView, ensure_view
from flowctx.tokens import estimate_tokens
from flowctx.view.protect import Protection, is_file_read, is_instruction_read, is_own_tool

# Why a result of flowctx's own tools stays raw, until a round lets it go.
OWN_RESULT = "result of flowctx itself"


@dataclass(frozen=True, slots=True)
class Reduced:
    """A decision about a result, with the result it was made of."""

    view: StoredView
    parsed: ParsedMessage
    output: ToolOutput


def standing_reason(
    at: int, message: Message, call: Call | None, protection: Protection, settings: Settings
) -> str:
    """Why a result stays raw whatever a reducer would make of it; empty if it need not."""
    if not settings.projection:
        return "projection is off"
    if at >= protection.tail_start:
        return "in the protected tail"
    if message.text_tokens <= settings.projection_threshold:
        return "not above the threshold"
    tool = message.tool or (call.tool if call else "")
    if is_own_tool(tool):
        return OWN_RESULT
    if is_file_read(tool) and at >= protection.reads_start:
        return "recent file read"
    if is_instruction_read(tool, call):
        return "instruction file"
    return ""


def may_be_reduced(message: Message, call: Call | None, settings: Settings) -> bool:
    """True for a result that will be reduced once it is old."""
    never = Protection(tail_start=1, reads_start=1)
    return message.is_result and not standing_reason(0, message, call, never, settings)


def reduce_result(parsed: ParsedMessage, call: Call | None) -> Reduced:
    """Run the reducers over a result; CPU work, for a worker thread."""
    output = tool_output(parsed.value, call)
    reduction = _reduce(output)
    digest = parsed.message.digest
    if isinstance(reduction, Unreduced):
        raw = StoredView(digest, "", Decision("raw", reduction.reason))
        return Reduced(raw, parsed, output)
    hash_ = hash_text(output.text)
    text = well_formed(render_view(reduction, tool=output.tool, original_hash=hash_))
    decision = Decision("reduced", reduction.type, text, estimate_tokens(text), hash_)
    return Reduced(StoredView(digest, reduction.type, decision), parsed, output)


def _reduce(output: ToolOutput) -> Reduction | Unreduced:
    # A fault in a reducer must cost one result its reduction, not the session its views.
    try:
        return reduce_output(output)
    except Exception as error:  # noqa: BLE001
        return Unreduced(f"the reducer failed: {type(error).__name__}")


def store_reduced(context: Context, row: SessionRow, reduced: Reduced) -> None:
    """Store the original, then the view that points to it; one transaction.

    Raises:
        StoreError: it could not be written, so the view must not be shown.
    """
    message, now = reduced.parsed.message, context.now_ms()
    ref = row.ref
    provenance = Provenance(
        row.id, ref.key, ref.agent, ref.person, reduced.output.tool, message.time_ms or now
    )

    def write(connection: Connection) -> None:
        if hash_ := reduced.view.decision.hash:
            body = ensure_blob(connection, reduced.parsed.body)
            chars = len(reduced.output.text)
            original = NewOriginal(hash_, body, chars, message.text_tokens)
            ensure_original(connection, original, provenance, now)
        ensure_view(connection, row.id, reduced.view)

    context.database.write(write).result()
