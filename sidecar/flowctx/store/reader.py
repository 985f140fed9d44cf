"""Reading a store without owning it: what the command line does beside a sidecar."""

from pathlib import Path
from typing import Protocol, TypeVar

from flowctx.errors import SchemaTooNewError, StoreError
from flowctx.store.connection import Connection, connect_reader, translated_errors
from flowctx.store.database import StoreStatus, Work
from flowctx.store.migrations import MIGRATIONS, schema_version

Result = TypeVar("Result")


class Readable(Protocol):
    """A store that can be read; `Database` is one, too."""

    path: Path
    set_aside_as: Path | None

    @property
    def status(self) -> StoreStatus:
        """Whether the store can be used."""

    def read(self, work: Work[Result]) -> Result:
        """Run a query."""


class StoreReader:
    """One read-only connection; changes nothing, not even the schema."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.set_aside_as: Path | None = None
        self._connection = _open(path)

    @property
    def status(self) -> StoreStatus:
        """Whether the store can be used; one that could not be read was not opened."""
        return StoreStatus()

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
        StoreError: there is none.
    """
    if not path.exists():
        message = f"There is no store at {path} yet."
        raise StoreError(message, hint="It begins with the first message that flowctx sees.")


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
