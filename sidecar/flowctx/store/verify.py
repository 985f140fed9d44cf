"""Proving that nothing was lost: every hash is re-derived from what comes out."""

from collections.abc import Iterator
from dataclasses import dataclass

import apsw

from flowctx.errors import StoreError
from flowctx.message import parse_message
from flowctx.store.blobs import blob_digest, load_blob, unpack
from flowctx.store.originals import dangling_hashes, verify_originals


@dataclass(frozen=True, slots=True)
class Verified:
    """What one check found.

    Attributes:
        name: what would be wrong.
        looked_at: how many things were checked.
        wrong: which ones are; empty when all are sound.
    """

    name: str
    looked_at: int
    wrong: tuple[str, ...]


def integrity_problems(connection: apsw.Connection) -> list[str]:
    """What SQLite's own check finds; empty when the file is sound."""
    rows = [row[0] for row in connection.execute("PRAGMA integrity_check(20)")]
    return [] if rows == ["ok"] else rows


def verify_store(connection: apsw.Connection) -> Iterator[Verified]:
    """Re-derive every hash of the store from its contents."""
    blobs = _wrong_blobs(connection)
    yield Verified("damaged bodies", _count(connection, "blobs"), tuple(blobs))
    messages = _wrong_messages(connection)
    yield Verified("damaged messages", _count(connection, "messages"), tuple(messages))
    originals = verify_originals(connection)
    yield Verified("damaged originals", _count(connection, "originals"), tuple(originals))
    dangling = dangling_hashes(connection)
    yield Verified("dangling markers", _count(connection, "views"), tuple(dangling))


def _wrong_blobs(connection: apsw.Connection) -> list[str]:
    wrong = []
    for digest, packed in connection.execute("SELECT digest, bytes FROM blobs"):
        body = unpack(packed)
        if body is None or blob_digest(body) != digest:
            wrong.append(digest.hex())
    return wrong


def _wrong_messages(connection: apsw.Connection) -> list[str]:
    wrong = []
    rows = connection.execute("SELECT digest, body FROM messages WHERE body IS NOT NULL")
    for digest, body in rows:
        if not _is_sound(connection, body, digest):
            wrong.append(digest.hex())
    return wrong


def _is_sound(connection: apsw.Connection, body: bytes, digest: bytes) -> bool:
    try:
        stored = load_blob(connection, body)
    except StoreError:
        return False
    return stored is not None and parse_message(stored).message.digest == digest


def _count(connection: apsw.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").get)
