"""The schema as an append-only list of migrations.

Each runs in one transaction together with its record. Never change one that
has shipped: append another.
"""

from collections.abc import Callable

import apsw

from flowctx.errors import SchemaTooNewError
from flowctx.store import m002_notes, savings
from flowctx.store.card_schema import CARDS
from flowctx.store.card_vectors import VECTORS
from flowctx.store.recall.schema import RECALL_SCHEMA
from flowctx.store.redundant import REDUNDANT_SCHEMA

Migration = Callable[[apsw.Connection], None]


def m001_initial(connection: apsw.Connection) -> None:
    """Sessions, messages, originals, views, notes, ledger."""
    connection.execute(_INITIAL)


def m003_savings(connection: apsw.Connection) -> None:
    """What calls cost and would have cost."""
    connection.execute(savings.SCHEMA)


def m004_recall(connection: apsw.Connection) -> None:
    """Search, pins, working memory."""
    connection.execute(RECALL_SCHEMA)


def m005_cards(connection: apsw.Connection) -> None:
    """Cards, their index, who spoke where, and what was injected."""
    connection.execute(CARDS)


def m006_redundant(connection: apsw.Connection) -> None:
    """Results that others stand for, and what a session's last view held verbatim."""
    connection.execute(REDUNDANT_SCHEMA)


def m007_card_vectors(connection: apsw.Connection) -> None:
    """Vectors of cards, where embeddings are switched on."""
    connection.execute(VECTORS)


def m002_handoff_notes(connection: apsw.Connection) -> None:
    """Drafts, sources and jobs of notes."""
    connection.execute(m002_notes.SQL)


def m008_claims(connection: apsw.Connection) -> None:
    """An index by which the row of a message is found among many that read the same."""
    connection.execute("DROP INDEX messages_by_digest")
    connection.execute("CREATE INDEX messages_by_digest ON messages (session_id, digest, visible)")


def m009_sandboxed(connection: apsw.Connection) -> None:
    """Which sessions are walled off from all others."""
    connection.execute("ALTER TABLE sessions ADD COLUMN is_sandboxed INTEGER NOT NULL DEFAULT 0")


def m010_searchable_notes(connection: apsw.Connection) -> None:
    """Notes are indexed anew: until now without their words."""
    connection.execute("DELETE FROM documents WHERE node IS NOT NULL")


MIGRATIONS: tuple[Migration, ...] = (
    m001_initial,
    m002_handoff_notes,
    m003_savings,
    m004_recall,
    m005_cards,
    m006_redundant,
    m007_card_vectors,
    m008_claims,
    m009_sandboxed,
    m010_searchable_notes,
)


def migrate(connection: apsw.Connection) -> None:
    """Bring a database to the newest schema; does nothing when it is there.

    Raises:
        SchemaTooNewError: a newer flowctx has written it; nothing was touched.
    """
    version = schema_version(connection)
    if version > len(MIGRATIONS):
        message = f"The database has schema {version}; this flowctx knows up to {len(MIGRATIONS)}."
        raise SchemaTooNewError(message, hint="Update flowctx, or move the file away.")
    for number, migration in enumerate(MIGRATIONS[version:], start=version + 1):
        with connection:
            migration(connection)
            connection.pragma("user_version", number)


def schema_version(connection: apsw.Connection) -> int:
    """Number of migrations a database has seen; 0 for a new one."""
    return int(connection.pragma("user_version"))


_INITIAL = """
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

-- One row per epoch of a session: a reset begins another.
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    agent TEXT NOT NULL,
    person TEXT NOT NULL,
    kind TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    started_ms INTEGER NOT NULL,
    seen_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    settings_print TEXT NOT NULL DEFAULT '',
    gone INTEGER NOT NULL DEFAULT 0,
    assembles INTEGER NOT NULL DEFAULT 0,
    raw_tokens INTEGER NOT NULL DEFAULT 0,
    view_tokens INTEGER NOT NULL DEFAULT 0,
    UNIQUE (agent, key, epoch)
) STRICT;

-- Bodies and other bytes by content.
CREATE TABLE blobs (
    digest BLOB PRIMARY KEY,
    size INTEGER NOT NULL,
    bytes BLOB NOT NULL
) STRICT;

-- What the host wrote. `position` is empty until the host hands the message
-- over again; `sources` says which ways it came: 1 observed, 2 committed, 4 assembled.
CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    position REAL,
    visible INTEGER NOT NULL DEFAULT 0,
    sources INTEGER NOT NULL,
    advancement TEXT,
    digest BLOB NOT NULL,
    facts TEXT NOT NULL,
    role TEXT NOT NULL,
    time_ms INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    gist TEXT NOT NULL,
    body BLOB REFERENCES blobs (digest)
) STRICT;
CREATE INDEX messages_by_digest ON messages (session_id, digest);
CREATE INDEX messages_by_position ON messages (session_id, visible, position);
CREATE INDEX messages_by_body ON messages (body);

-- Turns the host told us it accepted.
CREATE TABLE advancements (
    key TEXT PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    time_ms INTEGER NOT NULL
) STRICT;

-- Full texts by the hash that markers name; the text is that of the message in `body`.
CREATE TABLE originals (
    hash TEXT PRIMARY KEY,
    body BLOB NOT NULL REFERENCES blobs (digest),
    chars INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    created_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX originals_by_body ON originals (body);

-- Who may have an original back, and where it came from.
CREATE TABLE refs (
    hash TEXT NOT NULL REFERENCES originals (hash) ON DELETE CASCADE,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    agent TEXT NOT NULL,
    person TEXT NOT NULL,
    tool TEXT NOT NULL,
    time_ms INTEGER NOT NULL,
    PRIMARY KEY (hash, session_id)
) STRICT;

-- Originals that were removed, so that asking for one ends at once.
CREATE TABLE removed (
    hash TEXT NOT NULL,
    agent TEXT NOT NULL,
    person TEXT NOT NULL,
    removed_ms INTEGER NOT NULL,
    PRIMARY KEY (hash, agent, person)
) STRICT;

-- How each tool result appears; final once it has been shown.
CREATE TABLE views (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    digest BLOB NOT NULL,
    state TEXT NOT NULL,
    type TEXT NOT NULL,
    reason TEXT NOT NULL,
    text TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    hash TEXT,
    first_shown_ms INTEGER,
    PRIMARY KEY (session_id, digest)
) STRICT;

-- Folds: one engine-made message in place of a run of messages.
CREATE TABLE notes (
    node TEXT PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    first BLOB NOT NULL,
    last BLOB NOT NULL,
    count INTEGER NOT NULL,
    body BLOB NOT NULL,
    tokens INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    superseded_ms INTEGER
) STRICT;
CREATE INDEX notes_by_session ON notes (session_id, superseded_ms);

-- Engine-made messages that keep their place; `after` is empty for the head.
CREATE TABLE injections (
    node TEXT PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    after BLOB NOT NULL,
    body BLOB NOT NULL,
    tokens INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    removed_ms INTEGER
) STRICT;
CREATE INDEX injections_by_session ON injections (session_id, removed_ms);

CREATE TABLE ledger (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    time_ms INTEGER NOT NULL,
    event TEXT NOT NULL,
    data TEXT NOT NULL
) STRICT;
CREATE INDEX ledger_by_session ON ledger (session_id, event, id);
"""
