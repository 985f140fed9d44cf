"""A strict check of a message list: the rules of Anthropic, OpenAI and DeepSeek together."""

from __future__ import annotations

import re
from typing import Any


def violations(messages: list[dict[str, Any]]) -> list[str]:
    """What a strict provider would refuse, in words; empty when it takes the list."""
    known = [message for message in messages if message.get("role") in _ROLES]
    found = []
    if known and known[0]["role"] not in ("user", "custom", "compactionSummary"):
        found.append(f"begins with {known[0]['role']}")
    open_ids: list[str] = []
    for at, message in enumerate(known):
        role = message["role"]
        if role == "toolResult":
            wanted = _plain(message.get("toolCallId"))
            if not open_ids:
                found.append(f"{at}: result {wanted!r} answers no call")
            elif not wanted:
                open_ids.pop(0)
            elif wanted in open_ids or "" in open_ids:
                open_ids.remove(wanted if wanted in open_ids else "")
            else:
                found.append(f"{at}: result {wanted!r}, open are {open_ids}")
            continue
        if open_ids:
            found.append(f"{at}: calls {open_ids} have no result")
        open_ids = _call_ids(message)
        if role == "assistant" and not open_ids and not _says_something(message):
            found.append(f"{at}: empty assistant message")
    if open_ids:
        found.append(f"end: calls {open_ids} have no result")
    return found


_ROLES = ("user", "assistant", "toolResult", "custom", "compactionSummary")


def _plain(value: Any) -> str:
    return re.sub(r"[^a-zA-Z0-9]", "", value) if isinstance(value, str) else ""


def _call_ids(message: dict[str, Any]) -> list[str]:
    content = message.get("content")
    if message["role"] != "assistant" or not isinstance(content, list):
        return []
    return [_plain(b.get("id")) for b in content if b.get("type") == "toolCall"]


def _says_something(message: dict[str, Any]) -> bool:
    content = message.get("content")
    if isinstance(content, str):
        return bool(content.strip())
    return any(b.get("type") != "text" or b["text"].strip() for b in content or [])
