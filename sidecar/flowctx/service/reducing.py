"""Reducing what a view lacks while its caller waits: what takes too long is finished behind.

No result may hold up the others of its view, whatever it holds.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, wait
from dataclasses import dataclass, field

log = logging.getLogger("flowctx.reducing")

Key = tuple[int, bytes]
Work = Callable[[], None]

# After so much of the time that is left, the next result is begun beside one that takes long.
_PATIENCE = 0.25


@dataclass(slots=True)
class Reducing:
    """Results that are being reduced right now, by session row and digest; each only once."""

    _futures: dict[Key, Future[None]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __len__(self) -> int:
        return len(self._futures)

    def run(self, key: Key, work: Work) -> None:
        """Do the work here, unless somebody is at it."""
        if self._claim(key):
            self._run(key, work)

    def begin(self, key: Key, work: Work, pool: Executor) -> Future[None]:
        """Have the work done by a pool, unless somebody is at it; done when it is done."""
        if future := self._claim(key):
            pool.submit(self._run_behind, key, work)
            return future
        with self._lock:
            return self._futures.get(key) or _done()

    def _claim(self, key: Key) -> Future[None] | None:
        with self._lock:
            if key in self._futures:
                return None
            self._futures[key] = Future()
            return self._futures[key]

    def _run_behind(self, key: Key, work: Work) -> None:
        try:
            self._run(key, work)
        except Exception:
            # Nobody hears of it otherwise; the result stays as it is.
            log.exception("a result was not reduced")

    def _run(self, key: Key, work: Work) -> None:
        try:
            work()
        finally:
            with self._lock:
                future = self._futures.pop(key)
            future.set_result(None)


def begin_all(begin: Sequence[Callable[[], Future[None] | None]], deadline: float) -> None:
    """Begin one piece of work after the other, and wait for all of them until a deadline.

    Args:
        begin: each begins one; None when there is nothing to do after all.
        deadline: monotonic seconds; what is under way then goes on behind.
    """
    begun: list[Future[None]] = []
    for each in begin:
        left = deadline - time.monotonic()
        if left < 0:
            break
        if future := each():
            begun.append(future)
            wait([future], left * _PATIENCE)
    wait(begun, max(deadline - time.monotonic(), 0))


def _done() -> Future[None]:
    future: Future[None] = Future()
    future.set_result(None)
    return future
