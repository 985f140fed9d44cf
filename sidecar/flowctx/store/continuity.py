"""The continuity log: one JSON line per turn, only ever appended to."""

import os
from pathlib import Path
from typing import Any

import orjson


class ContinuityLog:
    """Appends to `flowctx-sessions.jsonl`, readable by its owner alone."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, line: dict[str, Any]) -> None:
        """Append one line.

        Raises:
            OSError: the file cannot be written.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        handle = os.open(self.path, flags, 0o600)
        try:
            # One write call, so that lines of two writers never mix.
            os.write(handle, orjson.dumps(line) + b"\n")
        finally:
            os.close(handle)
