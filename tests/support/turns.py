"""Turns of a working session: an ask, a call, a big result, an answer."""

from __future__ import annotations

import json
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


def output(kind: str, number: int, step: int) -> str:
    """What a tool says: each another kind of text."""
    at = f"{number}-{step}"
    if kind == "log":
        lines = (f"2026-11-30T10:00:{n % 60:02d} INFO worker {n} of {at} done" for n in range(80))
        return "\n".join(lines)
    if kind == "table":
        return json.dumps([{"id": n, "name": f"row {n}", "run": at} for n in range(60)])
    if kind == "failed":
        return f"Error: E_{number}_{step} in src/part{number}.py line {step}\nexit 1"
    return "the same as ever\n" * 200 if kind == "same" else f"ok {at}"
