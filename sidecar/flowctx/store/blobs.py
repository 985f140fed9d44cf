"""Bytes by content, compressed; stored once however often they come."""

import hashlib
import threading

import apsw
import zstandard

from flowctx.errors import StoreError

BLOB_DIGEST_BYTES = 16
_LEVEL = 3
_local = threading.local()


def ensure_blob(connection: apsw.Connection, body: bytes) -> bytes:
    """Store bytes unless they are there, and return their digest."""
    digest = blob_digest(body)
    known = connection.execute("SELECT 1 FROM blobs WHERE digest = ?", (digest,)).fetchone()
    if known is None:
        packed = _compressor().compress(body)
        connection.execute(
            "INSERT OR IGNORE INTO blobs (digest, size, bytes) VALUES (?, ?, ?)",
            (digest, len(body), packed),
        )
    return digest


def load_blob(connection: apsw.Connection, digest: bytes) -> bytes | None:
    """The bytes behind a digest, or None.

    Raises:
        StoreError: they are not what was stored.
    """
    row = connection.execute("SELECT bytes FROM blobs WHERE digest = ?", (digest,)).fetchone()
    if row is None:
        return None
    body = unpack(row[0])
    if body is None or blob_digest(body) != digest:
        message = f"The stored body {digest.hex()} is damaged."
        raise StoreError(message, hint="`flowctx doctor` counts all that are.")
    return body


def unpack(packed: bytes) -> bytes | None:
    """Decompress one stored blob; None where it is damaged."""
    try:
        return _decompressor().decompress(packed)
    except zstandard.ZstdError:
        return None


def blob_digest(body: bytes) -> bytes:
    """The key bytes are stored under: 16 bytes of SHA-256."""
    return hashlib.sha256(body).digest()[:BLOB_DIGEST_BYTES]


def delete_unused_blobs(connection: apsw.Connection) -> int:
    """Delete blobs that no message and no original holds; return their stored bytes."""
    unused = (
        "FROM blobs WHERE NOT EXISTS (SELECT 1 FROM messages WHERE body = blobs.digest)"
        " AND NOT EXISTS (SELECT 1 FROM originals WHERE body = blobs.digest)"
    )
    freed = connection.execute(f"SELECT coalesce(sum(length(bytes)), 0) {unused}").get
    connection.execute(f"DELETE {unused}")
    return int(freed)


def _compressor() -> zstandard.ZstdCompressor:
    if not hasattr(_local, "compressor"):
        _local.compressor = zstandard.ZstdCompressor(level=_LEVEL)
    return _local.compressor  # type: ignore[no-any-return]


def _decompressor() -> zstandard.ZstdDecompressor:
    if not hasattr(_local, "decompressor"):
        _local.decompressor = zstandard.ZstdDecompressor()
    return _local.decompressor  # type: ignore[no-any-return]
