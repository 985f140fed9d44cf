"""Editing a session's working memory."""

from flowctx.errors import InvalidRequestError
from flowctx.message import well_formed
from flowctx.service.context import Context
from flowctx.service.recall.keeping import stored_row
from flowctx.service.state import SessionState
from flowctx.store.connection import Connection
from flowctx.store.recall.scratchpads import scratchpad_of, set_scratchpad


def edit_scratchpad(
    context: Context, state: SessionState, action: str, text: str, old: str = ""
) -> str:
    """Change the working memory, and say how full it is.

    Args:
        context: of the sidecar.
        state: of the caller's session.
        action: "append"; "replace" for `old` by `text`; "rethink" for all of it.
        text: what is written.
        old: for "replace": what it takes the place of, once, word for word.

    Raises:
        InvalidRequestError: switched off, too long, or `old` is not there once; nothing changed.
        StoreError: it could not be stored.
    """
    limit = context.settings.scratchpad_max_chars
    if not context.settings.scratchpad:
        message = "The scratchpad is switched off (setting `scratchpad`)."
        raise InvalidRequestError(message)
    row = stored_row(context, state)
    now = context.now_ms()

    def write(connection: Connection) -> int:
        edited = _edited(scratchpad_of(connection, row.id), action, well_formed(text), old)
        if len(edited) > limit:
            message = (
                f"Nothing was changed: it would hold {len(edited):,} characters, and the limit"
                f" is {limit:,}. Write it anew, shorter."
            )
            raise InvalidRequestError(message)
        set_scratchpad(connection, row.id, edited, now)
        return len(edited)

    return f"Noted: {context.database.write(write).result():,} of {limit:,} characters in use."


def _edited(pad: str, action: str, text: str, old: str) -> str:
    if action == "append":
        return f"{pad}\n{text}".strip("\n")
    if action == "rethink":
        return text.strip("\n")
    if action != "replace":
        message = f"{action[:40]!r} is no way to edit: append, replace or rethink."
        raise InvalidRequestError(message)
    count = pad.count(old) if old else 0
    if count != 1:
        found = "is not in the working memory" if count == 0 else f"is there {count} times"
        message = f"Nothing was changed: the old text {found}. Pass it as it stands, once."
        raise InvalidRequestError(message)
    return pad.replace(old, text).strip("\n")
