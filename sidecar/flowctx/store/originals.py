"""Originals: full texts by the hash a marker names, and who may have them back."""

from dataclasses import dataclass

import apsw

from flowctx.errors import OriginalNotFoundError, StoreError
from flowctx.identity import SessionRef
from flowctx.message import HASH_CHARS, hash_text
from flowctx.spoken import text_behind
from flowctx.store.blobs import load_blob


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where an original came from, and whose it is."""

    session_id: int
    session_key: str
    agent: str
    person: str
    tool: str
    time_ms: int


@dataclass(frozen=True, slots=True)
class StoredOriginal:
    """An original with where it came from."""

    hash: str
    text: str
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class NewOriginal:
    """An original to be stored: the text of the message in the blob `body`."""

    hash: str
    body: bytes
    chars: int
    tokens: int


def ensure_original(
    connection: apsw.Connection, original: NewOriginal, provenance: Provenance, now_ms: int
) -> None:
    """Store an original and the right of its session to it; repeats change nothing."""
    connection.execute(
        "INSERT OR IGNORE INTO originals (hash, body, chars, tokens, created_ms)"
        " VALUES (?, ?, ?, ?, ?)",
        (original.hash, original.body, original.chars, original.tokens, now_ms),
    )
    connection.execute(
        "INSERT OR IGNORE INTO refs (hash, session_id, agent, person, tool, time_ms)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            original.hash,
            provenance.session_id,
            provenance.agent,
            provenance.person,
            provenance.tool,
            provenance.time_ms,
        ),
    )


def retrieve_original(
    connection: apsw.Connection, hash_: str, caller: SessionRef
) -> StoredOriginal:
    """The original behind a hash, for a caller who may see it.

    Args:
        connection: to the store.
        hash_: as a marker names it.
        caller: who asks; where one of two sessions is sandboxed, neither sees the other's.

    Raises:
        OriginalNotFoundError: not a hash, never stored, removed, or not the caller's.
    """
    check_hash(hash_)
    row = connection.execute(
        f"{_PROVENANCE} WHERE r.hash = ?1 AND r.agent = ?2 AND r.person = ?3"
        " AND (s.key = ?4 OR NOT (?5 OR s.is_sandboxed)) ORDER BY r.time_ms LIMIT 1",
        (hash_, caller.agent, caller.person, caller.key, int(caller.is_sandboxed)),
    ).fetchone()
    if row is None:
        raise _why_missing(connection, hash_, caller.agent, caller.person)
    return _stored(connection, hash_, Provenance(*row))


def find_original(connection: apsw.Connection, hash_: str) -> StoredOriginal:
    """The original behind a hash, without asking who wants it.

    Raises:
        OriginalNotFoundError: not a hash, never stored, or removed.
    """
    check_hash(hash_)
    row = connection.execute(
        f"{_PROVENANCE} WHERE r.hash = ? ORDER BY r.time_ms LIMIT 1", (hash_,)
    ).fetchone()
    if row is not None:
        return _stored(connection, hash_, Provenance(*row))
    removed = connection.execute(
        "SELECT max(removed_ms) FROM removed WHERE hash = ?", (hash_,)
    ).fetchone()
    if removed and removed[0]:
        raise _removed(hash_, removed[0])
    raise _never_stored(hash_)


def was_removed(connection: apsw.Connection, hash_: str) -> bool:
    """True for a text that somebody had deleted: it must not come back by another way."""
    row = connection.execute("SELECT 1 FROM removed WHERE hash = ? LIMIT 1", (hash_,)).fetchone()
    return row is not None


def original_text(connection: apsw.Connection, hash_: str) -> str | None:
    """The text of an original, without asking who wants it; None when it is not there."""
    row = connection.execute("SELECT body FROM originals WHERE hash = ?", (hash_,)).fetchone()
    body = load_blob(connection, row[0]) if row else None
    return None if body is None else text_behind(body, hash_)


def share_original(connection: apsw.Connection, hash_: str, session_id: int) -> bool:
    """Let a session hold an original that its agent and person have; False if they have none."""
    connection.execute(
        "INSERT OR IGNORE INTO refs (hash, session_id, agent, person, tool, time_ms)"
        " SELECT r.hash, s.id, r.agent, r.person, r.tool, r.time_ms FROM refs r"
        " JOIN sessions s ON s.agent = r.agent AND s.person = r.person"
        " WHERE r.hash = ?1 AND s.id = ?2 LIMIT 1",
        (hash_, session_id),
    )
    known = "SELECT 1 FROM refs WHERE hash = ? AND session_id = ?"
    return connection.execute(known, (hash_, session_id)).fetchone() is not None


def turn_of(connection: apsw.Connection, original: StoredOriginal) -> int:
    """Number of the user turn an original came from, from 1; 0 when it cannot be told."""
    row = connection.execute(
        "SELECT count(u.id) FROM originals o JOIN messages m ON m.body = o.body"
        " JOIN messages u ON u.session_id = m.session_id AND u.visible = 1"
        " AND u.role = 'user' AND u.position <= m.position"
        " WHERE o.hash = ? AND m.session_id = ? AND m.visible = 1 GROUP BY m.id LIMIT 1",
        (original.hash, original.provenance.session_id),
    ).fetchone()
    return int(row[0]) if row else 0


def verify_originals(connection: apsw.Connection) -> list[str]:
    """Re-derive the hash of every original from what comes out; names of those that differ."""
    hashes = [row[0] for row in connection.execute("SELECT hash FROM originals")]
    return [hash_ for hash_ in hashes if not _is_sound(connection, hash_)]


def _is_sound(connection: apsw.Connection, hash_: str) -> bool:
    try:
        text = original_text(connection, hash_)
    except StoreError:
        return False
    return text is not None and hash_text(text) == hash_


def dangling_hashes(connection: apsw.Connection) -> list[str]:
    """Hashes that markers of current epochs name but no original has; must be none."""
    rows = connection.execute(
        "SELECT DISTINCT v.hash FROM (SELECT session_id, hash FROM views UNION ALL"
        " SELECT session_id, hash FROM redundant) v JOIN sessions s ON s.id = v.session_id"
        " WHERE v.hash IS NOT NULL AND s.ended_ms IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM originals o WHERE o.hash = v.hash)"
    )
    return [row[0] for row in rows]


_PROVENANCE = (
    "SELECT r.session_id, s.key, r.agent, r.person, r.tool, r.time_ms FROM refs r"
    " JOIN sessions s ON s.id = r.session_id"
)


def check_hash(hash_: str) -> None:
    """Refuse what cannot be a hash.

    Raises:
        OriginalNotFoundError: it is none.
    """
    if len(hash_) != HASH_CHARS or not set(hash_) <= set("0123456789abcdef"):
        said = f"{hash_[:60]!r} is not a hash" if hash_ else "No hash was passed"
        message = f"{said}: a hash is {HASH_CHARS} hex digits from a marker."
        raise OriginalNotFoundError(message, reason="not-a-hash")


def _stored(connection: apsw.Connection, hash_: str, provenance: Provenance) -> StoredOriginal:
    text = original_text(connection, hash_)
    if text is None:
        raise _never_stored(hash_)
    return StoredOriginal(hash_, text, provenance)


def _why_missing(
    connection: apsw.Connection, hash_: str, agent: str, person: str
) -> OriginalNotFoundError:
    row = connection.execute(
        "SELECT removed_ms FROM removed WHERE hash = ? AND agent = ? AND person = ?",
        (hash_, agent, person),
    ).fetchone()
    if row is not None:
        return _removed(hash_, row[0])
    known = connection.execute("SELECT 1 FROM originals WHERE hash = ?", (hash_,)).fetchone()
    if known is None:
        return _never_stored(hash_)
    message = f"The original {hash_} belongs to another agent, person or walled-off session."
    return OriginalNotFoundError(message, reason="not-yours")


def _removed(hash_: str, removed_ms: int) -> OriginalNotFoundError:
    message = f"The original {hash_} was removed; it cannot be had back."
    return OriginalNotFoundError(message, reason="removed", removed_at_ms=removed_ms)


def _never_stored(hash_: str) -> OriginalNotFoundError:
    message = f"No original was ever stored under {hash_}."
    return OriginalNotFoundError(message, reason="never-stored")
