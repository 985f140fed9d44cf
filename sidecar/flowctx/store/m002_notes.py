"""Schema 2: notes that a model writes, what they are made from, and the jobs that make them."""

SQL = """
-- A note is a draft until its round commits it; a fold without a model is committed at once.
ALTER TABLE notes ADD COLUMN depth INTEGER NOT NULL DEFAULT 0;
ALTER TABLE notes ADD COLUMN chain BLOB NOT NULL DEFAULT x'';
ALTER TABLE notes ADD COLUMN committed_ms INTEGER;
ALTER TABLE notes ADD COLUMN undone_ms INTEGER;
UPDATE notes SET committed_ms = created_ms;

-- Which notes a condensed or renewed one was made from, in order.
CREATE TABLE note_sources (
    node TEXT NOT NULL REFERENCES notes (node) ON DELETE CASCADE,
    source TEXT NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (node, place)
) STRICT, WITHOUT ROWID;

-- One row for each note to be written, however many calls it takes.
-- States: queued, running, done, failed (waits for its next try), superseded.
CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    generation INTEGER NOT NULL,
    kind TEXT NOT NULL,
    depth INTEGER NOT NULL,
    first BLOB NOT NULL,
    last BLOB NOT NULL,
    count INTEGER NOT NULL,
    chain BLOB NOT NULL,
    sources TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_ms INTEGER NOT NULL DEFAULT 0,
    error TEXT NOT NULL DEFAULT '',
    node TEXT NOT NULL DEFAULT '',
    provider TEXT NOT NULL DEFAULT '',
    model TEXT NOT NULL DEFAULT '',
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cost_usd REAL NOT NULL DEFAULT 0,
    created_ms INTEGER NOT NULL,
    started_ms INTEGER,
    ended_ms INTEGER
) STRICT;
CREATE INDEX jobs_by_session ON jobs (session_id, state);

-- What the user wants the notes of a session to attend to, and the window they are for.
ALTER TABLE sessions ADD COLUMN focus TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN window_tokens INTEGER NOT NULL DEFAULT 0;
"""
