"""The schema: made from nothing, brought up from every older one, never touched when newer."""

from __future__ import annotations

import hashlib
from pathlib import Path

import apsw
import pytest

from flowctx.errors import SchemaTooNewError, StoreError
from flowctx.store import migrations
from flowctx.store.connection import connect_writer
from flowctx.store.database import Database
from flowctx.store.migrations import MIGRATIONS, migrate, schema_version
from flowctx.store.reader import StoreReader
from tests.support.host import HostSession, open_context
from tests.support.turns import turns

TABLES = {
    "meta", "sessions", "blobs", "messages", "advancements", "originals", "refs", "removed",
    "views", "notes", "ledger",
}  # fmt: skip


def schema_of(connection: apsw.Connection) -> list[tuple[str, str]]:
    rows = connection.execute("SELECT name, sql FROM sqlite_schema ORDER BY name")
    return [row for row in rows if not row[0].startswith("sqlite_")]


def bytes_of(folder: Path) -> dict[str, str]:
    """What every file of a folder holds, by hash."""
    return {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.iterdir()
        if file.is_file()
    }


def test_a_blank_file_gets_the_whole_schema(tmp_path):
    """All tables are there, all of them strict, and the version is the last migration's."""
    connection = connect_writer(tmp_path / "new.sqlite")
    migrate(connection)
    made = dict(schema_of(connection))
    assert set(made) >= TABLES and schema_version(connection) == len(MIGRATIONS)
    assert all(sql.rstrip().endswith("STRICT") for name, sql in made.items() if name in TABLES)
    connection.close()


@pytest.mark.parametrize("version", range(len(MIGRATIONS) + 1))
def test_every_older_schema_ends_up_the_same(tmp_path, version):
    """From each version that ever was, migrating gives the schema of a new file."""
    blank, older = (connect_writer(tmp_path / f"{name}.sqlite") for name in ("blank", "older"))
    migrate(blank)
    for number, migration in enumerate(MIGRATIONS[:version], start=1):
        with older:
            migration(older)
            older.pragma("user_version", number)
    migrate(older)
    assert schema_of(older) == schema_of(blank)
    blank.close()
    older.close()


def test_migrating_twice_changes_nothing(tmp_path):
    """A store that is up to date is left alone, rows and all."""
    context = open_context(tmp_path)
    HostSession(context).assemble(turns(2))
    context.close()
    before = bytes_of(tmp_path)
    connection = connect_writer(tmp_path / "flowctx.sqlite")
    migrate(connection)
    connection.close()
    assert bytes_of(tmp_path) == before


def test_a_newer_store_is_refused_and_not_touched(tmp_path):
    """What a newer flowctx wrote keeps every byte, and the message says what to do."""
    context = open_context(tmp_path)
    HostSession(context).assemble(turns(2))
    context.close()
    connection = connect_writer(tmp_path / "flowctx.sqlite")
    connection.pragma("user_version", len(MIGRATIONS) + 1)
    connection.close()
    before = bytes_of(tmp_path)
    database = Database(tmp_path / "flowctx.sqlite")
    assert database.status.state == "unavailable" and "Update flowctx" in database.status.reason
    database.write(lambda c: c.execute("INSERT INTO meta VALUES ('k', 'v')")).result()
    database.close()
    with pytest.raises(SchemaTooNewError, match="Update flowctx"):
        StoreReader(tmp_path / "flowctx.sqlite")
    after = bytes_of(tmp_path)
    assert {name: after[name] for name in before} == before


def test_a_migration_that_fails_leaves_no_half_of_it(tmp_path, monkeypatch):
    """A migration and its record are one transaction: the next start tries again from the old."""
    path = tmp_path / "flowctx.sqlite"
    Database(path).close()

    def broken(connection: apsw.Connection) -> None:
        connection.execute("CREATE TABLE half (x)")
        if connection.filename:
            connection.execute("SELECT * FROM there_is_no_such_table")

    monkeypatch.setattr(migrations, "MIGRATIONS", (*MIGRATIONS, broken))
    database = Database(path)
    assert database.status.state == "unavailable"
    database.close()
    monkeypatch.undo()
    connection = connect_writer(path)
    assert schema_version(connection) == len(MIGRATIONS)
    assert "half" not in dict(schema_of(connection))
    connection.close()


def test_a_file_that_is_another_programs_is_left_alone(tmp_path):
    """A database with tables of the same names but not ours is neither used nor changed."""
    path = tmp_path / "flowctx.sqlite"
    foreign = apsw.Connection(str(path))
    foreign.execute("CREATE TABLE sessions (theirs); INSERT INTO sessions VALUES (1)")
    foreign.close()
    database = Database(path)
    assert database.status.state == "unavailable"
    database.close()
    foreign = apsw.Connection(str(path))
    assert foreign.execute("SELECT theirs FROM sessions").get == 1
    foreign.close()


def test_reading_beside_a_sidecar_changes_nothing(tmp_path):
    """The command line reads an older or missing store without making or mending it."""
    path = tmp_path / "flowctx.sqlite"
    with pytest.raises(StoreError, match="no store"):
        StoreReader(path)
    assert not path.exists()
    apsw.Connection(str(path)).execute("CREATE TABLE x (y)")
    with pytest.raises(StoreError, match="brought up to date"):
        StoreReader(path)
