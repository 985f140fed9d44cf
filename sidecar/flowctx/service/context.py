"""What every use case is given: the store, the settings, a clock, workers, a way to tell."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from flowctx.config import Problem, Settings
from flowctx.service.search.feed import IndexFeed
from flowctx.store.continuity import ContinuityLog
from flowctx.store.database import Database

Notify = Callable[[str, str], None]

# Reducing is CPU work: more threads than this only take turns.
REDUCE_WORKERS = 2
# A third of what the host waits for a view at most.
INLINE_SECONDS = 0.25


def _quiet(_kind: str, _text: str) -> None:
    pass


@dataclass(slots=True)
class Context:
    """Shared by all use cases of one sidecar.

    Attributes:
        state_dir: flowctx's own folder inside the host's state directory.
        database: the store.
        settings: replaced as a whole when a shim says hello.
        problems: keys of the settings that were not taken as written.
        notify: tells the gateway's log; kinds are "trigger" and "engine".
        now_ms: the clock, Unix milliseconds.
        inline_seconds: what a view may spend on results that nobody reduced ahead.
        workers: where results are reduced.
        next_expiry_ms: when ended epochs are looked at again.
        index: is fed with what is stored, behind.
        in_flight: results being reduced right now, by session row and digest.
    """

    state_dir: Path
    database: Database
    settings: Settings = field(default_factory=Settings)
    problems: tuple[Problem, ...] = ()
    notify: Notify = _quiet
    now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    inline_seconds: float = INLINE_SECONDS
    workers: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(REDUCE_WORKERS, thread_name_prefix="reduce")
    )
    in_flight: set[tuple[int, bytes]] = field(default_factory=set)
    next_expiry_ms: int = 0
    continuity: ContinuityLog = field(init=False)
    index: IndexFeed = field(init=False)

    def __post_init__(self) -> None:
        self.continuity = ContinuityLog(self.state_dir / "flowctx-sessions.jsonl")
        self.index = IndexFeed(self.database)

    def close(self) -> None:
        """Finish what is under way and close the store."""
        self.index.close()
        self.workers.shutdown(wait=True, cancel_futures=True)
        self.database.close()
