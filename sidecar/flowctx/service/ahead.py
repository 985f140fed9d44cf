"""Reducing ahead: results are reduced behind the reply, so that a view only looks them up."""

from flowctx.errors import StoreError
from flowctx.message import ParsedMessage
from flowctx.model import Call, Decision
from flowctx.service.bodies import load_message
from flowctx.service.context import Context
from flowctx.service.frame import Frame
from flowctx.service.projection import may_be_reduced, reduce_result, store_reduced
from flowctx.store.messages import has_message
from flowctx.store.sessions import SessionRow
from flowctx.store.views import StoredView, ensure_view, load_views
from flowctx.view.pairing import pair_results


def reduce_ahead(
    context: Context, row: SessionRow, parsed: ParsedMessage, call: Call | None
) -> None:
    """Reduce a result that has just come, if it will be reduced once it is old."""
    if may_be_reduced(parsed.message, call, context.settings):
        _submit(context, row, parsed.message.digest, parsed, call)


def reduce_pending(context: Context, row: SessionRow, frame: Frame) -> None:
    """Reduce what a view had to show raw, so that a later one can catch up."""
    pending = frame.pending
    if not pending or not context.database.keeps_originals:
        return
    pairing = pair_results(frame.messages)
    for at, call in pairing.calls.items():
        digest = frame.messages[at].digest
        if digest in pending:
            _submit(context, row, digest, None, call)


def reduce_listed(context: Context, row: SessionRow, frame: Frame, start: int) -> None:
    """Reduce the results of a list from an index on, when no view is asked for yet."""
    for at, call in pair_results(frame.messages, start).calls.items():
        message = frame.messages[at]
        if may_be_reduced(message, call, context.settings):
            _submit(context, row, message.digest, None, call)


def _submit(
    context: Context,
    row: SessionRow,
    digest: bytes,
    parsed: ParsedMessage | None,
    call: Call | None,
) -> None:
    key = (row.id, digest)
    if key in context.in_flight or not context.database.keeps_originals:
        return
    context.in_flight.add(key)

    def work() -> None:
        try:
            context.reducing.run(key, lambda: _reduce(context, row, digest, parsed, call))
        except StoreError as error:
            context.notify("engine", f"not reduced ahead: {error}")
        finally:
            context.in_flight.discard(key)

    context.workers.submit(work)


def _reduce(
    context: Context,
    row: SessionRow,
    digest: bytes,
    parsed: ParsedMessage | None,
    call: Call | None,
) -> None:
    database = context.database
    if database.read(lambda connection: load_views(connection, row.id, [digest])):
        return
    if parsed is None:
        # Its row may still be on its way: the writer keeps the order of calls.
        database.write(lambda _: None).result()
        parsed = load_message(context, row, digest)
    if parsed is not None:
        store_reduced(context, row, reduce_result(parsed, call))
    elif database.read(lambda connection: has_message(connection, row.id, digest)):
        # Nothing to reduce from: settle it, so that nobody waits for it.
        gone = StoredView(digest, "", Decision("raw", "its body is not stored"))
        database.write(lambda connection: ensure_view(connection, row.id, gone)).result()
