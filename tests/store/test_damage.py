"""A damaged file is set aside with a date, a new one begun, the user told, nothing deleted."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from flowctx.errors import OriginalNotFoundError, StoreError
from flowctx.identity import resolve_session
from flowctx.service.context import Context
from flowctx.service.retrieve import retrieve
from flowctx.store.damage import is_marked_damaged, mark_damaged
from flowctx.store.database import Database
from flowctx.store.verify import integrity_problems, verify_store
from tests.support.host import HostSession, open_context
from tests.support.turns import turns

NAME = "flowctx.sqlite"
ASIDE = re.compile(rf"{re.escape(NAME)}\.damaged-\d{{8}}-\d{{6}}(-\d+)?")


def fill(folder: Path, count: int = 6) -> Path:
    """A store with some turns in it, closed."""
    context = open_context(folder)
    HostSession(context).assemble(turns(count))
    context.close()
    return folder / NAME


def set_aside_files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if ASIDE.fullmatch(file.name))


def overwrite(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def assert_works(context: Context) -> None:
    view = HostSession(context, "agent:main:explicit:after").assemble(turns(2))
    assert len(view) == 8 and context.database.status.state == "ok"


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda path: overwrite(path, 0, b"\0" * 100), id="header zeroed"),
        pytest.param(lambda path: overwrite(path, 0, b"not a database " * 9), id="header foreign"),
        pytest.param(lambda path: path.write_bytes(b"{}"), id="replaced by another file"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:5000]), id="truncated"),
        pytest.param(
            lambda path: overwrite(path, 4096, bytes(path.stat().st_size - 4096)), id="all pages"
        ),
        pytest.param(lambda path: overwrite(path, 100, b"\xff" * 3000), id="schema overwritten"),
    ],
)
def test_a_file_that_is_damaged_at_the_start_is_set_aside(tmp_path, damage):
    """The damaged bytes are kept under a dated name, and work goes on with a new store."""
    path = fill(tmp_path)
    damage(path)
    broken = path.read_bytes()
    context = open_context(tmp_path)
    if context.database.set_aside_as is None:
        # Damage behind what a start reads shows in use, and is dealt with at the next start.
        with pytest.raises(StoreError):
            for count in (6, 7):
                HostSession(context).assemble(turns(count))
                context.database.read(lambda c: list(verify_store(c)))
        assert context.database.why_restart and is_marked_damaged(path)
        context.close()
        context = open_context(tmp_path)
    (aside,) = set_aside_files(tmp_path)
    assert context.database.set_aside_as == aside
    assert aside.read_bytes() == broken or aside.stat().st_size > 0
    assert_works(context)
    assert not is_marked_damaged(path)
    context.close()


def test_what_was_in_a_store_that_was_set_aside_is_not_denied(tmp_path):
    """The new store is empty, but that an original is not in it does not mean there was none."""
    path = fill(tmp_path)
    overwrite(path, 0, b"\0" * 100)
    context = open_context(tmp_path)
    with pytest.raises(OriginalNotFoundError, match="damaged and set aside"):
        retrieve(context.database, resolve_session("agent:main:main"), "0" * 24)
    context.close()


def test_an_empty_file_is_a_new_store(tmp_path):
    """Nothing was in it, so nothing is set aside."""
    (tmp_path / NAME).touch()
    context = open_context(tmp_path)
    assert_works(context)
    assert set_aside_files(tmp_path) == []
    context.close()


@pytest.mark.parametrize("garbage", [b"", b"garbage" * 1000, b"\0" * 40_000])
def test_a_write_ahead_log_of_garbage_is_no_damage(tmp_path, garbage):
    """SQLite takes only what is whole from its log: the store opens and is sound."""
    path = fill(tmp_path)
    path.with_name(f"{NAME}-wal").write_bytes(garbage)
    context = open_context(tmp_path)
    assert_works(context)
    assert context.database.read(integrity_problems) == []
    context.close()


def test_two_that_are_set_aside_in_one_second_are_both_kept(tmp_path):
    """A second damaged file does not replace the first."""
    for content in (b"one " * 500, b"two " * 500):
        (tmp_path / NAME).write_bytes(content)
        Database(tmp_path / NAME).close()
        (tmp_path / NAME).unlink()
    kept = {file.read_bytes() for file in set_aside_files(tmp_path)}
    assert kept == {b"one " * 500, b"two " * 500}


def test_a_mark_makes_the_next_start_set_the_file_aside(tmp_path):
    """What one process found damaged, the next one does not open again."""
    path = fill(tmp_path)
    mark_damaged(path)
    context = open_context(tmp_path)
    assert len(set_aside_files(tmp_path)) == 1
    assert HostSession(context).assemble(turns(6))
    context.close()
    context = open_context(tmp_path)
    assert len(set_aside_files(tmp_path)) == 1
    context.close()


@pytest.mark.parametrize("seed", range(12))
def test_pages_flipped_at_random_are_found_or_harmless(tmp_path, seed):
    """With random bytes changed, either all that comes out is right or the damage is told."""
    path = fill(tmp_path)
    dice = random.Random(seed)
    size = path.stat().st_size
    for _ in range(3):
        at = dice.randrange(0, size, 4096)
        overwrite(path, at + dice.randrange(4000), dice.randbytes(60))
    context = open_context(tmp_path)
    try:
        view = HostSession(context).assemble(turns(7))
        assert len(view) == 28
        context.database.read(integrity_problems)
        found = context.database.read(lambda c: list(verify_store(c)))
        assert found
    except StoreError:
        pass
    context.close()
    context = open_context(tmp_path)
    assert_works(context)
    context.close()


def test_damage_found_in_use_stops_all_writing(tmp_path):
    """Once damage was seen, nothing more is written into the file, and the status stays so."""
    context = open_context(tmp_path)
    host = HostSession(context)
    host.assemble(turns(6))
    at_rest(context, host)
    context.database.write_outside_transaction(
        lambda c: c.wal_checkpoint(mode=3)  # SQLITE_CHECKPOINT_TRUNCATE
    ).result()
    path = tmp_path / NAME
    overwrite(path, 4096, b"\xff" * (path.stat().st_size - 4096))
    with pytest.raises(StoreError):
        for _ in range(3):
            context.database.read(lambda c: c.execute("SELECT sum(length(bytes)) FROM blobs").get)
            context.database.write(lambda c: c.execute("UPDATE blobs SET size = 0")).result()
    assert context.database.why_restart
    for _ in range(2):
        with pytest.raises(StoreError):
            context.database.write(
                lambda c: c.execute("INSERT INTO meta VALUES ('a', 'b')")
            ).result()
        assert context.database.status.state == "unavailable"
        assert "set aside" in context.database.status.reason
    context.close()


def at_rest(context: Context, host: HostSession) -> None:
    """Nothing reads or writes behind: SQLite's own files must not change under who maps them."""
    host.settle()
    context.index.close()
    host.settle()


def test_a_file_deleted_in_use_is_noticed(tmp_path):
    """Work on a file that has no name any more is for nothing: a new start begins a new one."""
    context = open_context(tmp_path)
    host = HostSession(context)
    host.assemble(turns(2))
    at_rest(context, host)
    assert not context.database.why_restart
    (tmp_path / NAME).unlink()
    assert context.database.why_restart
    context.close()
    context = open_context(tmp_path)
    assert_works(context)
    assert not context.database.why_restart
    context.close()


def test_a_file_replaced_in_use_is_noticed(tmp_path):
    """The same name is not the same file."""
    other = fill(tmp_path / "other")
    context = open_context(tmp_path)
    host = HostSession(context)
    host.assemble(turns(2))
    at_rest(context, host)
    other.rename(tmp_path / NAME)
    assert context.database.why_restart
    context.close()


def test_the_folder_that_is_a_file_is_told(tmp_path):
    """Where no folder can be, work goes on in memory and the status says why."""
    (tmp_path / "home").write_text("in the way")
    database = Database(tmp_path / "home" / NAME)
    assert database.status.state == "unavailable" and "home" in database.status.reason
    assert database.write(lambda c: c.execute("SELECT 1").get).result() == 1
    database.close()
