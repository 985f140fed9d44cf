"""Feeding the index behind the reply: what is new, and what a store held before it had one.

Rows wait until they are in the index, so nothing is lost when a sidecar ends in
the middle, and an existing store is worked off the same way.
"""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from flowctx.config import Settings
from flowctx.errors import StoreError
from flowctx.service.search.document import document_of
from flowctx.store.blobs import load_blob
from flowctx.store.connection import Connection
from flowctx.store.database import Database
from flowctx.store.recall.documents import (
    Document,
    Waiting,
    add_documents,
    waiting_messages,
    waiting_notes,
)

# Small enough that a write of the reply path never waits long behind one.
_BATCH = 32
_PAUSE_SECONDS = 0.005


@dataclass(slots=True)
class IndexFeed:
    """Feeds one store's index on a thread of its own.

    Attributes:
        indexed_to: messages up to this row id are in the index.
    """

    database: Database
    indexed_to: int = 0
    _thread: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="index")
    )
    _is_due: threading.Event = field(default_factory=threading.Event)
    _ends: threading.Event = field(default_factory=threading.Event)

    def wake(self, settings: Settings) -> None:
        """See to what waits, behind; does nothing while that is under way."""
        if self._is_due.is_set() or self._ends.is_set() or not self.database.keeps_originals:
            return
        self._is_due.set()
        self._thread.submit(self._work, settings)

    def begin_anew(self) -> None:
        """Look at all rows again: some were deleted, and their ids may come back."""
        self.indexed_to = 0

    def drain(self, settings: Settings) -> None:
        """Index all that waits, here and now."""
        self.wake(settings)
        self._thread.submit(int).result()

    def close(self) -> None:
        """Stop after the batch that is under way; the rest waits for the next start."""
        self._ends.set()
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _work(self, settings: Settings) -> None:
        self._is_due.clear()
        try:
            while not self._ends.is_set() and self._batch(settings):
                self._ends.wait(_PAUSE_SECONDS)
        except StoreError:
            # What waits is still there; the next message wakes the feed again.
            return

    def _batch(self, settings: Settings) -> bool:
        """Index some rows; False when none wait."""
        # Rows under way to the store are written before this.
        self.database.write(lambda _: None).result()
        start = self.indexed_to
        messages = self.database.read(lambda c: waiting_messages(c, start, _BATCH))
        notes = [] if messages else self.database.read(lambda c: waiting_notes(c, _BATCH))
        most = settings.capture_field_max_chars
        documents = [self._document(source, most) for source in (*messages, *notes)]
        if documents:
            self.database.write(lambda c: add_documents(c, documents)).result()
        if messages and self.indexed_to == start:
            self.indexed_to = messages[-1].id
        return bool(documents)

    def _document(self, source: Waiting, most_chars: int) -> Document:
        def load(connection: Connection) -> bytes | None:
            return load_blob(connection, source.body) if source.body else None

        body = source.body if source.node else self.database.read(load)
        return document_of(source, body, most_chars)
