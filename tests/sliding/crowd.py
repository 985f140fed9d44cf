"""Planted turns with their questions, and the crowd of other turns around them."""

from __future__ import annotations

import lzma
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from flowctx.card import Card
from flowctx.identity import resolve_session
from flowctx.message import ParsedMessage, parse_message
from flowctx.sliding.compose import CardLimits, compose_card
from tests.support.cards import HOUR_MS, turn
from tests.support.transcripts import dump

Language = Literal["en", "zh"]
OWNER = resolve_session("agent:main:main")
_PLANTED = Path(__file__).parent / "planted.txt"


@dataclass(frozen=True, slots=True)
class Planted:
    """A turn, and a question in other words that it answers."""

    asked: str
    answered: str
    question: str


def planted(language: Language) -> list[Planted]:
    """Sixty turns about different things."""
    rows = [line.split("|") for line in _PLANTED.read_text().splitlines()]
    return [Planted(*(row[:3] if language == "en" else row[3:])) for row in rows]


def cards_of(turns: list[list[ParsedMessage]], now: int, seed: int) -> list[Card]:
    """The cards of some turns, spread over the last two days."""
    pick = random.Random(seed)
    limits = CardLimits(skips_trivial=False)
    made = []
    for messages in turns:
        at = now - pick.randrange(47 * HOUR_MS)
        card = compose_card(messages, OWNER, limits, at)
        if card is not None:
            made.append(card)
    return made


def planted_turns(language: Language, now: int) -> list[list[ParsedMessage]]:
    """The planted turns as messages, at times spread over the last two days."""
    pick = random.Random(11)
    return [
        [parse_message(dump(body)) for body in turn(each.asked, each.answered, at)]
        for each in planted(language)
        for at in [now - 2_000 - pick.randrange(47 * HOUR_MS)]
    ]


def mixed_turns(language: Language, count: int) -> list[list[ParsedMessage]]:
    """Turns that mix what the planted ones ask and answer: hard to tell from them."""
    pick, rows = random.Random(5), planted(language)
    turns = []
    for number in range(count):
        one, other = pick.sample(rows, 2)
        joint = " " if language == "en" else ""
        asked = joint.join(_half(one.asked, language, pick) for _ in "ab") + f" {number}"
        answered = _half(other.answered, language, pick) + f" {number * 7}"
        turns.append([parse_message(dump(body)) for body in turn(asked, answered, 0)])
    return turns


def recorded_turns(shared: Path) -> Iterator[list[ParsedMessage]]:
    """The turns of the recorded sessions."""
    for path in sorted((shared / "transcripts").rglob("*.jsonl.xz")):
        messages: list[ParsedMessage] = []
        for line in lzma.decompress(path.read_bytes()).splitlines():
            parsed = parse_message(line)
            if parsed.message.opens_turn and messages:
                yield messages
                messages = []
            messages.append(parsed)
        if messages:
            yield messages


def _half(text: str, language: Language, pick: random.Random) -> str:
    words = text.split() if language == "en" else [text[n : n + 3] for n in range(0, len(text), 3)]
    kept = pick.sample(words, max(len(words) // 2, 1))
    return (" " if language == "en" else "").join(kept)
