"""What a provider's dialect has to offer; the two dialects implement it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tests.e2e.harness.model_reply import Refuse, Reply, ToolCall, Usage

Body = Mapping[str, Any]

_INTERNAL_CONTEXT = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>"


@dataclass(frozen=True, slots=True)
class SeenMessage:
    """A message as the model sees it; a tool result is one message in both dialects."""

    role: Literal["system", "user", "assistant", "tool"]
    text: str
    calls: tuple[ToolCall, ...] = ()
    answers: str = ""
    images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the prompt as bytes; *role* is "head" for tools and system prompt."""

    role: Literal["head", "user", "assistant", "tool"]
    data: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply with what the dialects need to write it down."""

    number: int
    model: str
    reply: Reply
    usage: Usage

    @property
    def output_tokens(self) -> int:
        """Roughly what the reply costs; its exact size matters to nobody."""
        calls = "".join(dump(call.arguments).decode() for call in self.reply.calls)
        return max(1, (len(self.reply.text) + len(calls)) // 4)


@dataclass(frozen=True, slots=True)
class Wire:
    """One dialect.

    *read* gives system prompt and messages; *parts* the same as bytes in the
    order in which the provider caches them, one for each message on the wire;
    *tools* the tools offered. *plain* and *stream* write an answer, the latter
    as server-sent events; *error* writes a refusal; *violations* says what the
    real provider would refuse.
    """

    read: Callable[[Body], list[SeenMessage]]
    parts: Callable[[Body], list[Part]]
    tools: Callable[[Body], dict[str, bytes]]
    plain: Callable[[Answer], bytes]
    stream: Callable[[Answer], list[bytes]]
    error: Callable[[Refuse], bytes]
    violations: Callable[[Body], list[str]]


def dump(value: Any) -> bytes:
    """Compact JSON with keys in the order they came: that order is part of the prompt."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )


def event(data: Any, *, name: str = "") -> bytes:
    """One server-sent event."""
    head = f"event: {name}\n".encode() if name else b""
    return head + b"data: " + dump(data) + b"\n\n"


def is_internal_context(text: str) -> bool:
    """Whether a user text is the block the host puts last and never keeps (HOST D1)."""
    return text.lstrip().startswith(_INTERNAL_CONTEXT)


def arguments_of(text: str) -> Mapping[str, Any]:
    """A call's arguments from their JSON; an object under "unparsed" where it is broken."""
    try:
        value = json.loads(text or "{}")
    except ValueError:
        return {"unparsed": text}
    return value if isinstance(value, dict) else {"unparsed": text}
