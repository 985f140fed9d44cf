"""All features at once, in whatever order: what a view must be holds after each step."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from flowctx.config import Settings
from flowctx.reducers.marker import RETRIEVE_TOOL, marked_hashes
from flowctx.service.events import record_event
from flowctx.service.notes.passes import Rest
from flowctx.service.recall.pins import list_pins, pin, unpin
from flowctx.service.recall.scratchpad import edit_scratchpad
from flowctx.service.retrieve import retrieve_as_owner
from flowctx.store.originals import dangling_hashes
from tests.support.host import HostSession
from tests.support.note_passes import Clock, Writer, good, open_clocked, said
from tests.support.provider import violations
from tests.support.transcripts import Body, assistant, call, result, user
from tests.support.turns import output

WINDOW = 40_000
SETTINGS = Settings(
    context_window_tokens=WINDOW,
    projection_threshold=400,
    summary_min_turns=2,
    leaf_chunk_tokens=2_500,
    condense_fanout=2,
    summary_max_calls_per_hour=10_000,
    scratchpad=True,
)
# The running turn and what stands at the head fit into each.
BUDGETS = st.sampled_from([20_000, 28_000, 36_000])
RULES = st.sampled_from(["Never push to main.", "只用 staging", "Keep </flowctx-pins> as it is"])
STEPS = st.lists(
    st.sampled_from(["small", "log", "table", "failed", "same"]), min_size=2, max_size=6
)
# What may happen beside turns, with its arguments.
MEANWHILE: dict[str, dict[str, st.SearchStrategy[object]]] = {
    "set_pin": {"text": RULES},
    "remove_pin": {},
    "note_down": {},
    "change_budget": {"budget": BUDGETS},
    "wait": {"minutes": st.sampled_from([1, 30, 60 * 24])},
    "restart": {},
    "work_elsewhere": {},
}
# What a model says takes room that no reducer gives back.
THOUGHTS = "I look at the next part, and at what stands around it, before I change it. " * 8
SIBLING = "agent:main:explicit:other"


class SessionOfDays(RuleBasedStateMachine):
    """A session in which anything may happen between two calls of the model."""

    base: ClassVar[Settings] = SETTINGS

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="fx-machine-"))
        self.clock = Clock()
        self.number = 0
        self.budget = 36_000
        self.history: list[Body] = []
        self.pinned: dict[int, str] = {}
        self.firm: list[Body] = []

    @initialize(policy=st.sampled_from(["cost", "ratio"]), layered=st.booleans())
    def begin(self, policy: str, layered: bool) -> None:
        """The settings of a user."""
        self.settings = replace(self.base, fold_policy=policy, layered_summary=layered)
        self.open()

    def open(self) -> None:
        """Start the sidecar; its clock goes on."""
        self.context, clock = open_clocked(self.folder, self.settings)
        clock.now, self.clock = self.clock.now, clock
        self.host = HostSession(self.context)

    @rule(
        turns=st.lists(STEPS, min_size=2, max_size=5),
        is_watched=st.booleans(),
        garbage=st.none() | st.integers(0, 3),
        cut_off=st.none() | st.integers(0, 4),
    )
    def take_turns(
        self,
        turns: list[list[str]],
        is_watched: bool,
        garbage: int | None,
        cut_off: int | None = None,
    ) -> None:
        """Some turns, one may be broken off; the last looks back, and notes may be written."""
        for at, steps in enumerate(turns):
            self.take_turn(steps, at == len(turns) - 1, is_watched, is_cut=at == cut_off)
        if garbage is not None:
            self.write_notes(garbage)

    def take_turn(
        self, steps: list[str], looks_back: bool, is_watched: bool, *, is_cut: bool = False
    ) -> None:
        """The user asks, the model works; a view before each of its calls, or the first only."""
        self.number += 1
        self.host.prompt = f"Task {self.number}: see to part {self.number}."
        self.view()
        turn = [user(self.host.prompt, **self.now())]
        seen = sorted({hash_ for body in self.firm for hash_ in marked_hashes(json.dumps(body))})
        for step, kind in enumerate(steps):
            id_ = f"c{self.number}x{step}"
            command = call(id_, command=f"run {kind} {self.number}")
            turn += [
                assistant(f"{THOUGHTS} Step {step}.", command, **self.now()),
                result(id_, output(kind, self.number, step), **self.now()),
            ]
            if is_watched:
                self.view(turn)
        if looks_back and seen:
            turn += self.retrieval(seen[self.number % len(seen)])
            self.view(turn)
        if not is_cut:
            turn.append(assistant(f"Part {self.number} is done.", **self.now()))
        self.host.commit(f"turn {self.number}", turn)
        self.history += turn

    def retrieval(self, hash_: str) -> list[Body]:
        """The model reads an original again."""
        text = retrieve_as_owner(self.context.database, hash_)
        id_ = f"r{self.number}"
        return [
            assistant(call(id_, RETRIEVE_TOOL, hash=hash_), **self.now()),
            result(id_, text, RETRIEVE_TOOL, **self.now()),
        ]

    def write_notes(self, garbage: int) -> None:
        """The background writes what it is asked to; the model fails now and then."""
        replies = iter([said("Sure!")] * garbage)
        writer = Writer(self.host, lambda prompt: next(replies, None) or good(prompt))
        self.host.settle()
        self.clock.pass_minutes(1)
        for _ in range(60):
            done = writer.step()
            if isinstance(done, Rest):
                if not done.until_ms:
                    break
                self.clock.now = max(self.clock.now, done.until_ms)

    @rule(what=st.sampled_from(sorted(MEANWHILE)), data=st.data())
    def meanwhile(self, what: str, data: st.DataObject) -> None:
        """Something else happens between two turns."""
        arguments = {name: data.draw(each) for name, each in MEANWHILE[what].items()}
        getattr(self, what)(**arguments)

    def set_pin(self, text: str) -> None:
        """The user pins something."""
        found = pin(self.context, self.host.state, text, "session")
        self.pinned = {pin.id: pin.text for pin in found.pins}

    def remove_pin(self) -> None:
        """The user takes a pin back."""
        if not self.pinned:
            return
        unpin(self.context, self.host.state, str(next(iter(self.pinned))))
        found = list_pins(self.context, self.host.state)
        self.pinned = {pin.id: pin.text for pin in found.pins}

    def note_down(self) -> None:
        """The model writes into its working memory."""
        edit_scratchpad(self.context, self.host.state, "rethink", f"plan {self.number}")

    def change_budget(self, budget: int) -> None:
        """Another model, with another window."""
        self.budget = budget

    def wait(self, minutes: int) -> None:
        """The user comes back later."""
        self.clock.pass_minutes(minutes)

    def restart(self) -> None:
        """The store is all that is left."""
        self.host.settle()
        self.context.close()
        self.open()

    @precondition(lambda self: len(self.history) > 100)
    @rule()
    def reset(self) -> None:
        """The user begins anew."""
        record_event(self.context, self.host.state, "reset")
        self.history, self.firm, self.pinned = [], [], {}

    def work_elsewhere(self) -> None:
        """The same agent does something in another session."""
        other = HostSession(self.context, SIBLING)
        self.number += 1
        body = user(f"Deploy release {self.number} of the shop to staging.", **self.now())
        done = assistant(f"Release {self.number} is on staging.", **self.now())
        other.assemble([body, done])

    def now(self) -> dict[str, int]:
        """The time of the next message."""
        self.clock.now += 1_000
        return {"timestamp": self.clock.now}

    def view(self, running: list[Body] | None = None) -> None:
        """What the model reads, and all that must be true of it."""
        running = running or []
        sent = [*self.history, *running]
        self.host.settle()
        view = self.host.assemble(sent, self.budget)
        answer = self.host.answer
        assert answer is not None
        assert violations(view) == []
        if not answer.round:
            assert view[: len(self.firm)] == self.firm, "bytes changed, and no round was told"
        assert answer.estimated_tokens <= self.budget
        self.check_contents(view, running)
        again, told = self.host.assemble(sent, self.budget), self.host.answer
        assert again == view and told is not None and told.round == ""
        self.firm = view[: len(view) - len(running)] if running else view

    def check_contents(self, view: list[Body], running: list[Body]) -> None:
        """The running turn is verbatim, pins are there, and each marker leads to an original."""
        assert [body for body in view if body in running] == running
        shown = json.dumps(view, ensure_ascii=False)
        for text in self.pinned.values():
            assert text.split(" </")[0] in shown
        for hash_ in marked_hashes(shown):
            assert retrieve_as_owner(self.context.database, hash_)
        placed = sorted(self.host.state.frame.placements, key=lambda each: each.start)
        assert all(a.end <= b.start for a, b in pairwise(placed))

    def teardown(self) -> None:
        try:
            if hasattr(self, "context"):
                self.host.settle()
                assert self.context.database.read(dangling_hashes) == []
        finally:
            if hasattr(self, "context"):
                self.context.close()
            shutil.rmtree(self.folder)


TestSessionOfDays = SessionOfDays.TestCase
TestSessionOfDays.settings = settings(
    # Twelve days for a hundred examples of other properties.
    max_examples=settings.default.max_examples * 12 // 100,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


def test_a_repeat_of_a_repeat_stays_when_the_first_is_folded() -> None:
    """The second stands in the view again, and what points to it is not taken back."""
    days = SessionOfDays()
    days.begin(policy="ratio", layered=True)
    try:
        for is_watched, garbage, turns in _REPEATS:
            days.take_turns(turns=turns, is_watched=is_watched, garbage=garbage)
        days.view()
    finally:
        days.teardown()


_SOME, _MANY = ["small"] * 3, ["small"] * 6
_REPEATS: list[tuple[bool, int | None, list[list[str]]]] = [
    (
        True,
        None,
        [
            ["log", "log", "log", "small", "table", "small"],
            ["table", "table", "same", "log", "small", "log"],
        ],
    ),
    (
        False,
        0,
        [["same", "log", "log", "same"], ["same", "table", "small"], _MANY, _MANY],
    ),
    (True, 0, [_MANY, _SOME[:2], _MANY, _SOME]),
    (True, None, [_SOME[:2], _SOME, _SOME[:2], _SOME]),
    (True, None, [_SOME[:2], _MANY, _MANY[:5]]),
    (False, None, [_MANY[:4], _MANY[:5], _MANY[:5], [*_SOME, "same", "small"], _MANY[:5]]),
]
