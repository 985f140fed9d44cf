"""Results that other ones stand for, as they were sent; and what the last view held verbatim."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import apsw

from flowctx.model import Decision


@dataclass(frozen=True, slots=True)
class StandIn:
    """How a result appears that another one stands for.

    Attributes:
        other: digest of the result that stands for it.
        decision: what is shown instead.
    """

    other: bytes
    decision: Decision


def current_stand_ins(connection: apsw.Connection, session_id: int) -> dict[bytes, StandIn]:
    """All results of a session that others stand for, by digest."""
    rows = connection.execute(
        "SELECT digest, other, reason, text, tokens, hash FROM redundant WHERE session_id = ?",
        (session_id,),
    )
    return {
        digest: StandIn(other, Decision("reduced", reason, text, tokens, hash_))
        for digest, other, reason, text, tokens, hash_ in rows
    }


def replace_stand_ins(
    connection: apsw.Connection,
    session_id: int,
    gone: Iterable[bytes],
    made: Mapping[bytes, StandIn],
) -> None:
    """Store what stands for results from now on; those in `gone` are shown themselves again."""
    connection.executemany(
        "DELETE FROM redundant WHERE session_id = ? AND digest = ?",
        [(session_id, digest) for digest in gone],
    )
    connection.executemany(
        "INSERT OR REPLACE INTO redundant (session_id, digest, other, reason, text, tokens, hash)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (session_id, digest, each.other, said.reason, said.text, said.tokens, said.hash)
            for digest, each in made.items()
            for said in (each.decision,)
        ],
    )


def note_verbatim(
    connection: apsw.Connection, session_id: int, tail_start: int, reads_start: int
) -> None:
    """Note from where on the last view held results, and reads of files, verbatim."""
    connection.execute(
        "UPDATE sessions SET tail_start = ?, reads_start = ? WHERE id = ?",
        (tail_start, reads_start, session_id),
    )


def verbatim_of(connection: apsw.Connection, session_id: int) -> tuple[int, int]:
    """From where on the last view held results, and reads of files, verbatim."""
    row = connection.execute(
        "SELECT tail_start, reads_start FROM sessions WHERE id = ?", (session_id,)
    ).fetchone()
    return (int(row[0]), int(row[1])) if row else (0, 0)


REDUNDANT_SCHEMA = """
ALTER TABLE sessions ADD COLUMN tail_start INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN reads_start INTEGER NOT NULL DEFAULT 0;

-- Results that another one stands for: a repeat of a text, a read that is out of date.
CREATE TABLE redundant (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    digest BLOB NOT NULL,
    other BLOB NOT NULL,
    reason TEXT NOT NULL,
    text TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (session_id, digest)
) STRICT;
CREATE INDEX redundant_by_hash ON redundant (hash);
"""
