"""The notes of a session as a tree, and unfolding one until the next round."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flowctx.dag.plan.frontier import find_folds, place_folds
from flowctx.errors import InvalidRequestError
from flowctx.model import Message, Placement
from flowctx.service.context import Context
from flowctx.service.state import SessionTable
from flowctx.store.connection import Connection
from flowctx.store.jobs import open_jobs
from flowctx.store.ledger import last_events
from flowctx.store.messages import visible_messages
from flowctx.store.notes import (
    NoteRow,
    current_folds,
    find_note,
    is_current,
    session_notes,
    set_undone,
)
from flowctx.store.reader import Readable
from flowctx.store.sessions import list_sessions
from flowctx.view.engine_made import engine_text

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class NotesRequest:
    """What is asked of notes: "list" of a session; "show", "undo" or "redo" of a node."""

    action: str
    session_key: str = ""
    node: str = ""


def answer_notes(context: Context, table: SessionTable, request: NotesRequest) -> Document:
    """Do what is asked.

    Raises:
        InvalidRequestError: there is no such action, session or note.
        StoreError: the store cannot be used.
    """
    match request.action:
        case "list":
            return list_notes(context.database, request.session_key)
        case "show":
            return show_note(context.database, request.node)
        case "undo":
            return undo_note(context, table, request.node)
        case "redo":
            return redo_note(context, table, request.node)
    message = f"Notes have no action {request.action!r}."
    raise InvalidRequestError(message)


def list_notes(database: Readable, key: str) -> Document:
    """All notes and digests of the newest epoch of a session, oldest first.

    Raises:
        InvalidRequestError: no session has this key.
        StoreError: the store cannot be read.
    """
    return database.read(lambda connection: _list(connection, key))


def show_note(database: Readable, node: str) -> Document:
    """One note with its text.

    Raises:
        InvalidRequestError: there is no such note.
        StoreError: the store cannot be read.
    """

    def work(connection: Connection) -> Document:
        row = require_note(connection, node)
        messages = visible_messages(connection, row.session_id)
        told = _Teller(session_notes(connection, row.session_id), messages).line(row)
        return {**told, "text": engine_text(row.fold.body)}

    return database.read(work)


def undo_note(context: Context, table: SessionTable, node: str) -> Document:
    """Show what a note stands for in its place, until the next round folds it again.

    Raises:
        InvalidRequestError: there is no such note, or it is not folded.
        StoreError: it could not be stored.
    """
    return _change(context, table, node, undone_ms=context.now_ms())


def redo_note(context: Context, table: SessionTable, node: str) -> Document:
    """Fold a note again that was unfolded.

    Raises:
        InvalidRequestError: there is no such note, or it was not unfolded.
        StoreError: it could not be stored.
    """
    return _change(context, table, node, undone_ms=None)


def _change(context: Context, table: SessionTable, node: str, *, undone_ms: int | None) -> Document:
    def write(connection: Connection) -> NoteRow:
        row = require_note(connection, node)
        is_done = row.undone_ms is not None
        may_be = row.fold.kind == "note" and row.committed_ms is not None
        if not may_be or is_done == (undone_ms is not None):
            wanted = "unfolded" if undone_ms is not None else "folded"
            message = f"Note {node} cannot be {wanted}: it is {_plain_state(row)}."
            raise InvalidRequestError(message)
        set_undone(connection, row, undone_ms)
        return row

    row = context.database.write(write).result()
    _show_in(context, table, row.session_id)
    context.notify("trigger", f"note {node} {'un' if undone_ms else ''}folded by hand")
    return show_note(context.database, node)


def _show_in(context: Context, table: SessionTable, session_id: int) -> None:
    """Let the next view of the session know."""
    for state in table.held():
        with state.lock:
            if state.row is not None and state.row.id == session_id:
                state.folds = tuple(context.database.read(lambda c: current_folds(c, session_id)))


def _plain_state(row: NoteRow) -> str:
    if row.fold.kind == "digest":
        return "a digest"
    if row.committed_ms is None:
        return "not in the view yet"
    return "unfolded" if row.undone_ms is not None else "folded"


def require_note(connection: Connection, node: str) -> NoteRow:
    """The note of a node, however its name is written.

    Raises:
        InvalidRequestError: there is no such note.
    """
    row = find_note(connection, node.strip().lower())
    if row is None:
        message = f"No note {node!r} is stored."
        raise InvalidRequestError(message, hint="`flowctx notes SESSION` lists them.")
    return row


def _list(connection: Connection, key: str) -> Document:
    sessions = list_sessions(connection, key) if key else []
    if not sessions:
        message = f"No session {key!r} is stored."
        raise InvalidRequestError(message, hint="`flowctx sessions` lists them.")
    session = max(sessions, key=lambda row: row.epoch)
    messages, rows = visible_messages(connection, session.id), session_notes(connection, session.id)
    teller = _Teller(rows, messages)
    waiting = [
        {"kind": job.key.kind, "messages": job.key.count, "state": job.state,
         "attempts": job.attempts, "next_try_ms": job.next_try_ms, "error": job.error}
        for job in open_jobs(connection, session.id)
    ]  # fmt: skip
    return {
        "key": session.ref.key,
        "agent": session.ref.agent,
        "epoch": session.epoch,
        "messages": len(messages),
        "notes": [teller.line(row) for row in rows],
        "waiting": waiting,
        "last_pass": next(iter(last_events(connection, session.id, "notes", 1)), None),
        "rest": next(iter(last_events(connection, session.id, "notes-rest", 1)), None),
    }


class _Teller:
    """Tells of each note where it is and whether it stands in the view."""

    def __init__(self, rows: Sequence[NoteRow], messages: Sequence[Message]) -> None:
        self._messages = messages
        folds = [row.fold for row in rows]
        self._spots: Mapping[str, Placement] = {
            spot.fold.node: spot for spot in find_folds(messages, folds)
        }
        current = [row.fold for row in rows if is_current(row)]
        self._standing = {spot.fold.node for spot in place_folds(messages, current)}

    def line(self, row: NoteRow) -> Document:
        """One note, without its text."""
        fold, spot = row.fold, self._spots.get(row.fold.node)
        covered = self._messages[spot.start : spot.end] if spot else ()
        return {
            "node": fold.node,
            "kind": fold.kind,
            "depth": fold.depth,
            "state": self._state(row),
            "start": spot.start if spot else None,
            "messages": fold.count,
            "raw_tokens": sum(message.tokens for message in covered),
            "tokens": fold.tokens,
            "created_ms": row.created_ms,
            "sources": list(row.sources),
        }

    def _state(self, row: NoteRow) -> str:
        checks: tuple[tuple[str, Callable[[], bool]], ...] = (
            ("away", lambda: row.fold.node not in self._spots),
            ("draft", lambda: row.committed_ms is None),
            ("unfolded", lambda: row.undone_ms is not None),
            ("in view", lambda: row.fold.node in self._standing),
        )
        return next((name for name, applies in checks if applies()), "replaced")
