"""Cards: written once per turn, found by time or by words, deleted for good."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from flowctx.card import Card, Side, StoredCard
from flowctx.identity import SessionRef

_COLUMNS = (
    "c.id, c.session_id, c.session_key, c.agent, c.person, c.side, c.anchor, c.time_ms, c.kind,"
    " c.outcome, c.title, c.text, c.terms, c.has_work, c.messages"
)


@dataclass(frozen=True, slots=True)
class CardScope:
    """Which cards may be looked at.

    Attributes:
        agent: theirs.
        rooms: persons and sides whose cards may be seen.
        since_ms: older ones do not count.
        not_in: epochs whose cards are left out.
    """

    agent: str
    rooms: tuple[tuple[str, Side], ...]
    since_ms: int
    not_in: frozenset[int] = frozenset()


def ensure_card(
    connection: apsw.Connection, session_id: int, ref: SessionRef, side: Side, card: Card
) -> None:
    """Store a turn's card; one made from fewer messages of the turn gives way."""
    connection.execute(
        "INSERT INTO cards (session_id, session_key, agent, person, side, anchor, time_ms, kind,"
        " outcome, title, text, terms, has_work, messages)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (session_id, anchor) DO UPDATE SET time_ms = excluded.time_ms,"
        " kind = excluded.kind, outcome = excluded.outcome, title = excluded.title,"
        " text = excluded.text, terms = excluded.terms, has_work = excluded.has_work,"
        " messages = excluded.messages WHERE excluded.messages > cards.messages",
        (
            session_id, ref.key, ref.agent, ref.person, side, card.anchor, card.time_ms, card.kind,
            card.outcome, card.title, card.text, card.terms, int(card.has_work), card.messages,
        ),
    )  # fmt: skip


def known_messages(connection: apsw.Connection, session_id: int, anchor: bytes) -> int:
    """From how many messages a turn's card was made; 0 when it has none."""
    row = connection.execute(
        "SELECT messages FROM cards WHERE session_id = ? AND anchor = ?", (session_id, anchor)
    ).fetchone()
    return int(row[0]) if row else 0


def recent_cards(connection: apsw.Connection, scope: CardScope, count: int) -> list[StoredCard]:
    """The newest cards in scope, newest first."""
    found: list[StoredCard] = []
    left_out = id_list(scope.not_in)
    for person, side in scope.rooms:
        rows = connection.execute(
            f"SELECT {_COLUMNS} FROM cards c WHERE c.agent = ? AND c.person = ? AND c.side = ?"
            f" AND c.time_ms >= ? AND c.session_id NOT IN ({left_out})"
            " ORDER BY c.time_ms DESC, c.id DESC LIMIT ?",
            (scope.agent, person, side, scope.since_ms, count),
        )
        found.extend(map(_card, rows))
    found.sort(key=lambda each: (each.card.time_ms, each.id), reverse=True)
    return found[:count]


def matching_cards(
    connection: apsw.Connection, scope: CardScope, terms: Sequence[str], count: int
) -> list[StoredCard]:
    """The cards in scope that hold some of the terms, best match first (BM25)."""
    if not terms or not scope.rooms:
        return []
    where, values = scope_clause(scope)
    rows = connection.execute(
        # Only numbers are sorted; the cards themselves are read afterwards.
        "WITH best AS MATERIALIZED (SELECT f.rowid AS id, f.rank AS rank FROM card_terms f"
        " CROSS JOIN cards c ON c.id = f.rowid"
        f" WHERE card_terms MATCH ? AND {where}"
        f" AND c.session_id NOT IN ({id_list(scope.not_in)}) ORDER BY f.rank LIMIT ?)"
        f" SELECT {_COLUMNS} FROM best JOIN cards c ON c.id = best.id ORDER BY best.rank",
        (_any_of(terms), *values, count),
    )
    return [_card(row) for row in rows]


def cards_by_id(connection: apsw.Connection, ids: Iterable[int]) -> list[StoredCard]:
    """The cards with some ids, in no order."""
    query = f"SELECT {_COLUMNS} FROM cards c WHERE c.id IN ({id_list(ids)})"
    return [_card(row) for row in connection.execute(query)]


def scope_clause(scope: CardScope) -> tuple[str, tuple[str | int, ...]]:
    """A condition on cards (as `c`) and its values, all but `not_in`; a room must be named."""
    rooms = ", ".join("(?, ?)" for _ in scope.rooms)
    clause = f"c.agent = ? AND c.time_ms >= ? AND (c.person, c.side) IN (VALUES {rooms})"
    named = (value for room in scope.rooms for value in room)
    return clause, (scope.agent, scope.since_ms, *named)


def term_counts(connection: apsw.Connection, terms: Iterable[str]) -> dict[str, int]:
    """How many cards hold each of the terms; of terms that no card holds, 0."""
    query = "SELECT doc FROM card_words WHERE term = ?"
    return {term: int(connection.execute(query, (term,)).get or 0) for term in terms}


def count_cards(connection: apsw.Connection) -> int:
    """How many cards there are."""
    return int(connection.execute("SELECT count(*) FROM cards").get)


def card_sessions(connection: apsw.Connection, agent: str) -> list[tuple[int, str]]:
    """Epochs that have cards of an agent, with the host's keys."""
    return [
        (id_, key)
        for id_, key in connection.execute(
            "SELECT DISTINCT session_id, session_key FROM cards WHERE agent = ?", (agent,)
        )
    ]


def card_rooms(connection: apsw.Connection) -> dict[str, tuple[tuple[str, Side], ...]]:
    """Persons and sides that have cards, by agent; for the owner of the store."""
    rooms: dict[str, tuple[tuple[str, Side], ...]] = {}
    for agent, person, side in connection.execute(
        "SELECT DISTINCT agent, person, side FROM cards ORDER BY agent, person, side"
    ):
        rooms[agent] = (*rooms.get(agent, ()), (person, side))
    return rooms


def _any_of(terms: Sequence[str]) -> str:
    return " OR ".join(f'"{term}"' for term in terms)


def id_list(ids: Iterable[int]) -> str:
    """Numbers as SQL writes them in a list."""
    return ", ".join(str(int(id_)) for id_ in ids)


def _card(row: tuple[Any, ...]) -> StoredCard:
    anchor, time_ms, kind, outcome, title, text, terms, has_work, messages = row[6:]
    card = Card(anchor, time_ms, kind, outcome, title, text, terms, bool(has_work), messages)
    id_, session_id, key, agent, person, side = row[:6]
    return StoredCard(id_, session_id, key, agent, person, side, card)
