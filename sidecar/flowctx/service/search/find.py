"""Search over what an agent and person said, what tools returned to them, and their notes."""

from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from flowctx.errors import StoreError
from flowctx.identity import SessionRef
from flowctx.message import HASH_CHARS, ParsedMessage, hash_text, parse_message, text_of
from flowctx.service.search.cards import CardHit, find_all_cards
from flowctx.service.search.document import said_in
from flowctx.service.search.query import Query, read_query
from flowctx.service.search.snippet import snippet
from flowctx.spoken import spoken_text
from flowctx.store.blobs import load_blob
from flowctx.store.connection import Connection
from flowctx.store.reader import Readable
from flowctx.store.recall.hits import Source, result_after, source_of
from flowctx.store.recall.match import Filters, Match, match_documents, newest_ask
from flowctx.store.sessions import is_running, known_ref

DEFAULT_HITS, MOST_HITS = 8, 25
# Equal texts are shown once, so some more are looked at.
_SPARE = 3


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that was found.

    Attributes:
        hash: of the message's text, its calls included: `flowctx_retrieve` gives it back.
        node: of a note; empty for a message.
        snippet: its best stretch, hits between `**`.
        is_earlier: of a conversation that has ended, by a reset for one.
        result_hash: of what the first call of the message brought; empty where it calls nothing.
    """

    kind: str
    session: str
    role: str
    tool: str
    time_ms: int
    hash: str
    node: str
    snippet: str
    score: float
    is_earlier: bool = False
    result_hash: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    Attributes:
        scope: what was searched, in words.
        problems: parts of the query that could not be read.
        sources: of the hits, to let their originals be retrieved.
        is_wide: other sessions were searched, too.
        cards: what other sessions did, as far as it answers.
        has_more: some that match are not among the hits.
    """

    hits: tuple[Hit, ...]
    scope: str
    problems: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    is_wide: bool = False
    cards: tuple[CardHit, ...] = ()
    has_more: bool = False

    def document(self) -> dict[str, Any]:
        """For machines."""
        return {
            "scope": self.scope,
            "problems": list(self.problems),
            "has_more": self.has_more,
            "hits": [asdict(hit) for hit in self.hits],
            "cards": [asdict(card) for card in self.cards],
        }


def search(database: Readable, ref: SessionRef, text: str, limit: int = 0) -> Found:
    """Search as the caller: first its session, then all of its agent and person.

    Args:
        database: the store.
        ref: the caller, as the host gives it; never from a model's arguments.
        text: words, phrases and filters; see `read_query`.
        limit: hits to return; 0 for `DEFAULT_HITS`.

    Raises:
        StoreError: the store cannot be read.
    """
    query = read_query(text)
    most = _at_most(limit)
    return database.read(lambda connection: _search(connection, ref, query, most))


def search_as_owner(database: Readable, text: str, limit: int = 0, session_key: str = "") -> Found:
    """Search what any agent stored, or one session; for the owner of the store.

    Raises:
        StoreError: the store cannot be read.
    """
    query = read_query(text)
    filters = Filters(
        agent="",
        person="",
        has_walls=False,
        session_key=session_key,
        session_part=query.session,
        role=query.role,
        tool=query.tool,
        after_ms=query.after_ms,
        before_ms=query.before_ms,
    )
    scope = session_key or "all sessions"

    def work(connection: Connection) -> Found:
        found = _found(connection, query, filters, _at_most(limit), scope)
        return replace(found, cards=find_all_cards(connection, query, session_key))

    return database.read(work)


def _at_most(limit: int) -> int:
    return min(max(limit, 0) or DEFAULT_HITS, MOST_HITS)


def _search(connection: Connection, ref: SessionRef, query: Query, most: int) -> Found:
    caller = known_ref(connection, ref)
    filters = Filters(
        agent=caller.agent,
        person=caller.person,
        role=query.role,
        tool=query.tool,
        after_ms=query.after_ms,
        before_ms=query.before_ms,
        walled_for=caller.key,
        unseen_in=caller.key,
        unseen_from=newest_ask(connection, caller.agent, caller.key),
    )
    if ref.is_sandboxed:
        # Such a run shares no memory with other sessions, whatever it asks for.
        alone = replace(filters, session_key=caller.key)
        return _found(connection, query, alone, most, "this session, which is walled off")
    if query.session:
        named = replace(filters, session_part=query.session)
        return _found(connection, query, named, most, f"sessions named {query.session[:80]!r}")
    if not query.is_everywhere:
        here = replace(filters, session_key=caller.key)
        found = _found(connection, query, here, most, "this session")
        if found.hits or query.is_empty:
            return found
    widened = "all sessions of this agent and person"
    scope = widened if query.is_everywhere else f"{widened}, as this session had nothing"
    return _found(connection, query, filters, most, scope)


def _found(connection: Connection, query: Query, filters: Filters, most: int, scope: str) -> Found:
    if query.is_empty:
        return Found((), scope, query.problems, is_wide=not filters.session_key)
    matches = match_documents(connection, query.phrases, query.words, filters, most + _SPARE)
    hits: dict[str, tuple[Hit, tuple[Source, ...]]] = {}
    for match in matches:
        found = _hit(connection, query, match) if len(hits) < most else None
        if found:
            hit, _ = found
            hits.setdefault(hit.hash or hit.node or f"{match.message_id}", found)
    listed = tuple(hit for hit, _ in hits.values())
    sources = tuple(source for _, several in hits.values() for source in several)
    has_more = len(listed) == most and len(matches) > most
    wide = not filters.session_key
    return Found(listed, scope, query.problems, sources, is_wide=wide, has_more=has_more)


def _hit(
    connection: Connection, query: Query, match: Match
) -> tuple[Hit, tuple[Source, ...]] | None:
    """What is shown of a match, and what its hash leads to; None where its body is damaged."""
    try:
        found = _load(connection, match.message_id, match.node)
        answered = _answer_of(connection, match) if found else None
    except StoreError:
        return None
    if found is None:
        return None
    parsed, source = found
    text = spoken_text(parsed.value) if source.with_calls else text_of(parsed.value)
    hit = Hit(
        kind=match.kind,
        session=match.session_key,
        role=match.role,
        tool=match.tool or (answered.tool if answered else source.tool),
        time_ms=match.time_ms,
        hash=hash_text(text)[:HASH_CHARS] if text and not match.node else "",
        node=match.node,
        snippet=snippet(said_in(parsed, is_note=bool(match.node)), query.shown),
        score=round(match.score, 6),
        is_earlier=not is_running(connection, source.session_id),
        result_hash=answered.hash if answered else "",
    )
    return hit, (source, answered.source) if answered else (source,)


class _Answer(NamedTuple):
    """What the calls of a message brought."""

    hash: str
    tool: str
    source: Source


def _answer_of(connection: Connection, match: Match) -> _Answer | None:
    """The first result of the calls of a message; None where it calls nothing or none came."""
    after = (
        0 if match.node or match.role != "assistant" else result_after(connection, match.message_id)
    )
    found = _load(connection, after, "") if after else None
    text = text_of(found[0].value) if found else ""
    return (
        _Answer(hash_text(text)[:HASH_CHARS], found[1].tool, found[1]) if found and text else None
    )


def _load(
    connection: Connection, message_id: int, node: str
) -> tuple[ParsedMessage, Source] | None:
    source = source_of(connection, message_id, node)
    if source is None:
        return None
    body = source.body if node else load_blob(connection, source.blob)
    parsed = parse_message(body or b"{}")
    return parsed, replace(source, with_calls=bool(parsed.message.calls))
