"""A session's notes and largest results, for people who want to look at it."""

from collections.abc import Iterable
from typing import Any

from flowctx.message import parse_message, text_of
from flowctx.model import Fold
from flowctx.store.connection import Connection
from flowctx.store.notes import current_folds

Document = dict[str, Any]

_LARGEST = 20
_TEXT_MAX_CHARS = 20_000


def look_at(connection: Connection, session_id: int) -> Document:
    """Notes that stand in the view, oldest first, and the results that took most tokens."""
    return {
        "notes": list(map(_note, current_folds(connection, session_id))),
        "largest": list(_largest(connection, session_id)),
    }


def _note(fold: Fold) -> Document:
    text = text_of(parse_message(fold.body).value)
    return {
        "node": fold.node,
        "kind": fold.kind,
        "messages": fold.count,
        "tokens": fold.tokens,
        "text": text[:_TEXT_MAX_CHARS],
    }


def _largest(connection: Connection, session_id: int) -> Iterable[Document]:
    rows = connection.execute(
        "SELECT r.tool, v.type, o.tokens, v.tokens, o.hash FROM views v"
        " JOIN originals o ON o.hash = v.hash"
        " JOIN refs r ON r.hash = o.hash AND r.session_id = v.session_id"
        " WHERE v.session_id = ? ORDER BY o.tokens DESC, o.hash LIMIT ?",
        (session_id, _LARGEST),
    )
    for tool, type_, tokens, shown, hash_ in rows:
        yield {"tool": tool, "type": type_, "tokens": tokens, "shown_tokens": shown, "hash": hash_}
