"""Content addressing, verification to the last byte, and deletion that leaves nothing."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
import zstandard

from flowctx.errors import OriginalNotFoundError
from flowctx.identity import resolve_session
from flowctx.reducers.marker import marked_hashes
from flowctx.service.context import Context
from flowctx.service.purge import Selection, purge
from flowctx.service.retrieve import retrieve
from flowctx.service.state import SessionTable
from flowctx.store.blobs import load_blob, unpack
from flowctx.store.verify import verify_store
from tests.support.host import HostSession, open_context
from tests.support.transcripts import Body, assistant, call, result, user
from tests.support.turns import BIG, text_at, turn, turns

CANARY = "canary 7c1f93e05ab24d68 sings"
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


@pytest.fixture
def context(tmp_path):
    made = open_context(tmp_path)
    yield made
    made.close()


def wrong(context: Context) -> list[str]:
    found = context.database.read(lambda c: list(verify_store(c)))
    return [f"{each.name}: {name}" for each in found for name in each.wrong]


def set_bytes(context: Context, digest: bytes, packed: bytes) -> None:
    context.database.write(
        lambda c: c.execute("UPDATE blobs SET bytes = ? WHERE digest = ?", (packed, digest))
    ).result()


def test_verify_finds_every_flipped_byte(context: Context):
    """Whatever byte of a stored body is changed: verify names it, or the same text comes out."""
    host = HostSession(context)
    host.assemble([user("a short ask"), assistant("and its answer")])
    host.settle()
    assert wrong(context) == []
    blobs = context.database.read(lambda c: c.execute("SELECT digest, bytes FROM blobs").fetchall())
    found = flips = 0
    for digest, packed in blobs:
        for at in range(len(packed)):
            flipped = packed[:at] + bytes([packed[at] ^ 0x10]) + packed[at + 1 :]
            set_bytes(context, digest, flipped)
            flips += 1
            if unpack(flipped) != unpack(packed):
                assert any(digest.hex() in each for each in wrong(context)), at
                found += 1
        set_bytes(context, digest, packed)
    assert wrong(context) == [] and found > flips * 0.9 > 50


def test_equal_bodies_are_stored_once_and_equal_messages_are_rows_of_their_own(context: Context):
    """Bodies are addressed by content, over sessions; each message still has its row."""
    for key in ("agent:main:main", "agent:other:main"):
        host = HostSession(context, key)
        host.assemble([*turn(0), *turn(0)])
        host.settle()
    bodies, rows = context.database.read(
        lambda c: (
            c.execute("SELECT count(*) FROM blobs").get,
            c.execute("SELECT count(*) FROM messages").get,
        )
    )
    assert (bodies, rows) == (4, 16)
    digests = context.database.read(lambda c: c.execute("SELECT digest FROM blobs").fetchall())
    assert all(context.database.read(lambda c, d=d: load_blob(c, d)) for (d,) in digests)


def stored_text(folder: Path) -> bytes:
    """All bytes of all files, and all that zstd can unpack from any place in them."""
    found = []
    for path in (each for each in folder.rglob("*") if each.is_file()):
        data = path.read_bytes()
        found.append(data)
        at = data.find(_ZSTD_MAGIC)
        while at >= 0:
            with suppress(zstandard.ZstdError):  # cut by a page of the file
                found.append(zstandard.ZstdDecompressor().decompressobj().decompress(data[at:]))
            at = data.find(_ZSTD_MAGIC, at + 1)
    return b"\n".join(found)


def with_canary() -> list[Body]:
    text = f"{BIG}\n{CANARY}\nexit 1: {CANARY}"
    return [
        user("look"),
        assistant(call("x", command="cat")),
        result("x", text, isError=True),
        assistant("seen"),
    ]


@pytest.mark.parametrize("by", ["session", "hash", "age"])
def test_a_purge_leaves_nothing_to_be_found(context: Context, by: str):
    """After it no file holds the text, packed or not, and asking for it is answered so."""
    host = HostSession(context)
    key = host.state.ref.key
    (hash_,) = marked_hashes(text_at(host.assemble(with_canary()), 2))
    host.assemble([*with_canary(), *turns(20)], budget=6_000)
    host.settle()
    assert CANARY.encode() in stored_text(context.state_dir)
    selections = {
        "session": Selection(session_key=key),
        "hash": Selection(hash=hash_),
        "age": Selection(older_than_ms=context.now_ms() + 1),
    }
    purge(context, SessionTable(), selections[by])
    assert CANARY.encode() not in stored_text(context.state_dir)
    with pytest.raises(OriginalNotFoundError) as missing:
        retrieve(context.database, resolve_session(key), hash_)
    assert missing.value.reason == "removed" and missing.value.removed_at_ms
    assert wrong(context) == []


def test_a_dry_run_deletes_nothing(context: Context):
    """Counting first is free: the same count, and all is still there."""
    host = HostSession(context)
    (hash_,) = marked_hashes(text_at(host.assemble(with_canary()), 2))
    host.settle()
    selection = Selection(session_key=host.state.ref.key)
    counted = purge(context, SessionTable(), selection, dry_run=True)
    assert CANARY in retrieve(context.database, host.state.ref, hash_).text
    assert purge(context, SessionTable(), selection) == counted
