"""What the scripted model answers: text, tool calls, usage, a delay or a failure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool, as the model asks for it."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens the provider says it counted; `cached` is part of `sent`."""

    sent: int
    cached: int
    written: int


@dataclass(frozen=True, slots=True)
class Refuse:
    """Answer with an HTTP error status, in the provider's own error shape."""

    status: int
    message: str = "refused by the script"


@dataclass(frozen=True, slots=True)
class Hang:
    """Keep the connection open and silent for a while, then close it."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Cut:
    """Begin a streamed answer and drop the connection in its middle."""


Failure = Refuse | Hang | Cut


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer; *usage* is estimated from the request where it is not given."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    delay_s: float = 0.0
    failure: Failure | None = None
