"""Turns: a user message and all that follows until the next one."""

from collections.abc import Sequence
from dataclasses import dataclass

from flowctx.model import Message


@dataclass(frozen=True, slots=True)
class Turn:
    """Messages [start, end); the first turn may begin without a user message."""

    start: int
    end: int


def split_turns(messages: Sequence[Message], start: int = 0) -> list[Turn]:
    """Split messages[start:] into turns; together they cover it without gaps."""
    edges = [at for at in range(start, len(messages)) if messages[at].opens_turn]
    if start < len(messages) and (not edges or edges[0] != start):
        edges.insert(0, start)
    ends = [*edges[1:], len(messages)] if edges else []
    return [Turn(*edge) for edge in zip(edges, ends, strict=True)]


def turn_starts(messages: Sequence[Message]) -> list[int]:
    """Indices of the user messages that open turns."""
    return [at for at, message in enumerate(messages) if message.opens_turn]


def turn_is_running(messages: Sequence[Message]) -> bool:
    """True when the last turn lacks its final answer.

    The host hands over what lies before the running turn, except on a retry
    after an overflow: then the list ends inside it.
    """
    if not messages:
        return False
    last = messages[-1]
    return last.opens_turn or last.is_result or bool(last.calls)
