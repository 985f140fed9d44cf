"""Sources of notes for tests: from host messages, and sessions with planted facts."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from flowctx.dag.source.source import SourceTurn, source_turns
from flowctx.dag.wording.lexicon import lexicon
from flowctx.message import ParsedMessage, parse_message
from flowctx.view.pairing import pair_results
from tests.support.transcripts import assistant, call, dump, result, user

Body = dict[str, Any]


def turns_of(bodies: Iterable[Body], **extra: Any) -> tuple[SourceTurn, ...]:
    """The source that a list of host messages makes."""
    return turns_of_parsed([parse_message(dump(body)) for body in bodies], **extra)


def turns_of_parsed(parsed: Sequence[ParsedMessage], **extra: Any) -> tuple[SourceTurn, ...]:
    pairing = pair_results([entry.message for entry in parsed])
    return source_turns(parsed, pairing.calls, **extra)


def read_transcript(path: Path, max_tokens: int = 1 << 40) -> list[ParsedMessage]:
    """The messages of a recorded session, as many as `max_tokens` holds."""
    parsed: list[ParsedMessage] = []
    with lzma.open(path) as lines:
        for line in lines:
            entry = parse_message(line)
            max_tokens -= entry.message.tokens
            if max_tokens < 0:
                break
            parsed.append(entry)
    return parsed


def ran(call_id: str, command: str, output: str, **extra: Any) -> list[Body]:
    """A command and its result."""
    return [assistant(call(call_id, command=command)), result(call_id, output, **extra)]


def case_messages(path: Path) -> list[Body]:
    """The messages of a recorded case."""
    messages: list[Body] = json.loads(path.read_text("utf-8"))["input"]["messages"]
    return messages


def planted_session(number: int, turns: int = 14) -> list[Body]:
    """A long session, different for each number, with bans, failures and identifiers in it."""
    bodies: list[Body] = []
    for turn in range(turns):
        key = f"{number:02}{turn:02}"
        bodies += [
            user(_ask(number, turn)),
            *ran(f"a{turn}", f"grep -rn handler_{key} src/part{key}/", _listing(key)),
            *ran(
                f"b{turn}",
                f"deployctl push --target node-{key}:{7000 + turn} --method m{key}",
                f"push of rev {_hash(number, turn)} failed: E_PUSH_{key} quota exceeded",
                isError=True,
            ),
            assistant(f"The m{key} push failed because of the quota. Part {turn} is done."),
        ]
    return bodies


def _ask(number: int, turn: int) -> str:
    if turn % 3:
        return f"Now look at src/part{number:02}{turn:02}/main.go for ticket OPS-{number}{turn:02}."
    return f"Go on. Never restart node-{number:02}{turn:02} by hand. Is the log of it clean?"


def _listing(key: str) -> str:
    return "\n".join(
        f"src/part{key}/file{line:03}.go:{line * 7}: call of handler_{key} in worker {line % 5}"
        for line in range(60)
    )


def _hash(number: int, turn: int) -> str:
    return f"{(number + 3) * 7919 + turn * 104729:07x}a{turn:02d}f"


def note_in(language: str, bodies: dict[str, str]) -> str:
    """A model's note in a language, from texts by section; missing ones are left out."""
    headings = lexicon(language).headings
    return "\n\n".join(f"## {headings[key]}\n{body}" for key, body in bodies.items())
