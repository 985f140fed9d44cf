"""Writes of one request: one transaction, each fails alone, none waits for ever."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from flowctx.errors import StoreError
from flowctx.store.connection import Connection
from flowctx.store.database import Database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "flowctx.sqlite")
    yield database
    database.close()


def keys(database: Database) -> list[str]:
    query = "SELECT key FROM meta ORDER BY key"
    return database.read(lambda c: [key for (key,) in c.execute(query)])


def put(connection: Connection, key: str) -> str:
    connection.execute("INSERT INTO meta (key, value) VALUES (?, '')", (key,))
    return key


def refuse(connection: Connection) -> str:
    put(connection, "half")
    message = "no"
    raise StoreError(message)


def test_all_of_a_request_is_one_transaction(database: Database):
    """Nothing is there before the end, and one commit brings all of it."""
    commits: list[int] = []
    database.write_outside_transaction(
        lambda c: c.set_commit_hook(lambda: commits.append(1) or False)
    ).result()
    with database.together():
        written = [database.write(lambda c, key=key: put(c, key)) for key in "abc"]
        assert keys(database) == []
    assert [each.result() for each in written] == ["a", "b", "c"]
    assert keys(database) == ["a", "b", "c"] and len(commits) == 1


def test_one_that_fails_takes_no_other_along(database: Database):
    """What it had written goes, what the others wrote stays."""
    with database.together():
        first = database.write(lambda c: put(c, "a"))
        refused = database.write(refuse)
        twice = database.write(lambda c: put(c, "a"))
        last = database.write(lambda c: put(c, "b"))
    assert first.result() == "a" and last.result() == "b"
    assert isinstance(refused.exception(), StoreError)
    assert isinstance(twice.exception(), StoreError)
    assert keys(database) == ["a", "b"]


def test_one_that_is_waited_for_is_written_at_once(database: Database):
    """It brings those before it along; those after it follow at the end."""
    with database.together():
        before = database.write(lambda c: put(c, "a"))
        assert database.write(lambda c: put(c, "b")).result(20) == "b"
        assert before.done() and keys(database) == ["a", "b"]
        database.write(lambda c: put(c, "c"))
    database.write(lambda _: None).result()
    assert keys(database) == ["a", "b", "c"]


def test_a_store_that_takes_nothing_fails_each_of_them(database: Database):
    """All are told why."""
    database.close()
    with database.together():
        written = [database.write(lambda c, key=key: put(c, key)) for key in "ab"]
    assert all(isinstance(each.exception(), StoreError) for each in written)


def test_a_full_disk_fails_all_of_them_and_the_next_go_on(database: Database):
    """Half of a request is never there."""

    def full(_: Connection) -> None:
        raise apsw.FullError

    with database.together():
        written = [database.write(lambda c: put(c, "a")), database.write(full)]
    assert all(isinstance(each.exception(), StoreError) for each in written)
    assert keys(database) == []
    assert database.write(lambda c: put(c, "b")).result() == "b"
