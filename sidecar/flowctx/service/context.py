"""What every use case is given: the store, the settings, a clock, workers, a way to tell."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from flowctx.config import Settings
from flowctx.dag.prices import Prices
from flowctx.service.breaker import Breaker
from flowctx.service.reducing import Reducing
from flowctx.service.search.feed import IndexFeed
from flowctx.service.sliding.embedding.vectors import VectorFeed
from flowctx.service.state import SessionState
from flowctx.setting import Problem
from flowctx.store.continuity import ContinuityLog
from flowctx.store.database import Database

Notify = Callable[[str, str], None]
Wake = Callable[[SessionState], None]

# Reducing is CPU work: more threads than this only take turns.
REDUCE_WORKERS = 2
# One that takes long must not keep those behind it from being begun.
INLINE_WORKERS = 4
# A third of what the host waits for a view at most.
INLINE_SECONDS = 0.25
# Anthropic's default, and the shortest of the large providers'.
CACHE_TTL_MS = 300_000


def _quiet(_kind: str, _text: str) -> None:
    pass


def _asleep(_state: SessionState) -> None:
    pass


@dataclass(slots=True)
class Context:
    """Shared by all use cases of one sidecar.

    Attributes:
        state_dir: flowctx's own folder inside the host's state directory.
        database: the store.
        settings: replaced as a whole when a shim says hello.
        problems: keys of the settings that were not taken as written.
        notify: tells the gateway's log; kinds are those of `Notice` on the wire.
        wake: says that a session may have notes to write; only marks it.
        breaker: stops calls for notes where credentials are refused.
        now_ms: the clock, Unix milliseconds.
        inline_seconds: what a view may spend on results that nobody reduced ahead.
        prices: of tokens, for deciding when a round pays.
        cache_ttl_ms: how long the provider's prefix cache lives after a call.
        note_tokens: size of the notes that a model writes in a replay; 0 where digests,
            which cost nothing, stand for them.
        workers: where results are reduced.
        next_expiry_ms: when ended epochs are looked at again; `next_card_expiry_ms`
            when cards are.
        index: is fed with what is stored, behind; so is `vectors`, where it is switched on.
        inline: where they are for a view that waits.
        in_flight: what workers have before them, by session row and digest.
        reducing: what is being reduced right now, by whomever.
    """

    state_dir: Path
    database: Database
    settings: Settings = field(default_factory=Settings)
    problems: tuple[Problem, ...] = ()
    notify: Notify = _quiet
    wake: Wake = _asleep
    breaker: Breaker = field(default_factory=Breaker)
    now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    inline_seconds: float = INLINE_SECONDS
    prices: Prices = field(default_factory=Prices)
    cache_ttl_ms: int = CACHE_TTL_MS
    note_tokens: int = 0
    workers: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(REDUCE_WORKERS, thread_name_prefix="reduce")
    )
    inline: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(INLINE_WORKERS, thread_name_prefix="inline")
    )
    in_flight: set[tuple[int, bytes]] = field(default_factory=set)
    reducing: Reducing = field(default_factory=Reducing)
    next_expiry_ms: int = 0
    next_card_expiry_ms: int = 0
    continuity: ContinuityLog = field(init=False)
    index: IndexFeed = field(init=False)
    vectors: VectorFeed = field(init=False)

    def __post_init__(self) -> None:
        self.continuity = ContinuityLog(self.state_dir / "flowctx-sessions.jsonl")
        self.index = IndexFeed(self.database)
        self.vectors = VectorFeed(self.database, lambda text: self.notify("trigger", text))

    def close(self) -> None:
        """Finish what is under way and close the store."""
        self.index.close()
        self.vectors.close()
        for pool in (self.workers, self.inline):
            pool.shutdown(wait=True, cancel_futures=True)
        self.database.close()
