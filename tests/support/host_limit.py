"""How OpenClaw 2026.9.6 cuts a tool result that is over the limit of a model's window."""

from __future__ import annotations

import re

MIDDLE = "\n\n⚠️ [... middle content omitted — showing head and tail ...]\n\n"
_IMPORTANT = re.compile(
    r"\b(error|exception|failed|fatal|traceback|panic|stack trace|errno|exit code"
    r"|total|summary|result|complete|finished|done)\b"
)
_TAIL_CHARS = 4_000


def cut_by_host(text: str, most: int = 16_000) -> str:
    """The text as the host hands it over, at most so many characters, with its marks."""
    if len(text) <= most:
        return text
    room = most - len(_suffix(len(text)))
    kept = _head(text, room)
    last = text[-2_000:].lower()
    if _IMPORTANT.search(last) or last.rstrip().endswith("}"):
        tail_room = min(int(room * 0.3), _TAIL_CHARS)
        tail = text[-tail_room:]
        line_end = tail.find("\n")
        if 0 <= line_end < 0.2 * len(tail):
            tail = tail[line_end + 1 :]
        kept = f"{_head(text, room - tail_room - len(MIDDLE))}{MIDDLE}{tail}"
    return f"{kept}{_suffix(len(text) - len(kept))}"


def _head(text: str, room: int) -> str:
    """The beginning, up to the end of a line where one is near."""
    head = text[:room]
    line_end = head.rfind("\n")
    return head[:line_end] if line_end > 0.8 * len(head) else head


def _suffix(gone: int) -> str:
    return f"[... {gone} more characters truncated; rerun with narrower args if needed]"
