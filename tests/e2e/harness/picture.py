"""A small picture to send along."""

from __future__ import annotations

import struct
import zlib


def red_square(pixels: int = 8) -> bytes:
    """A red square as PNG."""
    rows = (b"\0" + b"\xff\0\0" * pixels) * pixels
    # 8 bits a channel, colour type 2 (RGB), no interlacing.
    head = struct.pack(">IIBBBBB", pixels, pixels, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = struct.pack(">I", zlib.crc32(kind + data))
    return struct.pack(">I", len(data)) + kind + data + checksum
