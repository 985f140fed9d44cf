"""What the host keeps of a session, as `sessions.get` gives it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

_NOT_ALNUM = re.compile(r"[^a-zA-Z0-9]")


@dataclass(frozen=True, slots=True)
class KeptResult:
    """A tool result in the transcript; *call_id* as the model sees it (HOST C7)."""

    call_id: str
    tool: str
    text: str


def kept_results(messages: Iterable[Mapping[str, Any]]) -> list[KeptResult]:
    """The tool results of a transcript, oldest first."""
    return [
        KeptResult(
            call_id=_NOT_ALNUM.sub("", message["toolCallId"]),
            tool=message["toolName"],
            text=text_of(message),
        )
        for message in messages
        if message["role"] == "toolResult"
    ]


def text_of(message: Mapping[str, Any]) -> str:
    """The text of a message, its blocks joined by line ends."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(b["text"] for b in content or [] if b.get("type") == "text")
