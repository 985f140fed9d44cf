"""Vectors behind the reply: those of cards, and that of a prompt if it comes in time."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

from flowctx.config import Settings
from flowctx.embedding_settings import EmbeddingSettings
from flowctx.service.sliding.embedding.encoder import NamedEncoder, open_encoder
from flowctx.service.sliding.embedding.lane import Lane
from flowctx.store.card_vectors import CardVector, add_vectors, waiting_cards
from flowctx.store.database import Database

# What a reply may wait for the vector of its prompt; without it, words alone decide.
REPLY_SECONDS = 0.05
# What a tool of the model may wait for one.
TOOL_SECONDS = 2.0
# After a failure nothing is asked for this long, nor after a prompt whose vector came late.
RETRY_SECONDS = 300.0
LATE_SECONDS = 60.0
_BATCH = 8
_PROMPT_CHARS = 2_000
# A model on this machine leaves the processor to others as long as it used it.
_MOST_PAUSE_SECONDS = 1.0


@dataclass(slots=True)
class VectorFeed:
    """Makes the vectors of one store's cards on a thread of its own, and those of prompts.

    Attributes:
        tell: is told why there are none.
    """

    database: Database
    tell: Callable[[str], None]
    _cards: Lane = field(default_factory=lambda: Lane("card-vectors"))
    _prompts: Lane = field(default_factory=lambda: Lane("prompt-vector"))
    _is_due: threading.Event = field(default_factory=threading.Event)
    _ends: threading.Event = field(default_factory=threading.Event)
    _opened: tuple[EmbeddingSettings, NamedEncoder] | None = None
    _asked: "Future[CardVector] | None" = None
    _failed: EmbeddingSettings | None = None
    _not_before: float = 0.0
    _no_prompt_before: float = 0.0

    def wake(self, settings: Settings, since_ms: int) -> None:
        """Make the vectors that are missing of cards since then, behind; only where switched on."""
        source = settings.sliding.embedding
        is_on = settings.sliding.enabled and source.is_on and self.database.keeps_originals
        if not is_on or self._is_due.is_set() or self._ends.is_set() or self._rests(source):
            return
        self._is_due.set()
        self._cards.submit(lambda: self._work(source, since_ms))

    def vector_of(self, prompt: str, settings: Settings, seconds: float) -> CardVector | None:
        """The vector of a prompt, if it comes within so many seconds."""
        source, held = settings.sliding.embedding, self._opened
        if held is None or held[0] != source or not prompt.strip() or self._rests(source):
            return None
        now = time.monotonic()
        is_busy = self._asked is not None and not self._asked.done()
        if is_busy or (seconds <= REPLY_SECONDS and now < self._no_prompt_before):
            return None
        self._asked = self._prompts.submit(lambda: held[1].vectors_of([prompt[:_PROMPT_CHARS]])[0])
        try:
            return self._asked.result(seconds)
        except TimeoutError:
            self._no_prompt_before = now + LATE_SECONDS
        except Exception as error:  # noqa: BLE001 - a reply goes on without
            self._fail(source, error)
        return None

    def drain(self, settings: Settings, since_ms: int) -> None:
        """Make all vectors that are missing, here and now."""
        self.wake(settings, since_ms)
        self._cards.settle(None)

    def close(self) -> None:
        """Stop after the batch that is under way; the rest waits for the next start."""
        self._ends.set()
        self._cards.settle()
        self._prompts.settle()

    def _work(self, source: EmbeddingSettings, since_ms: int) -> None:
        self._is_due.clear()
        try:
            encoder = self._open(source)
            while not self._ends.is_set() and (seconds := self._batch(encoder, since_ms)):
                self._ends.wait(min(seconds, _MOST_PAUSE_SECONDS))
        except Exception as error:  # noqa: BLE001 - nobody waits for this thread's errors
            self._fail(source, error)

    def _open(self, source: EmbeddingSettings) -> NamedEncoder:
        if self._opened is None or self._opened[0] != source:
            self._opened = source, open_encoder(source)
        return self._opened[1]

    def _batch(self, encoder: NamedEncoder, since_ms: int) -> float:
        """Seconds that the vectors of some cards took; 0 when no card waits."""
        started = time.monotonic()
        waiting = self.database.read(lambda c: waiting_cards(c, encoder.model, since_ms, _BATCH))
        if not waiting:
            return 0.0
        vectors = encoder.vectors_as_far_as_possible([text for _, text in waiting])
        self.database.write(lambda c: add_vectors(c, waiting, vectors)).result()
        return time.monotonic() - started

    def _rests(self, source: EmbeddingSettings) -> bool:
        return source == self._failed and time.monotonic() < self._not_before

    def _fail(self, source: EmbeddingSettings, error: Exception) -> None:
        if not self._ends.is_set():
            self._failed, self._not_before = source, time.monotonic() + RETRY_SECONDS
            self.tell(f"no vectors of cards, words alone decide: {error}")
