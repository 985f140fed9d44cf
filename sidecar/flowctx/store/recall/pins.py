"""Pins: rules and facts that stay in view."""

from dataclasses import dataclass
from typing import Literal

import apsw

PinScope = Literal["session", "agent"]

_OWNED = "agent = ? AND person = ? AND (session_id = ? OR (session_id IS NULL AND NOT ?))"


@dataclass(frozen=True, slots=True)
class Pin:
    """One pin; `scope` says how long it stands."""

    id: int
    scope: PinScope
    text: str
    created_ms: int


@dataclass(frozen=True, slots=True)
class PinOwner:
    """Whose pins: those of an agent and person, and of one epoch of a session.

    Attributes:
        is_alone: shares none with other sessions; it has its own alone.
    """

    agent: str
    person: str
    session_id: int
    is_alone: bool = False


def current_pins(connection: apsw.Connection, owner: PinOwner) -> list[Pin]:
    """The pins that stand in a session's view, in the order they were set."""
    rows = connection.execute(
        "SELECT id, CASE WHEN session_id IS NULL THEN 'agent' ELSE 'session' END, text, created_ms"
        f" FROM pins WHERE {_OWNED} ORDER BY id",
        _owned(owner),
    )
    return [Pin(*row) for row in rows]


def all_pins(connection: apsw.Connection) -> list[tuple[Pin, str, str, str]]:
    """All pins with their agent, person and, where one has it, session key; for the owner."""
    rows = connection.execute(
        "SELECT p.id, CASE WHEN p.session_id IS NULL THEN 'agent' ELSE 'session' END, p.text,"
        " p.created_ms, p.agent, p.person, coalesce(s.key, '') FROM pins p"
        " LEFT JOIN sessions s ON s.id = p.session_id WHERE s.ended_ms IS NULL ORDER BY p.id"
    )
    return [(Pin(*row[:4]), *row[4:]) for row in rows]


def add_pin(
    connection: apsw.Connection, owner: PinOwner, scope: PinScope, text: str, now_ms: int
) -> int:
    """Set a pin and return its id."""
    connection.execute(
        "INSERT INTO pins (agent, person, session_id, text, created_ms) VALUES (?, ?, ?, ?, ?)",
        (
            owner.agent,
            owner.person,
            owner.session_id if scope == "session" else None,
            text,
            now_ms,
        ),
    )
    return connection.last_insert_rowid()


def widen_pin(connection: apsw.Connection, id_: int) -> None:
    """Let a pin of a session stand in all of its agent and person."""
    connection.execute("UPDATE pins SET session_id = NULL WHERE id = ?", (id_,))


def remove_pin(connection: apsw.Connection, owner: PinOwner, id_: int) -> bool:
    """Remove a pin that stands in the owner's session; False when there is no such."""
    connection.execute(f"DELETE FROM pins WHERE id = ? AND {_OWNED}", (id_, *_owned(owner)))
    return connection.changes() > 0


def _owned(owner: PinOwner) -> tuple[str, str, int, bool]:
    return owner.agent, owner.person, owner.session_id, owner.is_alone


def take_pin(connection: apsw.Connection, id_: int) -> Pin | None:
    """Remove a pin whoever it belongs to, and return it; None when there is no such."""
    row = connection.execute(
        "DELETE FROM pins WHERE id = ? RETURNING id,"
        " CASE WHEN session_id IS NULL THEN 'agent' ELSE 'session' END, text, created_ms",
        (id_,),
    ).fetchone()
    return Pin(*row) if row else None
