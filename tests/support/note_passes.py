"""Passes over sessions with a scripted model and a clock that tests turn."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flowctx.config import Settings
from flowctx.dag.prompt.prompts import Prompt
from flowctx.dag.wording.lexicon import SECTIONS, lexicon
from flowctx.service.context import Context
from flowctx.service.notes.assignment import Assignment
from flowctx.service.notes.passes import Rest, next_assignment
from flowctx.service.notes.replies import Completion, take_completion
from flowctx.service.state import SessionState
from flowctx.store.jobs import CallCost
from flowctx.store.notes import NoteRow, session_notes
from flowctx.tokens import estimate_tokens
from tests.support.host import HostSession, open_context

Body = dict[str, Any]
Ask = Callable[[Prompt], Completion]

# The documented debug profile: everything fires early on a small window.
SMALL = Settings(
    context_window_tokens=30_000,
    summary_trigger_ratio=0.3,
    # Folding at turn edges would keep the view below the gate.
    fold_policy="ratio",
    summary_min_turns=2,
    projection_threshold=800,
    leaf_chunk_tokens=4_000,
    condense_fanout=3,
    summary_max_calls_per_hour=1_000,
)
BUDGET = 25_000


def good(prompt: Prompt) -> Completion:
    """A short note in the right form."""
    del prompt
    headings = lexicon("en").headings
    bodies = dict.fromkeys(SECTIONS, "- as the record says")
    return said("\n\n".join(f"## {headings[key]}\n{body}" for key, body in bodies.items()))


def said(text: str, stop_reason: str = "stop") -> Completion:
    """A reply with the cost it would have."""
    return Completion(text, stop_reason, CallCost("p", "m", 1_000, estimate_tokens(text)))


@dataclass
class Clock:
    """A clock that moves when told to."""

    now: int = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now

    def pass_minutes(self, minutes: float) -> None:
        self.now += int(minutes * 60_000)


@dataclass
class Writer:
    """Writes the notes of one session as the sidecar's loop would, one call at a time."""

    host: HostSession
    ask: Ask = good
    calls: list[Assignment] = field(default_factory=list)

    @property
    def context(self) -> Context:
        return self.host.context

    @property
    def state(self) -> SessionState:
        return self.host.state

    def step(self) -> Rest | str:
        """One call, or the reason why there is none; a reply's fault as a string."""
        found = next_assignment(self.context, self.state)
        if isinstance(found, Rest):
            return found
        self.calls.append(found)
        return take_completion(self.context, self.state, found, self.ask(found.prompt))

    def run(self, most: int = 200) -> Rest:
        """Calls until there is nothing to do."""
        for _ in range(most):
            done = self.step()
            if isinstance(done, Rest):
                return done
        raise AssertionError(f"no end after {most} calls")

    def notes(self) -> list[NoteRow]:
        """All folds of the session, in the order they were made."""
        row = self.state.row
        assert row is not None
        return self.context.database.read(lambda c: session_notes(c, row.id))


def open_clocked(folder: Path, settings: Settings = SMALL) -> tuple[Context, Clock]:
    """A context whose clock stands still."""
    context, clock = open_context(folder, settings), Clock()
    context.now_ms = clock
    return context, clock


def turns_of_bodies(bodies: Sequence[Body]) -> list[list[Body]]:
    """A session's messages by turn."""
    turns: list[list[Body]] = []
    for body in bodies:
        if body["role"] == "user" or not turns:
            turns.append([])
        turns[-1].append(body)
    return turns


def read_bodies(path: Path, turns: int) -> list[list[Body]]:
    """The first turns of a recorded session."""
    with lzma.open(path) as lines:
        return turns_of_bodies([json.loads(line) for line in lines])[:turns]
