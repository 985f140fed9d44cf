"""Recall: the cards a session may see, scored on every signal."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flowctx.card import StoredCard
from flowctx.identity import SessionRef
from flowctx.service.sliding.embedding.likeness import distinct_cards
from flowctx.sliding.choose import Candidate
from flowctx.sliding.score import Signals, joint_relevance, recency
from flowctx.sliding.shift import is_rare
from flowctx.sliding.terms import Question, asked_terms
from flowctx.sliding.walls import OWNER, Grant, grants_of, is_skipped, side_of
from flowctx.sliding_settings import SlidingSettings
from flowctx.store.card_people import people_in, rooms_of
from flowctx.store.card_vectors import CardVector
from flowctx.store.cards import (
    CardScope,
    card_sessions,
    count_cards,
    matching_cards,
    recent_cards,
    term_counts,
)
from flowctx.store.connection import Connection
from flowctx.store.ledger import own_epochs

# Words of a prompt that are looked at, and those of them that are looked for: the rarest.
_PROMPT_TERMS = 60
_SEARCHED_TERMS = 12
# Near-duplicates are taken out later, so more are fetched than are shown.
_SPARE_FACTOR = 3
_MATCHES = 24


@dataclass(frozen=True, slots=True)
class Query:
    """What is recalled for whom.

    Attributes:
        ref: the session that asks, as the host names it.
        session_id: its epoch, whose own cards are no news to it; 0 for none. Nor are those
            that were reset on request: who begins anew wants nothing of the old.
        prompt: what the cards should be about; may be empty.
        now_ms: the time, Unix milliseconds.
        seen: cards that stand in its view already.
        vector: of the prompt, where there is one; else words alone decide.
    """

    ref: SessionRef
    session_id: int
    prompt: str
    now_ms: int
    seen: frozenset[int] = frozenset()
    vector: CardVector | None = None


def find_candidates(
    connection: Connection, query: Query, settings: SlidingSettings
) -> list[Candidate]:
    """The newest cards and those about the prompt, each once, each with all its signals."""
    grants = visible_rooms(connection, query.ref, settings)
    scope = _scope(connection, query, grants, settings)
    cards = count_cards(connection)
    asked = asked_terms(query.prompt, _PROMPT_TERMS)
    counts = term_counts(connection, asked)
    question = Question.of(asked, counts, cards)
    wanted = sorted((term for term in asked if counts[term]), key=lambda term: counts[term])
    newest = recent_cards(connection, scope, settings.recent_count * _SPARE_FACTOR)
    matching = matching_cards(connection, scope, wanted[:_SEARCHED_TERMS], _MATCHES)
    found = {each.id: each for each in (*newest, *matching)}
    distinction = distinct_cards(connection, scope, query.vector, found)
    levels = {(grant.room, grant.side): grant.level for grant in grants}
    return [
        Candidate(
            each,
            levels[each.person, each.side],
            _signals(
                each,
                query,
                joint_relevance(
                    question.answered_by(each.card.terms), distinction.get(each.id, 0.0)
                ),
            ),
        )
        for each in found.values()
        if each.id not in query.seen
    ]


def has_rare_term(connection: Connection, terms: Iterable[str]) -> bool:
    """True when one of some terms stands in a few of all cards."""
    cards = count_cards(connection)
    return any(is_rare(count, cards) for count in term_counts(connection, terms).values())


def visible_rooms(
    connection: Connection, ref: SessionRef, settings: SlidingSettings
) -> tuple[Grant, ...]:
    """Whose cards a session may see, from what is known of people and rooms."""
    agent, person = ref.agent, ref.person
    if side_of(ref) == "group":
        return grants_of(ref, (), people_in(connection, agent, person), settings)
    if person == OWNER:
        same = {room for room in rooms_of(connection, agent, [OWNER]) if not _is_group(room)}
    else:
        same = people_in(connection, agent, person) & {OWNER}
    rooms = rooms_of(connection, agent, {person, *same})
    return grants_of(ref, same, rooms, settings)


def _scope(
    connection: Connection, query: Query, grants: Sequence[Grant], settings: SlidingSettings
) -> CardScope:
    left_out = {query.session_id, *own_epochs(connection, query.ref.agent, query.ref.key)}
    if settings.skip_sessions:
        known = card_sessions(connection, query.ref.agent)
        left_out |= set(_skipped(known, settings.skip_sessions))
    return CardScope(
        agent=query.ref.agent,
        rooms=tuple((grant.room, grant.side) for grant in grants),
        since_ms=query.now_ms - settings.window_ms,
        not_in=frozenset(left_out),
    )


def _skipped(known: Iterable[tuple[int, str]], patterns: Sequence[str]) -> Iterable[int]:
    return (id_ for id_, key in known if is_skipped(key, patterns))


def _signals(stored: StoredCard, query: Query, relevance_: float) -> Signals:
    card = stored.card
    return Signals(
        relevance=relevance_,
        recency=recency(card.time_ms, query.now_ms),
        same_session=float(stored.session_key == query.ref.key),
        work=float(card.has_work),
        dm=float(card.kind == "dm"),
    )


def _is_group(room: str) -> bool:
    return room.startswith("group:")
