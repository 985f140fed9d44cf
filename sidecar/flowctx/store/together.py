"""Writes of one request that go to the store together: one transaction, each fails alone."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

import apsw

from flowctx.errors import StoreError

Result = TypeVar("Result")
Work = Callable[[apsw.Connection], Any]
Put = Callable[[Work], Future[Any]]


class Held(Future[Result]):
    """The future of a write that waits for others; to ask for its result sends them all off."""

    def __init__(self, send: Callable[[], None]) -> None:
        super().__init__()
        self._send = send

    def result(self, timeout: float | None = None) -> Result:
        """The result, once it is written."""
        if not self.done():
            self._send()
        return super().result(timeout)

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """The error, once it is known."""
        if not self.done():
            self._send()
        return super().exception(timeout)


@dataclass(frozen=True, slots=True)
class _Item:
    work: Work
    future: Held[Any]


class Together:
    """Writes that wait to be sent off.

    Args:
        put: sends work off as one transaction.
    """

    def __init__(self, put: Put) -> None:
        self._put = put
        self._lock = threading.Lock()
        self._items: list[_Item] = []

    def add(self, work: Work) -> Future[Any]:
        """Put a write behind the others."""
        item = _Item(work, Held(self.send))
        with self._lock:
            self._items.append(item)
        return item.future

    def send(self) -> None:
        """Send off what waits; does nothing where nothing does."""
        with self._lock:
            items, self._items = self._items, []
        if items:
            put = self._put(lambda connection: [_run(connection, item.work) for item in items])
            put.add_done_callback(lambda done: _tell(items, done))


def _run(connection: apsw.Connection, work: Work) -> tuple[Any, StoreError | None]:
    """Run one of several in a savepoint. What fails for the store's sake fails for all."""
    try:
        with connection:
            result = work(connection)
    except apsw.ConstraintError as error:
        return None, StoreError(f"The database refused ({error}).")
    except StoreError as error:
        return None, error
    return result, None


def _tell(items: Sequence[_Item], done: Future[list[tuple[Any, StoreError | None]]]) -> None:
    error = done.exception()
    outcomes = [(None, error)] * len(items) if error else done.result()
    for item, (result, own_error) in zip(items, outcomes, strict=True):
        if own_error is not None:
            item.future.set_exception(own_error)
        else:
            item.future.set_result(result)
