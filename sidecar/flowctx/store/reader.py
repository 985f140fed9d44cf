"""Reading a store without owning it: what the command line does beside a sidecar."""

import os
from pathlib import Path
from typing import Protocol, TypeVar

from flowctx.errors import SchemaTooNewError, StoreError, StoreMissingError
from flowctx.store.connection import Connection, connect_reader, translated_errors
from flowctx.store.database import Work
from flowctx.store.migrations import MIGRATIONS, schema_version
from flowctx.store.status import StoreStatus

Result = TypeVar("Result")


class Readable(Protocol):
    """A store that can be read; `Database` is one, too."""

    path: Path

    @property
    def status(self) -> StoreStatus:
        """Whether the store can be used."""

    def read(self, work: Work[Result]) -> Result:
        """Run a query."""


class StoreReader:
    """One read-only connection; changes nothing, not even the schema."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = _open(path)

    @property
    def status(self) -> StoreStatus:
        """Whether the store can be used: it can be read, but may it be written from here?"""
        locked = [path for path in (self.path, self.path.parent) if not os.access(path, os.W_OK)]
        if not locked:
            return StoreStatus()
        reason = f"{locked[0]} may not be written. Check its owner and permissions."
        return StoreStatus("read-only", reason)

    def read(self, work: Work[Result]) -> Result:
        """Run a query.

        Raises:
            StoreError: the database refused or is damaged.
        """
        with translated_errors():
            return work(self._connection)


def require_store(path: Path) -> None:
    """Refuse to go on where no store has begun.

    Raises:
        StoreMissingError: there is none.
    """
    if not path.exists():
        message = f"There is no store at {path} yet."
        raise StoreMissingError(message, hint="It begins with the first message that flowctx sees.")


def _open(path: Path) -> Connection:
    require_store(path)
    connection = connect_reader(path)
    try:
        with translated_errors():
            _check_schema(schema_version(connection))
    except StoreError:
        connection.close()
        raise
    return connection


def _check_schema(version: int) -> None:
    if version > len(MIGRATIONS):
        message = f"The store has schema {version}; this flowctx knows up to {len(MIGRATIONS)}."
        raise SchemaTooNewError(message, hint="Update flowctx.")
    if version < len(MIGRATIONS):
        message = f"The store has schema {version} and waits for {len(MIGRATIONS)}."
        raise StoreError(message, hint="It is brought up to date when the sidecar starts.")
