"""The database as the services use it: one writer thread, a reader per thread.

Opening never fails: what cannot be used is set aside or stood in for, and
`status` says so. Work goes on without a file; then nothing is kept.
"""

import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import apsw

from flowctx.errors import StoreDamagedError, StoreError, StoreReadOnlyError
from flowctx.store.connection import (
    connect_memory,
    connect_reader,
    connect_writer,
    translated_errors,
)
from flowctx.store.damage import is_marked_damaged, mark_damaged, set_aside
from flowctx.store.migrations import migrate
from flowctx.store.readers import Readers
from flowctx.store.status import StoreStatus
from flowctx.store.together import Together

# How often a store that is read-only tries to be written again.
REOPEN_SECONDS = 10.0

Result = TypeVar("Result")
Work = Callable[[apsw.Connection], Result]


@dataclass(frozen=True, slots=True)
class _Item:
    work: Work[Any]
    future: Future[Any]
    in_transaction: bool


class Database:
    """Connections to one file, or to a stand-in when the file cannot be used.

    Args:
        path: of the file; begun when there is none.
        sets_aside: whether a damaged file is renamed and a new one begun.
    """

    def __init__(self, path: Path, *, sets_aside: bool = True) -> None:
        self.path = path
        self._sets_aside = sets_aside
        self.set_aside_as: Path | None = None
        self._status = StoreStatus()
        self._why_restart = ""
        self._queue: queue.SimpleQueue[_Item | None] = queue.SimpleQueue()
        self._is_closed = False
        self._closing = threading.Lock()
        self._local = threading.local()
        self._readers = Readers(path)
        self._file: os.stat_result | None = None
        self._memory: apsw.Connection | None = None
        self._memory_lock = threading.Lock()
        self._next_try = time.monotonic() + REOPEN_SECONDS
        self._open()
        self._thread = threading.Thread(target=self._write_all, name="writer", daemon=True)
        self._thread.start()

    @property
    def status(self) -> StoreStatus:
        """Whether the store can be used right now."""
        return self._status

    @property
    def keeps_originals(self) -> bool:
        """True while what is written will be there after a restart."""
        return self._status.state == "ok"

    @property
    def is_stand_in(self) -> bool:
        """True where memory stands in for the file: what is written goes with the process."""
        return self._memory is not None

    @property
    def why_restart(self) -> str:
        """Why only a new start can use the file again; empty while there is no reason."""
        if not self._why_restart and self._file and not self._is_same_file(self._file):
            self._why_restart = "The file of the database was removed or replaced."
        return self._why_restart

    def read(self, work: Work[Result]) -> Result:
        """Run a query on this thread's own connection.

        Raises:
            StoreError: the database refused or is damaged.
        """
        if self._memory is not None:
            with self._memory_lock, translated_errors():
                return work(self._memory)
        try:
            connection = self._readers.open()
            with translated_errors():
                return work(connection)
        except StoreDamagedError as error:
            self._note_damage(error)
            raise

    def write(self, work: Work[Result]) -> Future[Result]:
        """Run work in a transaction of its own on the writer thread, in order of calls.

        The future fails with a `StoreError` when it could not be written.
        """
        together: Together | None = getattr(self._local, "together", None)
        return together.add(work) if together else self._put(work, in_transaction=True)

    @contextmanager
    def together(self) -> Iterator[None]:
        """What this thread writes inside goes in one transaction, at the end.

        Earlier, as soon as one of the writes is waited for. Each may fail alone.
        """
        waiting = Together(lambda work: self._put(work, in_transaction=True))
        self._local.together = waiting
        try:
            yield
        finally:
            self._local.together = None
            waiting.send()

    def write_outside_transaction(self, work: Work[Result]) -> Future[Result]:
        """Like `write`, for what SQLite does not allow inside a transaction."""
        return self._put(work, in_transaction=False)

    def close(self) -> None:
        """Finish what is queued, then close; safe to call twice."""
        with self._closing:
            self._is_closed = True
            self._queue.put(None)
        self._thread.join()

    def _put(self, work: Work[Result], *, in_transaction: bool) -> Future[Result]:
        future: Future[Result] = Future()
        with self._closing:
            if not self._is_closed:
                self._queue.put(_Item(work, future, in_transaction))
                return future
        future.set_exception(StoreError("The database is closed."))
        return future

    def _open(self) -> None:
        try:
            self._writer = self._open_file()
        except StoreReadOnlyError as error:
            self._writer = self._stand_in(error, may_read=True)
        except StoreError as error:
            self._writer = self._stand_in(error, may_read=False)

    def _open_file(self) -> apsw.Connection:
        try:
            if is_marked_damaged(self.path):
                self._set_aside()
            try:
                connection = _open_and_migrate(self.path)
            except StoreDamagedError:
                self._set_aside()
                connection = _open_and_migrate(self.path)
            self._file = self.path.stat()
            return connection
        except OSError as error:
            message = f"The folder of the database cannot be used ({error})."
            hint = "Check its owner and permissions."
            raise StoreReadOnlyError(message, hint=hint) from error

    def _set_aside(self) -> None:
        if not self._sets_aside:
            message = f"The database {self.path} is damaged."
            raise StoreDamagedError(message, hint="It is set aside when the sidecar starts.")
        self.set_aside_as = set_aside(self.path)

    def _stand_in(self, error: StoreError, *, may_read: bool) -> apsw.Connection:
        if may_read and self._can_read():
            self._status = StoreStatus("read-only", str(error))
            return connect_reader(self.path)
        self._status = StoreStatus("unavailable", str(error))
        self._memory = connect_memory()
        migrate(self._memory)
        return self._memory

    def _can_read(self) -> bool:
        with suppress(StoreError, OSError):
            connect_reader(self.path).execute("SELECT count(*) FROM meta").fetchall()
            return True
        return False

    def _write_all(self) -> None:
        while (item := self._queue.get()) is not None:
            if not item.future.set_running_or_notify_cancel():
                continue
            try:
                item.future.set_result(self._write_one(item))
            except BaseException as error:  # noqa: BLE001 - the waiting caller gets it
                item.future.set_exception(error)
        # The last connection that closes leaves one whole file behind.
        self._readers.close()
        with suppress(apsw.Error):
            self._writer.close()

    def _write_one(self, item: _Item) -> Any:
        if self._memory is not None:
            self._see_whether_the_file_is_back()
            with self._memory_lock, translated_errors(), self._memory:
                return item.work(self._memory)
        if self._why_restart:
            raise StoreDamagedError(self._status.reason or self._why_restart)
        try:
            self._reopen_if_read_only()
            changes = self._writer.total_changes()
            with translated_errors(), self._writer if item.in_transaction else nullcontext():
                result = item.work(self._writer)
        except StoreReadOnlyError as error:
            self._status = StoreStatus("read-only", str(error))
            raise
        except StoreDamagedError as error:
            self._note_damage(error)
            raise
        if self._writer.total_changes() > changes and not self._why_restart:
            # A disk that was full has room again. Damage that a reader found meanwhile stays.
            self._status = StoreStatus()
        return result

    def _reopen_if_read_only(self) -> None:
        """Once in a while see whether a file that could not be written now can be."""
        if self._writer.readonly("main") and self._may_try():
            self._writer = self._open_file()
            self._readers.close()

    def _see_whether_the_file_is_back(self) -> None:
        """Once in a while try the file that is stood in for: only a new start can move over."""
        if self._why_restart or not self._may_try():
            return
        with suppress(StoreError):
            self._open_file().close()
            self._why_restart = "The file of the database can be used again."

    def _may_try(self) -> bool:
        if time.monotonic() < self._next_try:
            return False
        self._next_try = time.monotonic() + REOPEN_SECONDS
        return True

    def _is_same_file(self, opened: os.stat_result) -> bool:
        try:
            return os.path.samestat(opened, self.path.stat())
        except FileNotFoundError:
            return False
        except OSError:
            return True

    def _note_damage(self, error: StoreDamagedError) -> None:
        mark_damaged(self.path)
        self._why_restart = "The damaged database is set aside at the next start."
        self._status = StoreStatus(
            "unavailable", f"{error} It will be set aside at the next start."
        )


def _open_and_migrate(path: Path) -> apsw.Connection:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    connection = connect_writer(path)
    try:
        with translated_errors():
            migrate(connection)
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except BaseException:
        connection.close()
        raise
    with suppress(OSError):
        path.chmod(0o600)
    return connection
