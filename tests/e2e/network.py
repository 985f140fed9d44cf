"""Which network addresses a process holds sockets of, watched from outside (Linux)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

_EVERY_S = 0.01
_TABLES = ("tcp", "tcp6", "udp", "udp6")


@dataclass(slots=True)
class Seen:
    """How often was looked, and which remote addresses were there, in the kernel's own words."""

    looks: int = 0
    addresses: set[str] = field(default_factory=set)


@contextmanager
def watched_sockets(pid: int) -> Iterator[Seen]:
    """Watch a process until the block ends."""
    seen, over = Seen(), threading.Event()

    def watch() -> None:
        while not over.wait(_EVERY_S):
            seen.addresses |= _addresses(pid)
            seen.looks += 1

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


def _addresses(pid: int) -> set[str]:
    inodes = set()
    for handle in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            target = str(handle.readlink())
            if target.startswith("socket:["):
                inodes.add(target[8:-1])
    rows = [
        line.split()
        for name in _TABLES
        for line in Path(f"/proc/{pid}/net/{name}").read_text().splitlines()[1:]
    ]
    return {f"{row[1]} {row[2]}" for row in rows if row[9] in inodes}
