"""What can be searched: rows that wait to be indexed, and the index itself."""

from dataclasses import dataclass

import apsw


@dataclass(frozen=True, slots=True)
class Waiting:
    """A message or note that is not in the index yet.

    Attributes:
        id: of the message; 0 for a note.
        node: of the note; empty for a message.
        digest: of the message.
        body: stored bytes of a message by their blob, or of a note as they are; None if gone.
    """

    kind: str
    agent: str
    person: str
    session_key: str
    role: str
    time_ms: int
    id: int = 0
    node: str = ""
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A row for the index: where it came from, its tool, and its text as it is indexed."""

    source: Waiting
    tool: str
    text: str


def waiting_messages(connection: apsw.Connection, after: int, limit: int) -> list[Waiting]:
    """Messages that are not indexed, from a row id on."""
    rows = connection.execute(
        "SELECT 'message', s.agent, s.person, s.key, m.role, m.time_ms, m.id, '', m.body"
        " FROM messages m JOIN sessions s ON s.id = m.session_id WHERE m.id > ?"
        " AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.message_id = m.id)"
        " ORDER BY m.id LIMIT ?",
        (after, limit),
    )
    return [Waiting(*row) for row in rows]


def waiting_notes(connection: apsw.Connection, limit: int) -> list[Waiting]:
    """Notes that are not indexed."""
    rows = connection.execute(
        "SELECT 'note', s.agent, s.person, s.key, 'note', n.created_ms, 0, n.node, n.body"
        " FROM notes n JOIN sessions s ON s.id = n.session_id"
        " WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.node = n.node) LIMIT ?",
        (limit,),
    )
    return [Waiting(*row) for row in rows]


def add_documents(connection: apsw.Connection, documents: list[Document]) -> None:
    """Index documents; ones whose message or note is gone by now are left out."""
    for document in documents:
        source = document.source
        connection.execute(
            "INSERT OR IGNORE INTO documents"
            " (kind, agent, person, session_key, role, tool, time_ms, message_id, node)"
            " SELECT ?, ?, ?, ?, ?, ?, ?, ?8, ?9"
            " WHERE EXISTS (SELECT 1 FROM messages WHERE id = ?8)"
            " OR EXISTS (SELECT 1 FROM notes WHERE node = ?9)",
            (
                source.kind,
                source.agent,
                source.person,
                source.session_key,
                source.role,
                document.tool,
                source.time_ms,
                source.id or None,
                source.node or None,
            ),
        )
        if connection.changes():
            connection.execute(
                "INSERT INTO search_index (rowid, body) VALUES (?, ?)",
                (connection.last_insert_rowid(), document.text),
            )


def drop_deleted_terms(connection: apsw.Connection) -> None:
    """Rewrite the index without what was deleted from it."""
    connection.execute("INSERT INTO search_index (search_index) VALUES ('optimize')")
