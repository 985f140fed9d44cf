"""Where something may be kept for a session."""

from flowctx.errors import InvalidRequestError
from flowctx.service.adopt import open_row
from flowctx.service.context import Context
from flowctx.service.state import UNSTORED, SessionState
from flowctx.store.sessions import SessionRow


def stored_row(context: Context, state: SessionState) -> SessionRow:
    """The stored row of a session; begins its first epoch where there is none.

    Raises:
        InvalidRequestError: nothing may be kept, or can be now; the message is for the model.
        StoreError: the store cannot be used.
    """
    row = known_row(context, state)
    if row.id == UNSTORED:
        message = "The store cannot be written now, so nothing was kept."
        raise InvalidRequestError(message)
    return row


def known_row(context: Context, state: SessionState) -> SessionRow:
    """The row of a session, or what stands in for one that cannot be stored now.

    Raises:
        InvalidRequestError: nothing may be kept; the message is for the model.
        StoreError: the store cannot be used.
    """
    if state.ref.is_private:
        message = "This session leaves no trace, so nothing can be kept for it."
        raise InvalidRequestError(message)
    with state.lock:
        return open_row(context, state)
