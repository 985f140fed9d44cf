"""Where hits come from, and letting what was found be retrieved."""

from dataclasses import dataclass

import apsw

from flowctx.message import hash_text, parse_message, text_of
from flowctx.spoken import spoken_text
from flowctx.store.blobs import load_blob
from flowctx.store.originals import NewOriginal, Provenance, ensure_original


@dataclass(frozen=True, slots=True)
class Source:
    """The message or note behind a hit: its blob, or the note's own bytes.

    Attributes:
        with_calls: its text is retrieved with what it calls.
    """

    session_id: int
    session_key: str
    agent: str
    person: str
    tool: str
    time_ms: int
    blob: bytes = b""
    body: bytes = b""
    with_calls: bool = False


def source_of(connection: apsw.Connection, message_id: int, node: str) -> Source | None:
    """The source of a hit, or None when its body is gone."""
    if node:
        row = connection.execute(
            "SELECT s.id, s.key, s.agent, s.person, 'note', n.created_ms, x'', n.body FROM notes n"
            " JOIN sessions s ON s.id = n.session_id WHERE n.node = ?",
            (node,),
        ).fetchone()
    else:
        row = connection.execute(
            "SELECT s.id, s.key, s.agent, s.person, d.tool, m.time_ms, m.body, x'' FROM messages m"
            " JOIN sessions s ON s.id = m.session_id JOIN documents d ON d.message_id = m.id"
            " WHERE m.id = ? AND m.body IS NOT NULL",
            (message_id,),
        ).fetchone()
    return Source(*row) if row else None


def result_after(connection: apsw.Connection, message_id: int) -> int:
    """Row id of the first result of a message's calls; 0 where none came."""
    row = connection.execute(
        "SELECT r.id FROM messages m JOIN messages r ON r.session_id = m.session_id"
        " AND r.role = 'toolResult' AND r.id > m.id WHERE m.id = ? AND NOT EXISTS"
        " (SELECT 1 FROM messages o WHERE o.session_id = m.session_id"
        " AND o.role IN ('user', 'assistant') AND o.id > m.id AND o.id < r.id)"
        " ORDER BY r.id LIMIT 1",
        (message_id,),
    ).fetchone()
    return int(row[0]) if row else 0


def ensure_retrievable(connection: apsw.Connection, source: Source, now_ms: int) -> None:
    """Store the text of a message that was found as an original, unless it is one."""
    body = load_blob(connection, source.blob) if source.blob else None
    if body is None:
        return
    parsed = parse_message(body)
    text = spoken_text(parsed.value) if source.with_calls else text_of(parsed.value)
    if not text:
        return
    provenance = Provenance(
        source.session_id,
        source.session_key,
        source.agent,
        source.person,
        source.tool or parsed.message.role,
        source.time_ms or now_ms,
    )
    tokens = parsed.message.tokens if source.with_calls else parsed.message.text_tokens
    original = NewOriginal(hash_text(text), source.blob, len(text), tokens)
    ensure_original(connection, original, provenance, now_ms)
