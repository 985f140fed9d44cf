"""Ending cleanly when asked to from outside."""

from __future__ import annotations

import signal
from types import FrameType


def end_cleanly_on_signals() -> None:
    """Treat SIGTERM and SIGHUP like Ctrl-C, so that every `finally` still runs."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt(f"signal {number}")
