"""A session's newest turns, from the rows of messages as they came."""

from typing import Any

import apsw

from flowctx.message import ParsedMessage, parse_message
from flowctx.model import Message
from flowctx.store.blobs import load_blob
from flowctx.store.facts import load_facts

# Of a longer turn its opening and its end are read.
TURN_MESSAGES = 80


def coming_messages(connection: apsw.Connection, session_id: int) -> list[Message]:
    """What came behind all that the host has handed over: its next list ends with it."""
    rows = connection.execute(
        "SELECT digest, facts FROM messages WHERE session_id = ?1 AND position IS NULL AND id >"
        " coalesce((SELECT max(id) FROM messages WHERE session_id = ?1"
        " AND position IS NOT NULL), 0) ORDER BY id",
        (session_id,),
    )
    return [load_facts(digest, facts) for digest, facts in rows]


def turns_up_to(
    connection: apsw.Connection, session_id: int, digest: bytes, count: int
) -> list[tuple[int, int]]:
    """First and last row id of a message's turn and of those before it, newest first.

    Args:
        connection: of the store.
        session_id: row id of the session.
        digest: of the message; its newest row counts.
        count: how many turns.
    """
    found: Any = connection.execute(
        "SELECT max(id) FROM messages WHERE session_id = ? AND digest = ?", (session_id, digest)
    ).get
    at = int(found or 0)
    starts = [
        int(id_)
        for (id_,) in connection.execute(
            "SELECT id FROM messages WHERE +session_id = ? AND role = 'user' AND id <= ?"
            " ORDER BY id DESC LIMIT ?",
            (session_id, at, count),
        )
    ]
    ends = [_turn_end(connection, session_id, at), *(start - 1 for start in starts)]
    return list(zip(starts, ends, strict=False))


def _turn_end(connection: apsw.Connection, session_id: int, at: int) -> int:
    """Last row of the turn that a row is of; another may have begun since."""
    # Few rows stand behind it: the plus keeps to their order.
    next_start: Any = connection.execute(
        "SELECT id FROM messages WHERE +session_id = ? AND role = 'user' AND id > ?"
        " ORDER BY id LIMIT 1",
        (session_id, at),
    ).get
    if next_start:
        return int(next_start) - 1
    newest: Any = connection.execute(
        "SELECT id FROM messages WHERE +session_id = ? ORDER BY id DESC LIMIT 1", (session_id,)
    ).get
    return int(newest or 0)


def turn_size(connection: apsw.Connection, session_id: int, turn: tuple[int, int]) -> int:
    """How many messages a turn has."""
    query = "SELECT count(*) FROM messages WHERE +session_id = ? AND id BETWEEN ? AND ?"
    return int(connection.execute(query, (session_id, *turn)).get)


def turn_messages(
    connection: apsw.Connection, session_id: int, turn: tuple[int, int]
) -> list[ParsedMessage]:
    """The messages of a turn whose bodies are stored, in order."""
    rows = connection.execute(
        "SELECT body FROM messages WHERE +session_id = ?1 AND id BETWEEN ?2 AND ?3"
        " AND body IS NOT NULL AND (id = ?2 OR id IN (SELECT id FROM messages"
        "  WHERE +session_id = ?1 AND id BETWEEN ?2 AND ?3 ORDER BY id DESC LIMIT ?4)) ORDER BY id",
        (session_id, *turn, TURN_MESSAGES),
    ).fetchall()
    bodies = [load_blob(connection, digest) for (digest,) in rows if isinstance(digest, bytes)]
    return [parse_message(body) for body in bodies if body is not None]


def said_by(connection: apsw.Connection, session_id: int, digests: list[bytes]) -> list[str]:
    """Gists of what user and assistant said in some messages."""
    marks = ", ".join("?" for _ in digests)
    rows = connection.execute(
        # Few messages have a digest, many a role: the plus keeps to the better index.
        "SELECT gist FROM messages WHERE session_id = ? AND +role IN ('user', 'assistant')"
        f" AND digest IN ({marks})",
        (session_id, *digests),
    )
    return [str(gist) for (gist,) in rows]
