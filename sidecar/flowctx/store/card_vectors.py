"""Vectors of cards: stored as signed bytes, compared by sqlite-vec where it is installed.

The table is an ordinary one, so that a store can be read, moved and purged by a
flowctx that has no sqlite-vec; only comparing needs it.
"""

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import apsw

from flowctx.store.cards import CardScope, id_list, scope_clause
from flowctx.store.connection import translated_errors

# `model` names what made a vector: those of one model compare with each other alone.
VECTORS = """
CREATE TABLE card_vectors (
    card_id INTEGER PRIMARY KEY REFERENCES cards (id) ON DELETE CASCADE,
    model BLOB NOT NULL,
    vector BLOB NOT NULL
) STRICT;
CREATE TRIGGER card_vectors_stale AFTER UPDATE OF text ON cards BEGIN
    DELETE FROM card_vectors WHERE card_id = new.id;
END;
"""


@dataclass(frozen=True, slots=True)
class CardVector:
    """A vector and the model that made it.

    Attributes:
        model: its name in the store.
        values: one signed byte for each dimension; only their direction means something.
    """

    model: bytes
    values: bytes


@dataclass(frozen=True, slots=True)
class Likeness:
    """How like a vector some cards are, beside how like all cards in scope are.

    Attributes:
        cosines: by card, -1 to 1.
        mean: of all cards in scope.
        deviation: standard deviation of all cards in scope.
    """

    cosines: dict[int, float]
    mean: float
    deviation: float


def waiting_cards(
    connection: apsw.Connection, model: bytes, since_ms: int, count: int
) -> list[tuple[int, str]]:
    """Ids and texts of cards that have no vector of a model, newest first."""
    rows = connection.execute(
        "SELECT c.id, c.text FROM cards c LEFT JOIN card_vectors v"
        " ON v.card_id = c.id AND v.model = ?"
        " WHERE v.card_id IS NULL AND c.time_ms >= ? ORDER BY c.time_ms DESC LIMIT ?",
        (model, since_ms, count),
    )
    return [(int(id_), str(text)) for id_, text in rows]


def add_vectors(
    connection: apsw.Connection, texts: Sequence[tuple[int, str]], vectors: Iterable[CardVector]
) -> None:
    """Store vectors of cards, unless a card is gone or has changed since its text was read."""
    connection.executemany(
        "INSERT OR REPLACE INTO card_vectors (card_id, model, vector)"
        " SELECT id, ?, ? FROM cards WHERE id = ? AND text = ?",
        [
            (vector.model, vector.values, id_, text)
            for (id_, text), vector in zip(texts, vectors, strict=True)
        ],
    )


def likeness_in(
    connection: apsw.Connection,
    scope: CardScope,
    vector: CardVector,
    known: Iterable[int],
    count: int,
) -> Likeness:
    """How like a vector the known cards are, and those in scope that are most like it.

    Raises:
        ImportError: sqlite-vec is not installed.
    """
    if not scope.rooms:
        return Likeness({}, 0.0, 0.0)
    _load_extension(connection)
    where, values = scope_clause(scope)
    ids = list(known)
    rows: list[Any] = connection.execute(
        "WITH near AS MATERIALIZED (SELECT v.card_id AS id,"
        " 1 - vec_distance_cosine(vec_int8(v.vector), vec_int8(?)) AS cosine"
        # An index holds all that is asked of cards, so that none of their long rows is read.
        " FROM cards c CROSS JOIN card_vectors v ON v.card_id = c.id"
        f" WHERE v.model = ? AND length(v.vector) = ? AND {where} AND c.id NOT IN"
        f" (SELECT id FROM cards WHERE session_id IN ({id_list(scope.not_in)})))"
        " SELECT id, cosine, (SELECT avg(cosine) FROM near),"
        " (SELECT avg(cosine * cosine) FROM near) FROM near"
        f" ORDER BY id IN ({id_list(ids)}) DESC, cosine DESC LIMIT ?",
        (vector.values, vector.model, len(vector.values), *values, len(ids) + count),
    ).fetchall()
    if not rows:
        return Likeness({}, 0.0, 0.0)
    mean, squares = float(rows[0][2]), float(rows[0][3])
    cosines = {int(id_): float(cosine) for id_, cosine, *_ in rows}
    return Likeness(cosines, mean, max(squares - mean * mean, 0.0) ** 0.5)


def require_extension() -> None:
    """Refuse to go on where vectors could not be compared.

    Raises:
        ImportError: sqlite-vec is not installed.
        StoreError: SQLite does not take it.
    """
    with translated_errors(), closing(apsw.Connection(":memory:")) as connection:
        _load_extension(connection)


def _load_extension(connection: apsw.Connection) -> None:
    """Once for each connection; a reader is kept as long as its thread."""
    try:
        connection.execute("SELECT vec_version()")
    except apsw.SQLError:
        import sqlite_vec

        connection.enable_load_extension(True)
        try:
            connection.load_extension(sqlite_vec.loadable_path())
        finally:
            connection.enable_load_extension(False)
