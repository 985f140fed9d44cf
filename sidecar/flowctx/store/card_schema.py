"""Tables of the cross-session working memory."""

# `terms` holds the words a card is found by, already brought to one form: the index
# has to know nothing of languages. An injected block keeps its own bytes; when a card is
# deleted on request, the blocks that show it go, too.
CARDS = """
CREATE TABLE cards (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    session_key TEXT NOT NULL,
    agent TEXT NOT NULL,
    person TEXT NOT NULL,
    side TEXT NOT NULL,
    anchor BLOB NOT NULL,
    time_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    outcome TEXT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    terms TEXT NOT NULL,
    has_work INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    UNIQUE (session_id, anchor)
) STRICT;
CREATE INDEX cards_by_person ON cards (agent, person, side, time_ms);
CREATE INDEX cards_by_time ON cards (time_ms);

CREATE VIRTUAL TABLE card_terms USING fts5 (
    terms, content = 'cards', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 0'
);
INSERT INTO card_terms (card_terms, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE card_words USING fts5vocab (card_terms, row);
CREATE TRIGGER cards_added AFTER INSERT ON cards BEGIN
    INSERT INTO card_terms (rowid, terms) VALUES (new.id, new.terms);
END;
CREATE TRIGGER cards_changed AFTER UPDATE OF terms ON cards BEGIN
    INSERT INTO card_terms (card_terms, rowid, terms) VALUES ('delete', old.id, old.terms);
    INSERT INTO card_terms (rowid, terms) VALUES (new.id, new.terms);
END;
CREATE TRIGGER cards_removed AFTER DELETE ON cards BEGIN
    INSERT INTO card_terms (card_terms, rowid, terms) VALUES ('delete', old.id, old.terms);
    DELETE FROM injections WHERE node IN (SELECT node FROM card_picks WHERE card_id = old.id);
END;

-- Who spoke in a room (a person label of a session), and whose private room it is.
CREATE TABLE card_people (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    agent TEXT NOT NULL,
    room TEXT NOT NULL,
    person TEXT NOT NULL,
    PRIMARY KEY (session_id, room, person)
) STRICT;
CREATE INDEX card_people_by_room ON card_people (agent, room);
CREATE INDEX card_people_by_person ON card_people (agent, person);

-- The cards of an injected block, in its order; `card_id` is empty once one has expired.
CREATE TABLE card_picks (
    node TEXT NOT NULL REFERENCES injections (node) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    card_id INTEGER,
    data TEXT NOT NULL,
    PRIMARY KEY (node, at)
) STRICT;
CREATE INDEX card_picks_by_card ON card_picks (card_id);
"""
