"""Dumps for people who look into what is sent: `<state>/memory/*.jsonl`, secrets masked."""

import hashlib
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from flowctx.identity import SessionRef
from flowctx.masking import mask_secrets
from flowctx.model import Insert, Keep, Op
from flowctx.service.context import Context

FOLDER = "memory"
# A file that has grown larger is begun anew; the last one is kept beside it.
MAX_BYTES = 64_000_000
_NAME_CHARS = 60


def dump_event(context: Context, ref: SessionRef, event: str, data: dict[str, Any]) -> None:
    """Append one line to a session's dump, if dumps are wanted; a full disk only loses it."""
    if not context.settings.dump_summary_requests:
        return
    line = {"time_ms": context.now_ms(), "session": ref.key, "event": event, **data}
    masked = mask_secrets(orjson.dumps(line).decode())
    with suppress(OSError):
        _append(dump_path(context.state_dir, ref), masked.encode() + b"\n")


def dump_view(context: Context, ref: SessionRef, ops: Sequence[Op], tokens: int) -> None:
    """Dump a view: messages that were kept by number, all else in full."""
    if context.settings.dump_summary_requests:
        told = [_told(op) for op in ops]
        dump_event(context, ref, "view", {"estimated_tokens": tokens, "ops": told})


def dump_path(state_dir: Path, ref: SessionRef) -> Path:
    """Where the dump of a session is."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", ref.key)[:_NAME_CHARS].strip("-")
    mark = hashlib.sha256(f"{ref.agent} {ref.key}".encode()).hexdigest()[:8]
    return state_dir / FOLDER / f"{plain}-{mark}.jsonl"


def remove_dump(state_dir: Path, ref: SessionRef) -> None:
    """Delete the dumps of a session; there may be none."""
    path = dump_path(state_dir, ref)
    for file in (path, path.with_suffix(".old.jsonl")):
        file.unlink(missing_ok=True)


def _told(op: Op) -> dict[str, Any]:
    match op:
        case Keep(start, end):
            return {"keep": [start, end]}
        case Insert(body):
            return {"insert": orjson.loads(body)}
        case _:
            return {"replace": op.index, "text": op.text}


def _append(path: Path, line: bytes) -> None:
    path.parent.mkdir(mode=0o700, exist_ok=True)
    if path.exists() and path.stat().st_size > MAX_BYTES:
        path.replace(path.with_suffix(".old.jsonl"))
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(file, line)
    finally:
        os.close(file)
