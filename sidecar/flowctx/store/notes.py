"""Folds: engine-made messages that stand for a run of messages.

A digest is committed as it is made. A note is a draft until the round it
belongs to commits it; rows stay whatever becomes of them later.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import apsw

from flowctx.model import Fold


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A fold with what became of it.

    Attributes:
        chain: hash over the digests of all covered messages; empty for a digest.
        committed_ms: None while it is a draft.
        undone_ms: when the user unfolded it; None when not.
        superseded_ms: when a later digest took its place; None when not.
        sources: the notes it was made from, oldest first.
    """

    fold: Fold
    session_id: int
    chain: bytes
    created_ms: int
    committed_ms: int | None
    undone_ms: int | None
    superseded_ms: int | None
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A note as it was written."""

    fold: Fold
    chain: bytes
    sources: tuple[str, ...] = ()


def ensure_fold(connection: apsw.Connection, session_id: int, fold: Fold, now_ms: int) -> None:
    """Store a fold that stands from now on; the same node is stored once."""
    _insert(connection, session_id, Draft(fold, b""), now_ms)
    connection.execute(
        "UPDATE notes SET committed_ms = coalesce(committed_ms, ?), superseded_ms = NULL"
        " WHERE session_id = ? AND node = ?",
        (now_ms, session_id, fold.node),
    )


def ensure_draft(connection: apsw.Connection, session_id: int, draft: Draft, now_ms: int) -> None:
    """Store a note that waits for its round; the same node is stored once."""
    _insert(connection, session_id, draft, now_ms)
    connection.executemany(
        "INSERT OR IGNORE INTO note_sources (node, source, place) VALUES (?, ?, ?)",
        [(draft.fold.node, source, place) for place, source in enumerate(draft.sources)],
    )


def commit_drafts(
    connection: apsw.Connection, session_id: int, nodes: Iterable[str], now_ms: int
) -> None:
    """Let drafts stand from now on; what the user had unfolded folds again with them."""
    connection.executemany(
        "UPDATE notes SET committed_ms = ?"
        " WHERE session_id = ? AND node = ? AND committed_ms IS NULL",
        [(now_ms, session_id, node) for node in nodes],
    )
    connection.execute("UPDATE notes SET undone_ms = NULL WHERE session_id = ?", (session_id,))


def set_undone(connection: apsw.Connection, row: NoteRow, undone_ms: int | None) -> None:
    """Unfold a committed note, or with None fold it again."""
    connection.execute(
        "UPDATE notes SET undone_ms = ? WHERE session_id = ? AND node = ?",
        (undone_ms, row.session_id, row.fold.node),
    )


def supersede_digests(
    connection: apsw.Connection, session_id: int, kept: list[str], now_ms: int
) -> None:
    """Take all digests of a session out of its view but the named ones; rows stay."""
    marks = ", ".join("?" for _ in kept)
    connection.execute(
        "UPDATE notes SET superseded_ms = ? WHERE session_id = ? AND kind = 'digest'"
        f" AND superseded_ms IS NULL AND node NOT IN ({marks})",
        (now_ms, session_id, *kept),
    )


def current_folds(connection: apsw.Connection, session_id: int) -> list[Fold]:
    """The folds that may stand in a session's view, in the order they were made."""
    return [row.fold for row in session_notes(connection, session_id) if is_current(row)]


def folds_changed_since(connection: apsw.Connection, session_id: int, time_ms: int) -> bool:
    """True when folds of a session came or went after a time."""
    found: Any = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM notes WHERE session_id = ?"
        " AND max(coalesce(committed_ms, 0), coalesce(undone_ms, 0), coalesce(superseded_ms, 0))"
        " > ?)",
        (session_id, time_ms),
    ).get
    return bool(found)


def is_current(row: NoteRow) -> bool:
    """True for a fold that stands where its messages are found."""
    return row.committed_ms is not None and row.undone_ms is None and row.superseded_ms is None


def session_notes(connection: apsw.Connection, session_id: int) -> list[NoteRow]:
    """All folds of a session, in the order they were made."""
    return _select(connection, "session_id = ?", session_id)


def find_note(connection: apsw.Connection, node: str) -> NoteRow | None:
    """The fold with an id, or None."""
    return next(iter(_select(connection, "node = ?", node)), None)


def _select(connection: apsw.Connection, where: str, value: str | int) -> list[NoteRow]:
    rows: Any = connection.execute(
        "SELECT node, kind, first, last, count, body, tokens, depth, session_id, chain,"
        f" created_ms, committed_ms, undone_ms, superseded_ms FROM notes WHERE {where}"
        " ORDER BY rowid",
        (value,),
    ).fetchall()
    found = []
    for node, kind, first, last, count, body, tokens, depth, *rest in rows:
        session_id, chain, created, committed, undone, superseded = rest
        fold = Fold(node, kind, first, last, count, body, tokens, depth, chain)
        sources = _sources(connection, node)
        found.append(
            NoteRow(fold, session_id, chain, created, committed, undone, superseded, sources)
        )
    return found


def _sources(connection: apsw.Connection, node: str) -> tuple[str, ...]:
    rows = connection.execute(
        "SELECT source FROM note_sources WHERE node = ? ORDER BY place", (node,)
    )
    return tuple(source for (source,) in rows)


def _insert(connection: apsw.Connection, session_id: int, draft: Draft, now_ms: int) -> None:
    fold = draft.fold
    connection.execute(
        "INSERT OR IGNORE INTO notes (session_id, node, kind, first, last, count, body, tokens,"
        " depth, chain, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            session_id,
            fold.node,
            fold.kind,
            fold.first,
            fold.last,
            fold.count,
            fold.body,
            fold.tokens,
            fold.depth,
            draft.chain,
            now_ms,
        ),
    )
