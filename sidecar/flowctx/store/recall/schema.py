"""The schema of search, pins and working memory."""

RECALL_SCHEMA = """
-- What can be searched; the row id is that of the text in `search_index`. Agent,
-- person and session are those of the session it belongs to, which never change.
CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    agent TEXT NOT NULL,
    person TEXT NOT NULL,
    session_key TEXT NOT NULL,
    role TEXT NOT NULL,
    tool TEXT NOT NULL,
    time_ms INTEGER NOT NULL,
    message_id INTEGER UNIQUE REFERENCES messages (id) ON DELETE CASCADE,
    node TEXT UNIQUE REFERENCES notes (node) ON DELETE CASCADE
) STRICT;

-- Terms alone: texts stay where they are. Words come from `flowctx.cjk.spaced`.
CREATE VIRTUAL TABLE search_index USING fts5(
    body, content = '', contentless_delete = 1,
    tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE search_terms USING fts5vocab(search_index, row);

-- Where the running turn begins: what it says itself is not searched.
CREATE INDEX messages_by_role ON messages (session_id, role);

CREATE TRIGGER documents_deleted AFTER DELETE ON documents BEGIN
    DELETE FROM search_index WHERE rowid = old.id;
END;
-- What is purged must not be found by its words either.
CREATE TRIGGER messages_forgotten AFTER UPDATE OF body ON messages
WHEN old.body IS NOT NULL AND new.body IS NULL BEGIN
    DELETE FROM documents WHERE message_id = old.id;
END;

-- Rules and facts that stay in view. A session's go with its epoch, an agent's
-- stand in all sessions of the same person.
CREATE TABLE pins (
    id INTEGER PRIMARY KEY,
    agent TEXT NOT NULL,
    person TEXT NOT NULL,
    session_id INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    created_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX pins_by_owner ON pins (agent, person);
CREATE INDEX pins_by_session ON pins (session_id);

CREATE TABLE scratchpads (
    session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    changed_ms INTEGER NOT NULL
) STRICT;
"""
