"""A card: what one turn of a session was about, for other sessions of the same person."""

from dataclasses import dataclass
from typing import Literal

# How a session reads in a card.
CardKind = Literal["dm", "group", "cron", "webhook", "heartbeat", "sub-agent"]
# The sides of a wall: a person's own sessions, rooms, and what runs by itself.
Side = Literal["dm", "group", "trigger"]
CardOutcome = Literal["ok", "failed"]


@dataclass(frozen=True, slots=True)
class Card:
    """What a turn was about, without any model.

    Attributes:
        anchor: digest of the message that opened the turn.
        time_ms: when it ended, Unix milliseconds.
        kind: of the session it ran in.
        outcome: how it ended.
        title: what was wanted, in a few words.
        text: wish, tools, files, decisions, errors and outcome on one line.
        terms: by which it is found, separated by spaces.
        has_work: a tool was used or something was decided.
        messages: of the turn that were known when it was written.
    """

    anchor: bytes
    time_ms: int
    kind: CardKind
    outcome: CardOutcome
    title: str
    text: str
    terms: str
    has_work: bool
    messages: int


@dataclass(frozen=True, slots=True)
class StoredCard:
    """A card with where it came from.

    Attributes:
        id: of its row.
        session_id: of the epoch it was written in; `session_key` is the host's name.
        side: on which side of the walls it stands.
    """

    id: int
    session_id: int
    session_key: str
    agent: str
    person: str
    side: Side
    card: Card


@dataclass(frozen=True, slots=True)
class Pick:
    """A card that was chosen for a block, and why.

    Attributes:
        card_id: of its row; it may have expired since.
        session_key: where it came from.
        level: how much of it is shown: "titles" or "full".
        why: "recent", "relevant" or both.
        wall: which rule lets this session see it.
        score: of all signals, 0–1; `signals` are its parts, unweighted.
    """

    card_id: int
    session_key: str
    kind: CardKind
    time_ms: int
    level: str
    why: str
    wall: str
    score: float
    signals: dict[str, float]
