"""Letting a store grow old: every time in it is moved back while nobody serves it."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress

import apsw

from tests.e2e.harness.rig import Rig
from tests.e2e.sidecar_process import paths, sidecar_pid

DAY_MS = 86_400_000
# Later than any duration in milliseconds, earlier than any time of a test.
_EARLIEST_MS = 1_000_000_000_000
_LEAVE_S = 20.0


def restart_after_days(rig: Rig, days: int) -> None:
    """Start gateway and sidecar again on a store whose times lie so many days further back.

    The clock itself stays: a host with a moved one would refuse its own tokens and runs.
    """
    pid = sidecar_pid(rig)
    rig.gateway.stop()
    os.kill(pid, signal.SIGTERM)
    end = time.monotonic() + _LEAVE_S
    with suppress(ProcessLookupError):
        while time.monotonic() < end:
            os.kill(pid, 0)
            time.sleep(0.05)
    _move_times(rig, days * DAY_MS)
    rig.gateway.start()


def _move_times(rig: Rig, by_ms: int) -> None:
    connection = apsw.Connection(str(paths(rig).database))
    tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%'"
    with connection:
        for (table,) in connection.execute(tables).fetchall():
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            for column in (name for name in columns if name.endswith("_ms")):
                connection.execute(
                    f"UPDATE {table} SET {column} = {column} - ? WHERE {column} > ?",
                    (by_ms, _EARLIEST_MS),
                )
    connection.close()
