"""Connections that read: one per thread, all of them closed together."""

import threading
from contextlib import suppress
from pathlib import Path

import apsw

from flowctx.store.connection import connect_reader


class Readers:
    """Opens a connection for each thread that asks, for as long as the file is the same."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()
        self._lock = threading.Lock()
        self._all: list[apsw.Connection] = []
        self._round = 0

    def open(self) -> apsw.Connection:
        """The connection of the calling thread.

        Raises:
            StoreError: the file cannot be opened or is damaged.
        """
        held: tuple[int, apsw.Connection] | None = getattr(self._local, "held", None)
        if held is not None and held[0] == self._round:
            return held[1]
        connection = connect_reader(self._path)
        with self._lock:
            self._all.append(connection)
            self._local.held = (self._round, connection)
        return connection

    def close(self) -> None:
        """Close all; a thread that asks again gets a new one, to the file that is there then."""
        with self._lock:
            self._round += 1
            for connection in self._all:
                # One in use by its thread is closed when that lets go of it.
                with suppress(apsw.ThreadingViolationError):
                    connection.close()
            self._all.clear()
