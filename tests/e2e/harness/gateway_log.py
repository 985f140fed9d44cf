"""The gateway's log, read while it grows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_LOUD = frozenset({"WARN", "ERROR", "FATAL"})


@dataclass(frozen=True, slots=True)
class LogLine:
    """One record: level in capitals, the part of the host that wrote it, its text."""

    level: str
    subsystem: str
    text: str

    @property
    def is_loud(self) -> bool:
        """Whether it warns or reports an error."""
        return self.level in _LOUD

    @property
    def is_about_flowctx(self) -> bool:
        """Whether we wrote it or it names us."""
        return "flowctx" in self.text or "flowctx" in self.subsystem

    def __str__(self) -> str:
        return f"{self.level} [{self.subsystem}] {self.text}"


class GatewayLog:
    """The log file of one gateway; it may not be there yet."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def mark(self) -> int:
        """The end of the log now, for `since`."""
        return self._file.stat().st_size if self._file.exists() else 0

    def since(self, mark: int = 0) -> list[LogLine]:
        """Whole lines written after a mark."""
        if not self._file.exists():
            return []
        with self._file.open("rb") as file:
            file.seek(mark)
            written = file.read()
        return [_line(json.loads(raw)) for raw in written[: written.rfind(b"\n") + 1].splitlines()]

    def loud(self, mark: int = 0) -> list[LogLine]:
        """Warnings and errors after a mark."""
        return [line for line in self.since(mark) if line.is_loud]

    def about_flowctx(self, mark: int = 0) -> list[LogLine]:
        """Lines after a mark that we wrote or that name us."""
        return [line for line in self.since(mark) if line.is_about_flowctx]

    def tail(self, count: int = 30) -> str:
        """The last lines, for an error message."""
        return "\n".join(map(str, self.since()[-count:]))


def _line(value: Mapping[str, Any]) -> LogLine:
    meta = value.get("_meta", {})
    return LogLine(
        level=str(meta.get("logLevelName", "INFO")),
        subsystem=_subsystem(str(meta.get("name", ""))),
        text=" ".join(_texts(value)),
    )


def _subsystem(name: str) -> str:
    if not name.startswith("{"):
        return name
    return str(json.loads(name).get("subsystem", ""))


def _texts(value: Mapping[str, Any]) -> Iterable[str]:
    """The numbered arguments of the log call; the first one may be the subsystem again."""
    for key in sorted(key for key in value if key.isdigit()):
        part = value[key]
        if not (isinstance(part, str) and part.startswith('{"subsystem"')):
            yield part if isinstance(part, str) else json.dumps(part)
