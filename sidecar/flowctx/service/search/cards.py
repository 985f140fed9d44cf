"""Cards among what a search finds: what other sessions did, behind the walls of the cards."""

from collections.abc import Iterable
from dataclasses import dataclass

from flowctx.card import StoredCard
from flowctx.config import Settings
from flowctx.identity import SessionRef
from flowctx.service.search.query import Query
from flowctx.service.search.snippet import snippet
from flowctx.service.sliding.look import ranked_cards
from flowctx.service.sliding.recall import Query as CardQuery
from flowctx.sliding.block import source
from flowctx.sliding.choose import LEAST_RELEVANCE
from flowctx.sliding.terms import asked_terms, terms_of
from flowctx.sliding_settings import Level
from flowctx.store.cards import CardScope, card_rooms, card_sessions, matching_cards, recent_cards
from flowctx.store.connection import Connection

# Beside messages and notes only the best few are shown.
MOST_CARDS = 3
CARD_ROLE = "card"
_LOOKED_AT = 24
# Filters may leave out the newest of an agent's.
_MOST_LISTED = 1_000
_MOST_TERMS = 12


@dataclass(frozen=True, slots=True)
class CardHit:
    """A card that was found.

    Attributes:
        source: the session it came from, as its agent names it; `session` is the whole key.
        kind: of that session; `outcome` of its turn.
        snippet: of what may be shown of it, hits between `**`.
    """

    session: str
    source: str
    kind: str
    outcome: str
    time_ms: int
    snippet: str


def find_cards(
    connection: Connection, ref: SessionRef, query: Query, settings: Settings, now_ms: int
) -> tuple[CardHit, ...]:
    """Cards of other sessions that the caller may see and that answer the query, best first."""
    if not _asks_for_cards(query):
        return ()
    asked = CardQuery(ref, 0, " ".join(query.shown), now_ms)
    found = [
        (each.stored, each.level)
        for each in ranked_cards(connection, asked, settings)
        if each.signals.relevance >= LEAST_RELEVANCE or not query.shown
    ]
    return _hits(found if query.shown else _newest_first(found), query)


def find_all_cards(connection: Connection, query: Query, session_key: str) -> tuple[CardHit, ...]:
    """The same over the cards of all agents and persons, or of one session; for the owner."""
    if not _asks_for_cards(query):
        return ()
    terms = asked_terms(" ".join(query.shown), _MOST_TERMS)
    found: list[tuple[StoredCard, Level]] = []
    for agent, rooms in card_rooms(connection).items():
        others = (
            id_ for id_, key in card_sessions(connection, agent) if session_key not in ("", key)
        )
        scope = CardScope(agent, rooms, 0, frozenset(others))
        cards = (
            matching_cards(connection, scope, terms, _LOOKED_AT)
            if query.shown
            else recent_cards(connection, scope, _MOST_LISTED)
        )
        found += [(each, "full") for each in cards]
    return _hits(found if query.shown else _newest_first(found), query)


def _asks_for_cards(query: Query) -> bool:
    is_asked = query.role == CARD_ROLE or (not query.role and bool(query.shown))
    return is_asked and not query.tool


def _newest_first(found: Iterable[tuple[StoredCard, Level]]) -> list[tuple[StoredCard, Level]]:
    return sorted(found, key=lambda each: -each[0].card.time_ms)


def _hits(found: Iterable[tuple[StoredCard, Level]], query: Query) -> tuple[CardHit, ...]:
    most = _LOOKED_AT if query.role == CARD_ROLE else MOST_CARDS
    return tuple(
        CardHit(
            session=stored.session_key,
            source=source(stored),
            kind=stored.card.kind,
            outcome=stored.card.outcome,
            time_ms=stored.card.time_ms,
            snippet=snippet(_shown(stored, level), query.shown),
        )
        for stored, level in found
        if _answers(stored, level, query)
    )[:most]


def _shown(stored: StoredCard, level: Level) -> str:
    return stored.card.text if level == "full" else stored.card.title


def _answers(stored: StoredCard, level: Level, query: Query) -> bool:
    """True when the filters let a card pass, and what may be shown of it holds what was asked.

    A card of which only the title may be shown must not tell by being found what
    stands in the rest of it.
    """
    shown = _shown(stored, level)
    text = " ".join(shown.split()).casefold()
    terms = set(terms_of(shown)) if level != "full" else set(stored.card.terms.split())
    return (
        query.after_ms <= stored.card.time_ms < (query.before_ms or stored.card.time_ms + 1)
        and query.session.lower() in stored.session_key.lower()
        and all(" ".join(each.split()).casefold() in text for each in query.quoted)
        and (
            not query.shown or not terms.isdisjoint(asked_terms(" ".join(query.shown), _LOOKED_AT))
        )
    )
