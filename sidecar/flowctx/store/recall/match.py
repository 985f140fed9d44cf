"""Matching documents in the index, best first, behind the walls."""

from collections.abc import Sequence
from dataclasses import dataclass

import apsw

# A question is answered from its rarer terms: as many documents may be ranked.
_MOST_RANKED = 6_000


@dataclass(frozen=True, slots=True)
class Filters:
    """Which documents may be found.

    Attributes:
        agent, person: the walls.
        has_walls: False for the owner of the store alone, who may see what any agent stored.
        session_key: of one session; empty for all.
        role, tool: exact, or empty.
        after_ms, before_ms: 0 for none.
        walled_for: of sandboxed sessions only the one with this key; empty for all.
        unseen_from: messages of the session `unseen_in` from this row id on are left out.
    """

    agent: str
    person: str
    has_walls: bool = True
    session_key: str = ""
    session_part: str = ""
    role: str = ""
    tool: str = ""
    after_ms: int = 0
    before_ms: int = 0
    walled_for: str = ""
    unseen_in: str = ""
    unseen_from: int = 0


@dataclass(frozen=True, slots=True)
class Match:
    """A document that matches; a higher score is a better match."""

    kind: str
    session_key: str
    role: str
    tool: str
    time_ms: int
    message_id: int
    node: str
    score: float


def match_documents(
    connection: apsw.Connection,
    required: Sequence[str],
    wanted: Sequence[str],
    filters: Filters,
    limit: int,
) -> list[Match]:
    """At most `limit` documents with all required terms, ranked by those and the wanted ones.

    Terms are words or phrases as they are indexed. Without any, filters alone find the newest.
    """
    if not required and not wanted:
        return _newest(connection, filters, limit)
    if required:
        rest = [f"({_any([*wanted, *required])})"] if wanted else []
        return _ranked(connection, " AND ".join([*map(quoted, required), *rest]), filters, limit)
    rare, common = by_rarity(connection, wanted)
    found: list[Match] = []
    if rare and common:
        # Documents with a rare word are few; the common ones then say which of them is meant.
        found = _ranked(connection, f"({_any(rare)}) AND ({_any(common)})", filters, limit)
    if rare and len(found) < limit:
        known = {(match.message_id, match.node) for match in found}
        more = _ranked(connection, _any(rare), filters, limit)
        found += [match for match in more if (match.message_id, match.node) not in known]
    return found[:limit]


def _ranked(
    connection: apsw.Connection, expression: str, filters: Filters, limit: int
) -> list[Match]:
    where, values = _where(filters)
    rows = connection.execute(
        "SELECT d.kind, d.session_key, d.role, d.tool, d.time_ms, coalesce(d.message_id, 0),"
        " coalesce(d.node, ''), -search_index.rank FROM search_index"
        " JOIN documents d ON d.id = search_index.rowid"
        f" WHERE search_index MATCH ? AND {where} ORDER BY search_index.rank LIMIT ?",
        (expression, *values, limit),
    )
    return [Match(*row) for row in rows]


def _newest(connection: apsw.Connection, filters: Filters, limit: int) -> list[Match]:
    where, values = _where(filters)
    rows = connection.execute(
        "SELECT d.kind, d.session_key, d.role, d.tool, d.time_ms, coalesce(d.message_id, 0),"
        " coalesce(d.node, ''), 0.0 FROM documents d"
        f" WHERE {where} ORDER BY d.time_ms DESC, d.id DESC LIMIT ?",
        (*values, limit),
    )
    return [Match(*row) for row in rows]


def _any(terms: Sequence[str]) -> str:
    return " OR ".join(map(quoted, terms))


def newest_ask(connection: apsw.Connection, agent: str, key: str) -> int:
    """Row id of the newest user message of a session: the running turn begins there."""
    row = connection.execute(
        "SELECT max((SELECT max(m.id) FROM messages m WHERE m.session_id = s.id"
        " AND m.role = 'user')) FROM sessions s WHERE s.agent = ? AND s.key = ?",
        (agent, key),
    ).fetchone()
    return int(row[0] or 0) if row else 0


def quoted(term: str) -> str:
    """A term as a string of the index's query language, where nothing is an operator."""
    if term.endswith("*"):
        return f'"{_plain(term[:-1])}"*'
    return f'"{_plain(term)}"'


def by_rarity(connection: apsw.Connection, terms: Sequence[str]) -> tuple[list[str], list[str]]:
    """Terms that are rare enough to rank all documents with one, and the others.

    At least one is rare, if any document has any of them.
    """
    counts = {term: _documents_with(connection, term) for term in dict.fromkeys(terms)}
    listed = sorted((term for term in counts if counts[term]), key=counts.__getitem__)
    rare: list[str] = []
    ranked = 0
    for term in listed:
        ranked += counts[term]
        if rare and ranked > _MOST_RANKED:
            break
        rare.append(term)
    return rare, listed[len(rare) :]


def _documents_with(connection: apsw.Connection, term: str) -> int:
    """How many documents hold the rarest word of a term; a prefix counts as a rare one."""
    if term.endswith("*"):
        return 1
    tokenize = connection.fts5_tokenizer("porter", ["unicode61", "remove_diacritics", "2"])
    words = tokenize(_plain(term).encode(), apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False)
    counts = [_count(connection, str(word)) for group in words for word in group]
    return min(counts, default=0)


def _count(connection: apsw.Connection, word: str) -> int:
    row = connection.execute("SELECT doc FROM search_terms WHERE term = ?", (word,)).fetchone()
    return int(row[0]) if row else 0


def _plain(term: str) -> str:
    return term.replace('"', " ").replace("\0", " ")


def _where(filters: Filters) -> tuple[str, list[str | int]]:
    walls: list[tuple[str, str | int]] = [
        ("d.agent = ?", filters.agent),
        ("d.person = ?", filters.person),
    ]
    tests = walls if filters.has_walls else []
    optional: list[tuple[str, str | int]] = [
        ("d.session_key = ?", filters.session_key),
        ("instr(lower(d.session_key), ?) > 0", filters.session_part.lower()),
        ("d.role = ?", filters.role),
        ("lower(d.tool) = ?", filters.tool.lower()),
        ("d.time_ms >= ?", filters.after_ms),
        ("d.time_ms < ?", filters.before_ms),
    ]
    tests += [test for test in optional if test[1]]
    where = " AND ".join(test for test, _ in tests) or "TRUE"
    values = [value for _, value in tests]
    if filters.walled_for:
        where += (
            " AND (d.session_key = ? OR NOT EXISTS (SELECT 1 FROM sessions w"
            " WHERE w.key = d.session_key AND w.agent = d.agent AND w.is_sandboxed))"
        )
        values.append(filters.walled_for)
    if filters.unseen_from:
        where += " AND NOT (d.session_key = ? AND coalesce(d.message_id, 0) >= ?)"
        values += [filters.unseen_in, filters.unseen_from]
    return where, values
