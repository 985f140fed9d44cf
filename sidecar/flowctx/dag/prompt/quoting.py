"""Quoting foreign text in a prompt: as data that can close nothing and command nothing."""

import hashlib
import re
from collections.abc import Iterable

from flowctx.dag.facts.failures import telling_index
from flowctx.message import encode_text
from flowctx.tokens import estimate_tokens

# Closing tags, flowctx's own tags, and the tokens by which chat templates mark roles.
_LIVE = re.compile(
    r"<(?=/|\||!|flowctx-|sliding-context|working_memory|system\b|user\b|assistant\b|think|reasoning)"
    r"|\[(?=/?INST\])|<(?=<SYS>>|</SYS>>)",
    re.IGNORECASE,
)
_ENTITIES = {"<": "&lt;", "[": "&#91;"}
_FENCE_CHARS = 12
# Shares of a shortened text: mostly its head, then its tail, and the line that tells most.
_HEAD_SHARE, _TAIL_SHARE = 0.55, 0.25
_MARK_TOKENS = 14
# The telling line is looked for this far.
_SEARCHED_LINES = 4000


def inert(text: str) -> str:
    """The text with everything that could pass for markup of the prompt made harmless."""
    return _LIVE.sub(lambda match: _ENTITIES[match.group()], text)


def fence_for(texts: Iterable[str]) -> str:
    """A word that none of the texts holds, and that their authors could not foresee.

    It is made of a hash of all of them, so the same texts get the same fence.
    """
    joined = "\n".join(texts)
    fence = hashlib.sha256(encode_text(joined)).hexdigest()[:_FENCE_CHARS]
    while fence in joined:
        fence = hashlib.sha256(fence.encode()).hexdigest()[:_FENCE_CHARS]
    return fence


def quoted(text: str) -> str:
    """Every line behind a bar, so that none reads as the prompt's own."""
    return "\n".join(f"| {line}" for line in text.split("\n"))


def shortened(text: str, max_tokens: int) -> str:
    """At most `max_tokens` of a text: head, tail and the telling line between, with counts.

    Cut at line ends where there are any, and never inside a code point.
    """
    if estimate_tokens(text) <= max_tokens:
        return text
    lines = text.split("\n")
    room = max_tokens - _MARK_TOKENS
    if room <= 0:
        return f"[… {len(text)} characters left out …]"
    if len(lines) < 3:
        return _shortened_line(text, room)
    head = _take(lines, int(room * _HEAD_SHARE))
    tail = _take(lines[len(head) :][::-1], int(room * _TAIL_SHARE))[::-1]
    if not head and not tail:
        return _shortened_line(text, room)
    left = room - estimate_tokens("\n".join([*head, *tail]))
    return "\n".join([*head, *_middle(lines[len(head) : len(lines) - len(tail)], left), *tail])


def _middle(lines: list[str], room: int) -> list[str]:
    """Marks for lines that are left out, around the telling one if it fits."""
    at = telling_index(lines[:_SEARCHED_LINES])
    if at is None or estimate_tokens(lines[at]) + _MARK_TOKENS > room:
        return _mark(lines)
    return [*_mark(lines[:at]), lines[at], *_mark(lines[at + 1 :])]


def _mark(lines: list[str]) -> list[str]:
    count, chars = len(lines), sum(map(len, lines))
    return [f"[… {count} lines, {chars} characters left out …]"] if lines else []


def _take(lines: list[str], room: int) -> list[str]:
    taken = []
    for line in lines:
        room -= estimate_tokens(line) + 1
        if room < 0:
            break
        taken.append(line)
    return taken


def _shortened_line(text: str, room: int) -> str:
    """One long line, or lines too long for the room: cut by characters."""
    kept = max(int(len(text) * room / max(estimate_tokens(text), 1)), 0)
    while kept and estimate_tokens(text[:kept]) > room:
        kept = kept * 9 // 10
    return f"{text[:kept]}[… {len(text) - kept} characters left out …]"
