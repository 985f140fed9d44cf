"""A session's notes and largest results, for people who want to look at it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from flowctx.message import parse_message, text_of
from flowctx.store.connection import Connection

Document = dict[str, Any]

_LARGEST = 20
# Characters of a note that stands, and of one that another has taken the place of.
_TEXT_MAX_CHARS, _OLD_MAX_CHARS = 20_000, 1_000


def look_at(connection: Connection, session_id: int) -> Document:
    """Notes that stand in the view, oldest first, and the results that took most tokens.

    Inside each note are those that it took the place of.
    """
    return {
        "notes": _notes(connection, session_id),
        "largest": list(_largest(connection, session_id)),
    }


def _notes(connection: Connection, session_id: int) -> list[Document]:
    rows = connection.execute(
        "SELECT node, kind, count, tokens, body, superseded_ms IS NULL AS stands,"
        " (SELECT min(position) FROM messages m WHERE m.session_id = n.session_id"
        "  AND m.digest = n.first AND m.visible = 1) AS start,"
        " (SELECT max(position) FROM messages m WHERE m.session_id = n.session_id"
        "  AND m.digest = n.last AND m.visible = 1) AS end"
        " FROM notes n WHERE session_id = ? AND start IS NOT NULL AND end IS NOT NULL"
        " AND committed_ms IS NOT NULL AND undone_ms IS NULL"
        " ORDER BY stands DESC, end - start DESC, created_ms DESC, start",
        (session_id,),
    )
    roots: list[_Spot] = []
    for node, kind, count, tokens, body, stands, start, end in rows:
        text = text_of(parse_message(body).value)[: _TEXT_MAX_CHARS if stands else _OLD_MAX_CHARS]
        note = {"node": node, "kind": kind, "messages": count, "tokens": tokens, "text": text}
        spot = _Spot(float(start), float(end), note)
        # Of what stands, the larger shows; the notes that it condenses are in it.
        if not _place(spot, roots) and stands:
            roots.append(spot)
    return _tree(roots)


@dataclass(slots=True)
class _Spot:
    start: float
    end: float
    note: Document
    inside: list["_Spot"] = field(default_factory=list)


def _place(spot: _Spot, among: list[_Spot]) -> bool:
    """Put a note inside the smallest one that covers it; False where none does."""
    for other in among:
        if other.start <= spot.start and spot.end <= other.end:
            if not _place(spot, other.inside):
                other.inside.append(spot)
            return True
    return False


def _tree(spots: list[_Spot]) -> list[Document]:
    ordered = sorted(spots, key=lambda each: each.start)
    return [{**spot.note, "sources": _tree(spot.inside)} for spot in ordered]


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
