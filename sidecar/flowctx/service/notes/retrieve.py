"""Retrieving a note by its node, and what it was made from, down to the messages."""

from collections.abc import Iterator
from dataclasses import dataclass

from flowctx.errors import InvalidRequestError
from flowctx.identity import SessionRef
from flowctx.message import parse_message, text_of, well_formed
from flowctx.model import Call, Message
from flowctx.moment import moment
from flowctx.service.notes.tree import require_note
from flowctx.store.blobs import load_blob
from flowctx.store.connection import Connection
from flowctx.store.messages import find_body, placed_messages
from flowctx.store.notes import NoteRow, find_note
from flowctx.store.reader import Readable
from flowctx.store.sessions import known_ref, ref_of
from flowctx.tokens import estimate_tokens
from flowctx.view.engine_made import engine_text

DEFAULT_TOKENS = 4_000
_FINAL = "Retrying will not help."
_CALL_CHARS = 600


@dataclass(frozen=True, slots=True)
class NodeRequest:
    """What is asked of a note.

    Attributes:
        node: its id.
        expand: give what it was made from instead of its text: notes, then all messages.
        start: the first of these that is wanted, from 1; for the next page.
        max_tokens: room for the answer; 0 for `DEFAULT_TOKENS`.
    """

    node: str
    expand: bool = False
    start: int = 1
    max_tokens: int = 0


def retrieve_node(database: Readable, ref: SessionRef, request: NodeRequest) -> str:
    """The text of a note, or its sources; a final answer where the caller gets nothing.

    Args:
        database: the store.
        ref: the caller, as the host gives it; never from a model's arguments.
        request: what is asked.

    Raises:
        StoreError: the store cannot be read.
    """
    return database.read(lambda connection: _answer(connection, ref, request))


def retrieve_node_as_owner(database: Readable, request: NodeRequest) -> str:
    """The same for the owner of the store, whosever the note is.

    Raises:
        InvalidRequestError: there is no such note, or what it stands for was removed.
        StoreError: the store cannot be read.
    """

    def work(connection: Connection) -> str:
        told = _told_of(connection, require_note(connection, request.node), request)
        if not told:
            message = f"What note {request.node!r} stands for was removed."
            raise InvalidRequestError(message)
        return told

    return database.read(work)


def _answer(connection: Connection, ref: SessionRef, request: NodeRequest) -> str:
    node = request.node.strip().lower()
    row = find_note(connection, node)
    if row is None:
        return f"No note {request.node[:60]!r} was ever stored. {_FINAL}"
    if not _may_see(connection, ref, row):
        return f"Note {node} belongs to another agent or person. {_FINAL}"
    told = _told_of(connection, row, request)
    return told or f"What note {node} stands for was removed. {_FINAL}"


def _told_of(connection: Connection, row: NoteRow, request: NodeRequest) -> str:
    """The note or its sources, as asked; empty where none of these is left."""
    if not request.expand:
        return engine_text(row.fold.body)
    return _page([*_notes(connection, row), *_messages(connection, row)], request)


def _may_see(connection: Connection, ref: SessionRef, row: NoteRow) -> bool:
    caller, owner = known_ref(connection, ref), ref_of(connection, row.session_id)
    if owner is None:
        return False
    if owner.key != ref.key and (ref.is_sandboxed or owner.is_sandboxed):
        return False
    return (owner.agent, owner.person) == (caller.agent, caller.person)


def _notes(connection: Connection, row: NoteRow) -> Iterator[str]:
    for source in row.sources:
        if note := find_note(connection, source):
            yield engine_text(note.fold.body)


def _messages(connection: Connection, row: NoteRow) -> Iterator[str]:
    """The covered messages, also such as the host no longer hands over."""
    listed, fold = placed_messages(connection, row.session_id), row.fold
    for at, message in enumerate(listed):
        end = at + fold.count
        if message.digest != fold.first or end > len(listed):
            continue
        if listed[end - 1].digest == fold.last:
            yield from (_told(connection, row.session_id, each) for each in listed[at:end])
            return


def _told(connection: Connection, session_id: int, message: Message) -> str:
    blob = find_body(connection, session_id, message.digest)
    body = load_blob(connection, blob) if blob else None
    text = well_formed(text_of(parse_message(body).value)) if body else "(removed)"
    who = f"{message.role} {message.tool}".strip()
    head = " · ".join(part for part in (who, moment(message.time_ms)) if part)
    calls = "".join(f"\n$ {_call(call)}" for call in message.calls)
    return f"[{head}]{calls}\n{text}".rstrip()


def _call(call: Call) -> str:
    return f"{call.tool} {call.detail[:_CALL_CHARS]}"


def _page(parts: list[str], request: NodeRequest) -> str:
    """As many parts as have room, and how to get the next ones."""
    room = request.max_tokens or DEFAULT_TOKENS
    start = max(request.start, 1)
    if parts and start > len(parts):
        return f"There are {len(parts)} parts, none from={start} on."
    shown: list[str] = []
    for part in parts[start - 1 :]:
        cost = estimate_tokens(part)
        if shown and cost > room:
            break
        shown.append(part if cost <= room else _cut(part, room))
        room -= cost
    if not shown:
        return ""
    end = start + len(shown) - 1
    more = f"; from={end + 1} gives the next" if end < len(parts) else ""
    return "\n\n".join([f"[{start}-{end} of {len(parts)}{more}]", *shown])


def _cut(part: str, room: int) -> str:
    kept = part
    while kept and estimate_tokens(kept) > room:
        kept = kept[: len(kept) * 3 // 4]
    return f"{kept}\n[… {len(part) - len(kept):,} characters more: ask with a larger maxTokens …]"
