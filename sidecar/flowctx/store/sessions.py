"""Sessions and their epochs."""

from dataclasses import dataclass, replace
from typing import Any

import apsw

from flowctx.identity import SessionKind, SessionRef


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One epoch of a session.

    Attributes:
        settings_print: of the settings its frozen views were made under.
        assembles, raw_tokens, view_tokens: sums over all assembled views.
    """

    id: int
    ref: SessionRef
    epoch: int
    started_ms: int
    seen_ms: int
    ended_ms: int | None
    settings_print: str
    assembles: int
    raw_tokens: int
    view_tokens: int


def current_session(connection: apsw.Connection, ref: SessionRef) -> SessionRow | None:
    """The newest epoch of a session, or None when it is not known."""
    rows = _select(
        connection, "WHERE agent = ? AND key = ? ORDER BY epoch DESC LIMIT 1", ref.agent, ref.key
    )
    return rows[0] if rows else None


def known_ref(connection: apsw.Connection, ref: SessionRef) -> SessionRef:
    """The same session with the person it was first seen with.

    A sub-agent's parent is told once; later calls may come without it.
    """
    found = current_session(connection, ref) if ref.kind is SessionKind.SUBAGENT else None
    return found.ref if found else ref


def ensure_session(connection: apsw.Connection, ref: SessionRef, now_ms: int) -> SessionRow:
    """The running epoch of a session; begins one where none is running."""
    found = current_session(connection, ref)
    if found is None:
        return add_epoch(connection, ref, 1, now_ms)
    if ref.is_sandboxed and not found.ref.is_sandboxed:
        connection.execute("UPDATE sessions SET is_sandboxed = 1 WHERE id = ?", (found.id,))
        found = replace(found, ref=replace(found.ref, is_sandboxed=True))
    if found.ended_ms is None:
        return found
    return add_epoch(connection, found.ref, found.epoch + 1, now_ms)


def add_epoch(connection: apsw.Connection, ref: SessionRef, epoch: int, now_ms: int) -> SessionRow:
    """Begin an epoch with a number that is free."""
    connection.execute(
        "INSERT INTO sessions (key, agent, person, kind, epoch, started_ms, seen_ms, is_sandboxed)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(ref.key, ref.agent, ref.person, ref.kind.value),
            *(epoch, now_ms, now_ms, int(ref.is_sandboxed)),
        ),
    )
    id_ = connection.last_insert_rowid()
    return SessionRow(id_, ref, epoch, now_ms, now_ms, None, "", 0, 0, 0)


def end_epoch(connection: apsw.Connection, session_id: int, now_ms: int) -> None:
    """End an epoch because the host said so; what it holds stays until it expires."""
    connection.execute(
        "UPDATE sessions SET ended_ms = ? WHERE id = ? AND ended_ms IS NULL", (now_ms, session_id)
    )


def begin_epoch(connection: apsw.Connection, old: SessionRow, now_ms: int) -> SessionRow:
    """End an epoch and begin the next; what came with the running turn moves over.

    Messages that came since the newest user message belong to the new epoch:
    the host had written them before it asked for a view.
    """
    new = add_epoch(connection, old.ref, old.epoch + 1, now_ms)
    end_epoch(connection, old.id, now_ms)
    connection.execute("UPDATE messages SET visible = 0 WHERE session_id = ?", (old.id,))
    connection.execute(
        "UPDATE messages SET session_id = ?1 WHERE session_id = ?2 AND position IS NULL AND id >="
        " (SELECT max(id) FROM messages WHERE session_id = ?2 AND role = 'user'"
        " AND position IS NULL)",
        (new.id, old.id),
    )
    return new


def mark_seen(connection: apsw.Connection, session_id: int, now_ms: int, print_: str) -> None:
    """Note that a session was active, under which settings."""
    connection.execute(
        "UPDATE sessions SET seen_ms = ?, settings_print = ? WHERE id = ?",
        (now_ms, print_, session_id),
    )


def note_gone(connection: apsw.Connection, session_id: int, gone: int) -> None:
    """Note how many messages behind its summaries the host no longer hands over."""
    connection.execute("UPDATE sessions SET gone = ? WHERE id = ?", (gone, session_id))


def gone_of(connection: apsw.Connection, session_id: int) -> int:
    """How many messages behind its summaries the host no longer hands over."""
    row = connection.execute("SELECT gone FROM sessions WHERE id = ?", (session_id,)).fetchone()
    return int(row[0]) if row else 0


def add_sent(connection: apsw.Connection, session_id: int, raw: int, view: int) -> None:
    """Count one assembled view."""
    connection.execute(
        "UPDATE sessions SET assembles = assembles + 1, raw_tokens = raw_tokens + ?,"
        " view_tokens = view_tokens + ? WHERE id = ?",
        (raw, view, session_id),
    )


def ref_of(connection: apsw.Connection, session_id: int) -> SessionRef | None:
    """The session that a row belongs to; None when it was purged."""
    rows = _select(connection, "WHERE id = ?", session_id)
    return rows[0].ref if rows else None


def is_running(connection: apsw.Connection, session_id: int) -> bool:
    """True while an epoch has not ended."""
    return (
        connection.execute(
            "SELECT 1 FROM sessions WHERE id = ? AND ended_ms IS NULL", (session_id,)
        ).get
        is not None
    )


def note_terms(connection: apsw.Connection, session_id: int) -> tuple[int, str]:
    """The window a session's notes are for (0 when never told), and what they are to attend to."""
    row: Any = connection.execute(
        "SELECT window_tokens, focus FROM sessions WHERE id = ?", (session_id,)
    ).fetchone()
    return row or (0, "")


def set_window(connection: apsw.Connection, session_id: int, window_tokens: int) -> None:
    """Remember the window of the model that reads a session's views."""
    connection.execute(
        "UPDATE sessions SET window_tokens = ? WHERE id = ?", (window_tokens, session_id)
    )


def set_focus(connection: apsw.Connection, session_id: int, focus: str) -> None:
    """Remember what the user wants a session's notes to attend to."""
    connection.execute("UPDATE sessions SET focus = ? WHERE id = ?", (focus, session_id))


def list_sessions(connection: apsw.Connection, key: str = "") -> list[SessionRow]:
    """All epochs, most recently active first; of one key if given."""
    if key:
        return _select(connection, "WHERE key = ? ORDER BY seen_ms DESC, id DESC", key)
    return _select(connection, "ORDER BY seen_ms DESC, id DESC")


def _select(connection: apsw.Connection, where: str, *values: str | int) -> list[SessionRow]:
    rows = connection.execute(
        "SELECT id, key, agent, kind, person, is_sandboxed, epoch, started_ms, seen_ms, ended_ms,"
        f" settings_print, assembles, raw_tokens, view_tokens FROM sessions {where}",
        values,
    )
    return [
        SessionRow(
            id_, SessionRef(key, agent, SessionKind(kind), person, is_sandboxed=bool(walled)), *rest
        )
        for id_, key, agent, kind, person, walled, *rest in rows
    ]
