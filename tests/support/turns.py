"""Turns of a working session: an ask, a call, a big result, an answer."""

from __future__ import annotations

from typing import Any

from tests.support.transcripts import assistant, call, result, user

Body = dict[str, Any]
START_MS = 1_796_000_000_000
BIG = "\n".join(f"2026-11-30T10:00:{n % 60:02d} worker {n} done in {n * 7} ms" for n in range(400))


def turn(number: int, text: str = BIG, tool: str = "exec", **arguments: Any) -> list[Body]:
    """One user turn whose result is `text` and a last line of its own."""
    at = START_MS + number * 60_000
    said = arguments or {"command": f"run {number}"}
    return [
        user(f"do {number}", timestamp=at),
        assistant(call(f"call_{number}", tool, **said), timestamp=at + 1),
        result(f"call_{number}", f"{text}\nend of {number}", tool, timestamp=at + 2),
        assistant(f"done {number}", timestamp=at + 3),
    ]


def turns(count: int, start: int = 0, text: str = BIG) -> list[Body]:
    """Several turns in a row."""
    return [body for number in range(start, start + count) for body in turn(number, text)]


def text_at(view: list[Body], index: int) -> str:
    """The text of a message that is one block."""
    content = view[index]["content"]
    return content if isinstance(content, str) else content[0]["text"]
