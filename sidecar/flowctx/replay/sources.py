"""Recorded sessions: transcripts, OpenClaw's own stores, and exports.

A recording is a list of host messages. Lines of a `.jsonl` (or `.jsonl.xz`)
file are messages, or events that hold one, as OpenClaw's transcripts do; a
`.json` file is a list of them, or holds one under "messages"; a `.sqlite` file
is a store of OpenClaw's, of which each session's active branch is read.
"""

import lzma
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from flowctx.errors import InvalidRequestError, StoreError
from flowctx.store.hoststore import StoredSession, list_sessions, read_events

_ROLES = frozenset(
    {"user", "assistant", "toolResult", "custom", "compactionSummary", "branchSummary"}
)
_SUFFIXES = (".jsonl", ".jsonl.xz", ".json", ".sqlite")


@dataclass(frozen=True, slots=True)
class Recording:
    """One recorded session.

    Attributes:
        name: of the file, and of the session where a file holds several.
        bodies: its messages, each one JSON object.
        unread: lines that are no JSON.
        trouble: why none of its messages could be read.
    """

    name: str
    bodies: tuple[bytes, ...]
    unread: int = 0
    trouble: str = ""


def find_files(paths: Iterable[Path]) -> list[Path]:
    """The files to read: those named, and those in folders that are named, by name.

    Raises:
        InvalidRequestError: a path holds nothing that can be read.
    """
    files: list[Path] = []
    for path in paths:
        found = sorted(p for p in path.iterdir() if _is_known(p)) if path.is_dir() else [path]
        if not found or not all(_is_known(each) for each in found):
            message = f"{path} is no recording."
            raise InvalidRequestError(message, hint=f"Known are {', '.join(_SUFFIXES)}.")
        files.extend(found)
    return files


def read_recordings(path: Path) -> list[Recording]:
    """All sessions in a file that hold a message, or that could not be read.

    Raises:
        InvalidRequestError: it is not what its name says.
        StoreError: a store that cannot be read.
        OSError: it cannot be opened.
    """
    if path.name.endswith(".sqlite"):
        found = [_stored(session) for session in list_sessions(path)]
    else:
        values = _values(path)
        unread = sum(value is None for value in values)
        found = [Recording(_stem(path), tuple(_messages(values)), unread)]
    return [recording for recording in found if recording.bodies or recording.trouble]


def _stored(session: StoredSession) -> Recording:
    name = f"{session.path.stem}:{session.key}"
    try:
        return Recording(name, tuple(_messages(map(_load, read_events(session)))))
    except StoreError as error:
        # One that is damaged does not keep the others back.
        return Recording(name, (), trouble=str(error))


def _is_known(path: Path) -> bool:
    return path.name.endswith(_SUFFIXES)


def _stem(path: Path) -> str:
    name = path.name
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def _values(path: Path) -> Sequence[Any]:
    try:
        raw = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    except lzma.LZMAError as error:
        message = f"{path} cannot be unpacked ({error})."
        raise InvalidRequestError(message) from error
    if path.suffix == ".json":
        document = _load(raw)
        held = document.get("messages") if isinstance(document, dict) else document
        return held if isinstance(held, list) else []
    return [_load(line) for line in raw.splitlines() if line.strip()]


def _load(raw: bytes) -> Any:
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        # A line cut in the middle is what a crash leaves of a transcript.
        return None


def _messages(values: Iterable[Any]) -> Iterator[bytes]:
    for value in values:
        inner = value.get("message") if isinstance(value, dict) else None
        message = inner if isinstance(inner, dict) else value
        if isinstance(message, dict) and message.get("role") in _ROLES:
            yield orjson.dumps(message)
