"""Messages as rows: told three ways, stored once.

The same message may be observed when the host writes it, committed with its turn,
and handed over with the next view, in any order and with gaps. A row is claimed by
each way at most once, so that two genuine messages that read the same stay two rows.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntFlag

import apsw

from flowctx.errors import StoreError
from flowctx.gist import gist_of
from flowctx.message import ParsedMessage
from flowctx.model import Call, Message
from flowctx.store.blobs import ensure_blob
from flowctx.store.facts import dump_facts, load_facts
from flowctx.store.positions import spread_positions


class Source(IntFlag):
    """The ways a message reaches us."""

    OBSERVED = 1
    COMMITTED = 2
    ASSEMBLED = 4
    IMPORTED = 8


@dataclass(frozen=True, slots=True)
class GistRow:
    """What a digest needs of a message."""

    role: str
    text: str
    hash: str


def add_observed(
    connection: apsw.Connection, session_id: int, parsed: ParsedMessage, *, keep_body: bool
) -> None:
    """Store a message the host has just written."""
    claimed = connection.execute(
        "UPDATE messages SET sources = sources | 1 WHERE id = ("
        " SELECT id FROM messages WHERE session_id = ? AND digest = ? AND sources & 1 = 0"
        " ORDER BY id DESC LIMIT 1) RETURNING id",
        (session_id, parsed.message.digest),
    ).fetchone()
    if claimed is None:
        _insert(connection, session_id, parsed, Source.OBSERVED, keep_body=keep_body)


def add_committed(
    connection: apsw.Connection,
    session_id: int,
    advancement: str,
    turn: Iterable[ParsedMessage],
    *,
    keep_body: bool,
) -> None:
    """Store the messages of an accepted turn; rows that came another way are claimed."""
    for parsed in turn:
        claimed = connection.execute(
            "UPDATE messages SET sources = sources | 2, advancement = ? WHERE id = ("
            " SELECT id FROM messages WHERE session_id = ? AND digest = ? AND advancement IS NULL"
            " ORDER BY id LIMIT 1) RETURNING id",
            (advancement, session_id, parsed.message.digest),
        ).fetchone()
        if claimed is None:
            id_ = _insert(connection, session_id, parsed, Source.COMMITTED, keep_body=keep_body)
            connection.execute(
                "UPDATE messages SET advancement = ? WHERE id = ?", (advancement, id_)
            )


def ensure_advancement(connection: apsw.Connection, key: str, session_id: int, now_ms: int) -> bool:
    """Record an advancement key; False when it had been recorded before."""
    connection.execute(
        "INSERT OR IGNORE INTO advancements (key, session_id, time_ms) VALUES (?, ?, ?)",
        (key, session_id, now_ms),
    )
    return connection.changes() > 0


def add_imported(
    connection: apsw.Connection, session_id: int, messages: Iterable[ParsedMessage]
) -> None:
    """Store messages of a session that ended before it was known here."""
    for parsed in messages:
        _insert(connection, session_id, parsed, Source.IMPORTED, keep_body=True)


@dataclass(frozen=True, slots=True)
class Kept:
    """The rows of a list that stand, as the caller knows them.

    Attributes:
        count: how many.
        last: digest of the last of them.
        dropped: how many visible rows behind them go.
    """

    count: int = 0
    last: bytes = b""
    dropped: int = 0


NOTHING_KEPT = Kept()


def sync_visible(
    connection: apsw.Connection,
    session_id: int,
    kept: Kept,
    tail: Sequence[ParsedMessage | Message],
    *,
    keep_body: bool,
) -> None:
    """Make the visible rows the host's list: what is kept of it stands, `tail` follows.

    A tail entry without a body must have its row already.

    Raises:
        StoreError: there are fewer rows than are kept; nothing was changed.
    """
    start = _last_kept(connection, session_id, kept) if kept.count else None
    connection.execute(
        "UPDATE messages SET visible = 0 WHERE session_id = ? AND visible = 1"
        " AND position > coalesce(?, -9e999)",
        (session_id, start),
    )
    claim = _Claim(connection, session_id, start, keep_body)
    rows = [claim.row_for(entry) for entry in tail]
    places = spread_positions(start, [position for _, position in rows])
    connection.executemany(
        "UPDATE messages SET visible = 1, position = ?, sources = sources | 4 WHERE id = ?",
        [(place, id_) for (id_, _), place in zip(rows, places, strict=True)],
    )


def _last_kept(connection: apsw.Connection, session_id: int, kept: Kept) -> float:
    """Position of the last row that stands."""
    query = (
        "SELECT position, digest FROM messages WHERE session_id = ? AND visible = 1"
        " ORDER BY position {} LIMIT 1 OFFSET ?"
    )
    # From the end it is near; counted from the start where the rows are not as expected.
    row = connection.execute(query.format("DESC"), (session_id, kept.dropped)).fetchone()
    if row is None or row[1] != kept.last:
        row = connection.execute(query.format("ASC"), (session_id, kept.count - 1)).fetchone()
    if row is None:
        message = f"The store holds fewer than the {kept.count} messages it should."
        raise StoreError(message)
    return float(row[0])


def visible_messages(connection: apsw.Connection, session_id: int) -> list[Message]:
    """The messages of a session as the host last handed them over, in order."""
    rows = connection.execute(
        "SELECT digest, facts FROM messages WHERE session_id = ? AND visible = 1 ORDER BY position",
        (session_id,),
    )
    return [load_facts(digest, facts) for digest, facts in rows]


def placed_messages(connection: apsw.Connection, session_id: int) -> list[Message]:
    """All messages that were ever handed over, in order; some no longer are."""
    rows = connection.execute(
        "SELECT digest, facts FROM messages WHERE session_id = ? AND position IS NOT NULL"
        " ORDER BY position",
        (session_id,),
    )
    return [load_facts(digest, facts) for digest, facts in rows]


def pending_digests(connection: apsw.Connection, session_id: int) -> list[bytes]:
    """Digests of complete turns that the host has not handed over yet.

    What came since the newest user message is left out: that turn is running.
    """
    rows = connection.execute(
        "SELECT digest FROM messages WHERE session_id = ?1 AND position IS NULL AND id <"
        " coalesce((SELECT max(id) FROM messages WHERE session_id = ?1 AND role = 'user'"
        " AND position IS NULL), 0)",
        (session_id,),
    )
    return [digest for (digest,) in rows]


def has_message(connection: apsw.Connection, session_id: int, digest: bytes) -> bool:
    """True where a message has a row, with or without a body."""
    row = connection.execute(
        "SELECT 1 FROM messages WHERE session_id = ? AND digest = ? LIMIT 1", (session_id, digest)
    ).fetchone()
    return row is not None


def find_body(connection: apsw.Connection, session_id: int, digest: bytes) -> bytes | None:
    """Digest of the stored body of a message, or None."""
    row = connection.execute(
        "SELECT body FROM messages WHERE session_id = ? AND digest = ? AND body IS NOT NULL"
        " LIMIT 1",
        (session_id, digest),
    ).fetchone()
    return row[0] if row else None


def find_call(connection: apsw.Connection, session_id: int, call_id: str) -> Call | None:
    """The newest call with this id, for a result that came ahead of its view."""
    rows = connection.execute(
        "SELECT digest, facts FROM messages WHERE session_id = ? AND role = 'assistant'"
        " ORDER BY id DESC LIMIT 64",
        (session_id,),
    )
    for digest, facts in rows:
        for call in reversed(load_facts(digest, facts).calls):
            if call.id == call_id:
                return call
    return None


def gists_of(connection: apsw.Connection, session_id: int, start: int, end: int) -> list[GistRow]:
    """Gists of visible messages [start, end), with hashes of originals where reduced."""
    rows = connection.execute(
        # What comes before is skipped first, not joined.
        "SELECT m.role, m.gist, coalesce(v.hash, '') FROM (SELECT session_id, digest, position,"
        "  role, gist FROM messages WHERE session_id = ? AND visible = 1"
        "  ORDER BY position LIMIT ? OFFSET ?) m"
        " LEFT JOIN views v ON v.session_id = m.session_id AND v.digest = m.digest"
        " ORDER BY m.position",
        (session_id, end - start, start),
    )
    return [GistRow(*row) for row in rows]


@dataclass(frozen=True, slots=True)
class _Claim:
    """Finds or makes the row of each message that follows a position."""

    connection: apsw.Connection
    session_id: int
    start: float | None
    keep_body: bool

    def row_for(self, entry: ParsedMessage | Message) -> tuple[int, float | None]:
        parsed = entry if isinstance(entry, ParsedMessage) else ParsedMessage(entry, b"", {})
        # A row is visible from here on, so that the next equal message takes another;
        # rows before the start were dropped by the host and stay so.
        row = self.connection.execute(
            "UPDATE messages SET visible = 1 WHERE id = ("
            " SELECT id FROM messages WHERE session_id = ?1 AND digest = ?2 AND visible = 0"
            " AND (position IS NULL OR ?3 IS NULL OR position > ?3)"
            " ORDER BY position IS NULL, position, id LIMIT 1) RETURNING id, position",
            (self.session_id, parsed.message.digest, self.start),
        ).fetchone()
        if row is not None:
            return row[0], row[1]
        keep = self.keep_body and bool(parsed.body)
        made = _insert(self.connection, self.session_id, parsed, Source.ASSEMBLED, keep_body=keep)
        return made, None


def _insert(
    connection: apsw.Connection,
    session_id: int,
    parsed: ParsedMessage,
    source: Source,
    *,
    keep_body: bool,
) -> int:
    message = parsed.message
    body = ensure_blob(connection, parsed.body) if keep_body else None
    connection.execute(
        "INSERT INTO messages (session_id, sources, visible, digest, facts, role, time_ms,"
        " tokens, gist, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            session_id,
            int(source),
            int(source is Source.ASSEMBLED),
            message.digest,
            dump_facts(message),
            message.role,
            message.time_ms,
            message.tokens,
            gist_of(parsed),
            body,
        ),
    )
    return connection.last_insert_rowid()
