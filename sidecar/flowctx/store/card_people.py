"""Who spoke in which room: what the walls need to know of people."""

from collections.abc import Iterable

import apsw

from flowctx.identity import SessionRef


def note_people(
    connection: apsw.Connection, session_id: int, ref: SessionRef, people: Iterable[str]
) -> None:
    """Remember that some people spoke in a session."""
    connection.executemany(
        "INSERT OR IGNORE INTO card_people (session_id, agent, room, person) VALUES (?, ?, ?, ?)",
        [(session_id, ref.agent, ref.person, person) for person in people],
    )


def people_in(connection: apsw.Connection, agent: str, room: str) -> set[str]:
    """Everyone who spoke in a room."""
    rows = connection.execute(
        "SELECT DISTINCT person FROM card_people WHERE agent = ? AND room = ?", (agent, room)
    )
    return {str(person) for (person,) in rows}


def rooms_of(connection: apsw.Connection, agent: str, people: Iterable[str]) -> set[str]:
    """The rooms in which any of some people spoke."""
    rooms: set[str] = set()
    for person in people:
        rows = connection.execute(
            "SELECT DISTINCT room FROM card_people WHERE agent = ? AND person = ?", (agent, person)
        )
        rooms.update(str(room) for (room,) in rows)
    return rooms
