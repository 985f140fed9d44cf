"""The sidecar of a private host, as a test may disturb it."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from flowctx.paths import StatePaths
from flowctx.store.connection import Connection
from flowctx.store.reader import StoreReader
from tests.e2e.harness.gateway import session_key
from tests.e2e.harness.rig import Rig

_START_S = 20.0


def paths(rig: Rig) -> StatePaths:
    """Where the host's flowctx keeps its files."""
    return StatePaths(rig.gateway.host.folders.state)


def sidecar_pid(rig: Rig) -> int:
    """Process id of the sidecar that is announced and alive; waits until one is."""
    end = time.monotonic() + _START_S
    while time.monotonic() < end:
        with suppress(OSError, ValueError):
            pid = int(json.loads(paths(rig).endpoint.read_text())["pid"])
            os.kill(pid, 0)
            return pid
        time.sleep(0.05)
    raise TimeoutError("no sidecar came up")


def kill_sidecar(rig: Rig) -> int:
    """End the sidecar as a crash would; returns its process id."""
    pid = sidecar_pid(rig)
    os.kill(pid, signal.SIGKILL)
    return pid


@contextmanager
def stopped_sidecar(rig: Rig, *, kill_after_s: float | None = None) -> Iterator[int]:
    """Hold the sidecar still for a while, or kill it in the middle of what it was asked."""
    pid = sidecar_pid(rig)
    os.kill(pid, signal.SIGSTOP)
    timer = threading.Timer(kill_after_s or 0, _kill, [pid])
    if kill_after_s is not None:
        timer.start()
    try:
        yield pid
    finally:
        timer.cancel()
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def stored_rows(rig: Rig, session: str, *, agent: str = "main") -> list[tuple[str, int]]:
    """Role and time of every stored message of a session's running epoch, by time."""

    def read(connection: Connection) -> list[tuple[str, int]]:
        return connection.execute(
            "SELECT m.role, m.time_ms FROM messages m JOIN sessions s ON s.id = m.session_id"
            " WHERE s.key = ? AND s.ended_ms IS NULL ORDER BY m.time_ms, m.id",
            (session_key(session, agent),),
        ).fetchall()

    return StoreReader(paths(rig).database).read(read)


def query(rig: Rig, sql: str, *values: object) -> list[tuple[object, ...]]:
    """Rows of the host's store."""
    return StoreReader(paths(rig).database).read(lambda c: c.execute(sql, values).fetchall())


def folder_of(rig: Rig) -> Path:
    """flowctx's folder in the host's state directory."""
    return paths(rig).home
