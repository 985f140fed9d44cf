"""Opening a connection: one function per setting, each checked after it is set."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import apsw

from flowctx.errors import StoreDamagedError, StoreError, StoreReadOnlyError

Connection = apsw.Connection

BUSY_TIMEOUT_MS = 5_000
# Pages kept per connection, in KiB; small, because every worker thread has one.
CACHE_KIB = 2_048


def connect_writer(path: Path) -> apsw.Connection:
    """Open the one connection that writes; creates the file if need be.

    Raises:
        StoreError: the file cannot be opened, is damaged, or cannot be written.
    """
    with translated_errors():
        connection = apsw.Connection(str(path))
        try:
            _configure_writer(connection)
        except BaseException:
            # Left open, it would take the log of a file that is set aside away from the next.
            connection.close()
            raise
        return connection


def connect_reader(path: Path) -> apsw.Connection:
    """Open a connection that only reads.

    Raises:
        StoreError: the file cannot be opened or is damaged.
    """
    with translated_errors():
        connection = _open_reader(path)
        set_busy_timeout(connection)
        set_cache_size(connection)
        return connection


def connect_memory() -> apsw.Connection:
    """Open a database that lives as long as the process, for when no file can be used."""
    connection = apsw.Connection(":memory:")
    set_foreign_keys(connection)
    return connection


def set_busy_timeout(connection: apsw.Connection) -> None:
    """Wait for other processes' locks instead of failing at once."""
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)


def set_wal(connection: apsw.Connection) -> None:
    """Readers never wait for the writer, nor the writer for them."""
    _expect(connection, "journal_mode", "wal", "wal")


def set_synchronous_normal(connection: apsw.Connection) -> None:
    """No sync per transaction: a crash of the process loses nothing, a power cut the last ones."""
    _expect(connection, "synchronous", "NORMAL", 1)


def set_foreign_keys(connection: apsw.Connection) -> None:
    """Deleting a session deletes what belongs to it."""
    _expect(connection, "foreign_keys", "ON", 1)


def set_secure_delete(connection: apsw.Connection) -> None:
    """Overwrite deleted content, so that a purge is one."""
    _expect(connection, "secure_delete", "ON", 1)


def set_cache_size(connection: apsw.Connection) -> None:
    """Bound the memory of one connection."""
    _expect(connection, "cache_size", str(-CACHE_KIB), -CACHE_KIB)


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn SQLite's errors into ours, named for the state they mean."""
    try:
        yield
    except (apsw.NotADBError, apsw.CorruptError, UnicodeDecodeError) as error:
        message = f"The database is damaged ({error})."
        raise StoreDamagedError(message) from error
    except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError) as error:
        message = f"The database cannot be written ({error})."
        hint = "Check owner and permissions of the folder."
        raise StoreReadOnlyError(message, hint=hint) from error
    except (apsw.FullError, apsw.IOError) as error:
        message = f"The database cannot be written ({error})."
        raise StoreReadOnlyError(message, hint="Check the free space of the disk.") from error
    except apsw.Error as error:
        message = f"The database refused ({error})."
        raise StoreError(message) from error


def _open_reader(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.execute("SELECT 1 FROM sqlite_schema").fetchall()
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        connection.close()
        if os.access(path.parent, os.W_OK) or not path.exists():
            raise
        # Even reading wants a log beside the file. Where none can be made, nobody
        # who could write the file is expected: SQLite may take it as it stands.
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        return apsw.Connection(f"file:{quote(str(path))}?immutable=1", flags=flags)
    return connection


def _configure_writer(connection: apsw.Connection) -> None:
    # SQLite opens a file that may not be written as one to read.
    if connection.readonly("main"):
        raise apsw.ReadOnlyError("the file may only be read")
    set_busy_timeout(connection)
    set_wal(connection)
    set_synchronous_normal(connection)
    set_foreign_keys(connection)
    set_secure_delete(connection)
    set_cache_size(connection)
    # Take the write lock at the start, where waiting for another process works.
    connection.transaction_mode = "IMMEDIATE"


def _expect(connection: apsw.Connection, name: str, value: str, expected: object) -> None:
    connection.pragma(name, value)
    actual = connection.pragma(name)
    if actual != expected:
        message = f"The database would not take {name}={value}; it is {actual!r}."
        raise StoreError(message)
