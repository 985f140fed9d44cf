"""Injected blocks of cards: what each shows and why; listing and deleting cards."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import apsw
import orjson

from flowctx.card import Pick


@dataclass(frozen=True, slots=True)
class CardSelection:
    """Which cards a command means; an empty field does not choose.

    Attributes:
        session_key: of the session they came from.
        agent: theirs.
        before_ms: only older ones.
    """

    session_key: str = ""
    agent: str = ""
    before_ms: int = 0


def note_picks(connection: apsw.Connection, node: str, picks: Sequence[Pick]) -> None:
    """Remember what a block shows; its injection must be stored already."""
    connection.executemany(
        "INSERT OR IGNORE INTO card_picks (node, at, card_id, data) VALUES (?, ?, ?, ?)",
        [
            (node, at, pick.card_id, orjson.dumps(asdict(pick)).decode())
            for at, pick in enumerate(picks)
        ],
    )


def picks_of(connection: apsw.Connection, node: str) -> list[Pick]:
    """What a block shows, in its order."""
    rows = connection.execute("SELECT data FROM card_picks WHERE node = ? ORDER BY at", (node,))
    return [Pick(**orjson.loads(data)) for (data,) in rows]


def shown_cards(connection: apsw.Connection, session_id: int) -> set[int]:
    """Cards that stand in a session's view already."""
    rows = connection.execute(
        "SELECT p.card_id FROM card_picks p JOIN injections i ON i.node = p.node"
        " WHERE i.session_id = ? AND i.removed_ms IS NULL AND p.card_id IS NOT NULL",
        (session_id,),
    )
    return {int(id_) for (id_,) in rows}


def list_cards(
    connection: apsw.Connection, selection: CardSelection, limit: int
) -> list[dict[str, object]]:
    """Cards as documents, newest first."""
    where, values = _where(selection)
    rows = connection.execute(
        "SELECT id, time_ms, agent, person, session_key, kind, outcome, title, text FROM cards"
        f" {where} ORDER BY time_ms DESC, id DESC LIMIT ?",
        (*values, limit),
    )
    names = ("id", "time_ms", "agent", "person", "key", "kind", "outcome", "title", "text")
    return [dict(zip(names, row, strict=True)) for row in rows]


def count_selected(connection: apsw.Connection, selection: CardSelection) -> int:
    """How many cards are selected."""
    where, values = _where(selection)
    return int(connection.execute(f"SELECT count(*) FROM cards {where}", values).get)


def delete_cards(connection: apsw.Connection, selection: CardSelection) -> int:
    """Delete cards on request, with the injected blocks that show them."""
    where, values = _where(selection)
    connection.execute(f"DELETE FROM cards {where}", values)
    return connection.changes()


def delete_cards_of_body(connection: apsw.Connection, body: bytes) -> None:
    """Delete the cards of turns that a message with this body stands in."""
    connection.execute(
        "DELETE FROM cards WHERE (session_id, anchor) IN (SELECT m.session_id,"
        " (SELECT u.digest FROM messages u WHERE u.session_id = m.session_id AND u.role = 'user'"
        " AND u.id <= m.id ORDER BY u.id DESC LIMIT 1) FROM messages m WHERE m.body = ?)",
        (body,),
    )


def keep_blocks(connection: apsw.Connection, session_ids: Sequence[int]) -> None:
    """Let blocks stand that show cards of sessions which are about to expire."""
    connection.executemany(
        "UPDATE card_picks SET card_id = NULL WHERE card_id IN"
        " (SELECT id FROM cards WHERE session_id = ?)",
        [(id_,) for id_ in session_ids],
    )


def expire_cards(connection: apsw.Connection, before_ms: int) -> int:
    """Delete cards that are past the window; blocks that show them keep their bytes."""
    connection.execute(
        "UPDATE card_picks SET card_id = NULL WHERE card_id IN"
        " (SELECT id FROM cards WHERE time_ms < ?)",
        (before_ms,),
    )
    connection.execute("DELETE FROM cards WHERE time_ms < ?", (before_ms,))
    return connection.changes()


def _where(selection: CardSelection) -> tuple[str, tuple[str | int, ...]]:
    parts: list[tuple[str, str | int]] = []
    if selection.session_key:
        parts.append(("session_key = ?", selection.session_key))
    if selection.agent:
        parts.append(("agent = ?", selection.agent))
    if selection.before_ms:
        parts.append(("time_ms < ?", selection.before_ms))
    clause = " AND ".join(part for part, _ in parts)
    return (f"WHERE {clause}" if clause else ""), tuple(value for _, value in parts)
