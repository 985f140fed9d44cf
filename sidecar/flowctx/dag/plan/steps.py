"""The steps of a plan: which notes are to be written, from what, and how long they may be."""

from dataclasses import dataclass
from typing import Literal

from flowctx.config import Settings
from flowctx.dag.plan.chunks import Node, TurnSize

StepKind = Literal["leaf", "rolling", "condense"]
Idle = Literal[
    "switched off", "below the gate", "too few turns", "nothing old enough",
    "waiting for a full chunk", "nothing to gain", "all folded",
]  # fmt: skip

# A note with less room than this says nothing.
LEAST_NOTE_TOKENS = 300
# Tags, attributes and the first line around a note's text.
NOTE_FRAME_TOKENS = 100


@dataclass(frozen=True, slots=True)
class PlanState:
    """What is known of a session when folds are planned.

    Attributes:
        turns: of all messages at hand that may be folded, oldest first, without gaps.
        nodes: that were made for these messages, in that order, condensed ones and their sources.
        assembled_tokens: of the view as it is now, but for the digests of old turns.
        window_tokens: of the model that reads the view.
        summariser_tokens: window of the model that writes notes.
        noted_tokens: of the view once all notes that are written stand in it.
    """

    turns: tuple[TurnSize, ...]
    nodes: tuple[Node, ...]
    assembled_tokens: int
    window_tokens: int
    summariser_tokens: int
    noted_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One note to be written.

    Attributes:
        kind: "leaf"; "rolling" for the one note brought up to date; "condense".
        start, end: messages that the new node will cover.
        depth: of the new node.
        read_from: first message to read; behind `start` where a prior note covers the rest.
        sources: nodes it is made from, or that it takes the place of.
        with_prior: whether the note before it is given for continuity.
        new_tokens: of the view that it replaces beside its sources.
    """

    kind: StepKind
    start: int
    end: int
    depth: int
    read_from: int
    sources: tuple[Node, ...] = ()
    with_prior: bool = False
    new_tokens: int = 0

    @property
    def ceiling_tokens(self) -> int:
        """What the note replaces: it must be shorter than this."""
        return self.new_tokens + sum(node.tokens for node in self.sources)


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of one pass, in order; `idle` says why there are none."""

    steps: tuple[Step, ...] = ()
    idle: Idle | None = None


def note_cap(step: Step, settings: Settings) -> int:
    """Tokens the text of a step's note may take, for `NoteTerms.max_tokens`."""
    room = max(step.ceiling_tokens - NOTE_FRAME_TOKENS - 1, 1)
    return min(room, settings.summary_max_tokens or room)
