"""One thread behind that nobody has to wait for, not even at the end."""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

Result = TypeVar("Result")

# A process that ends waits for an executor's threads, and so for an endpoint that hangs.
_CLOSE_SECONDS = 1.0


@dataclass(slots=True)
class Lane:
    """Does what it is given, one after the other, on a thread that begins with the first."""

    name: str
    _queue: "queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]]]" = field(
        default_factory=queue.SimpleQueue
    )
    _starting: threading.Lock = field(default_factory=threading.Lock)
    _thread: threading.Thread | None = None

    def submit(self, work: Callable[[], Result]) -> "Future[Result]":
        """Queue work; its future fails with what the work raises."""
        future: Future[Result] = Future()
        self._queue.put((work, future))
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
                self._thread.start()
        return future

    def settle(self, seconds: float | None = _CLOSE_SECONDS) -> None:
        """Wait until all is done that was queued, so many seconds at most."""
        if self._thread is not None:
            with suppress(TimeoutError):
                self.submit(lambda: None).result(seconds)

    def _run(self) -> None:
        while True:
            work, future = self._queue.get()
            try:
                future.set_result(work())
            except BaseException as error:  # noqa: BLE001 - the waiting caller gets it
                future.set_exception(error)
