"""Probes: pieces of text that a model may need again, sampled from recordings.

Identifiers, error lines and decisions are taken by a fixed seed from the raw
text, with patterns of their own: what digests look for is no yardstick for
digests.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import orjson

from flowctx.message import ParsedMessage, text_of

Kind = Literal["identifier", "error", "decision"]

SEED = 20_260
# Sampled from each recording and kind; identifiers are the most frequent.
_SAMPLES: dict[Kind, int] = {"identifier": 16, "error": 8, "decision": 8}
_MAX_CHARS = 160
_SEARCHED_CHARS = 100_000
_PATTERNS: dict[Kind, re.Pattern[str]] = {
    "identifier": re.compile(
        r"(?<![\w./-])(?:(?:[\w.-]+/)+[\w-]+\.\w{1,5}|(?=[a-f]*\d)[0-9a-f]{7,40}|[A-Z]{2,}-\d+"
        r"|[a-z]+(?:_[a-z0-9]+){2,}|[A-Z][a-z]+(?:[A-Z][a-z0-9]+){2,}|E[A-Z]{3,})(?![\w/])"
    ),
    "error": re.compile(
        r"^[^\n]*(?:\b\w*(?:Error|Exception)\b|\berror\b|\bfailed\b|\bfatal\b|panic:|错误|失败)"
        r"[^\n]*$",
        re.MULTILINE | re.IGNORECASE,
    ),
    "decision": re.compile(
        r"[^.!?\n]*\b(?:decided|instead of|the (?:fix|issue|problem|root cause) is"
        r"|I(?:'ll| will) (?:use|go with|change|add|fix|remove|rename))\b[^.!?\n]*",
        re.IGNORECASE,
    ),
}


@dataclass(frozen=True, slots=True)
class Probe:
    """A piece of text, and the place in its session of the message it stands in."""

    kind: Kind
    text: str
    at: int


def sample_probes(messages: Sequence[ParsedMessage], start: int, task: int) -> list[Probe]:
    """Sample the probes of a recording.

    Args:
        messages: of the recording.
        start: place of the first of them in the session.
        task: number of the recording; it seeds the choice.
    """
    chance = random.Random(f"{SEED}/{task}")  # noqa: S311 - a fixed sample, no secret
    chosen: list[Probe] = []
    for kind, count in _SAMPLES.items():
        found = sorted(set(_find(kind, messages, start)), key=lambda probe: (probe.at, probe.text))
        chosen.extend(chance.sample(found, min(count, len(found))))
    return chosen


def whole_text(parsed: ParsedMessage) -> str:
    """All text of a message, the arguments of its calls included."""
    content = parsed.value.get("content")
    blocks = content if isinstance(content, list) else []
    arguments = [
        orjson.dumps(block.get("arguments")).decode("utf-8", "replace")
        for block in blocks
        if isinstance(block, dict) and block.get("type") == "toolCall"
    ]
    return "\n".join([text_of(parsed.value), *arguments])


def _find(kind: Kind, messages: Sequence[ParsedMessage], start: int) -> Iterator[Probe]:
    for at, parsed in enumerate(messages, start=start):
        if kind == "decision" and parsed.message.role != "assistant":
            continue
        for found in _PATTERNS[kind].finditer(text_of(parsed.value)[:_SEARCHED_CHARS]):
            text = found.group().strip()[:_MAX_CHARS].strip()
            if len(text) >= 5:
                yield Probe(kind, text, at)
