"""Late, repeated and interrupted calls: what may not attach does not, and nothing is lost."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flowctx.dag.plan.frontier import place_folds
from flowctx.service.events import record_event
from flowctx.service.notes.assignment import Assignment
from flowctx.service.notes.passes import Rest, next_assignment
from flowctx.service.notes.replies import Completion, is_wanted, take_completion
from flowctx.service.notes.survey import survey
from flowctx.service.state import SessionTable
from flowctx.store.notes import current_folds
from flowctx.store.purge import purge_sessions
from tests.support.host import HostSession
from tests.support.note_passes import BUDGET, Clock, Writer, good, open_clocked, said
from tests.support.notes import planted_session
from tests.support.transcripts import user

BODIES = planted_session(3, turns=40)


@pytest.fixture
def writer(tmp_path: Path):
    context, _ = open_clocked(tmp_path)
    writer = Writer(HostSession(context))
    writer.host.assemble(BODIES, BUDGET)
    yield writer
    context.close()


def begin(writer: Writer) -> Assignment:
    found = next_assignment(writer.context, writer.state)
    assert isinstance(found, Assignment)
    return found


def finish(writer: Writer, assignment: Assignment) -> str:
    completion = good(assignment.prompt)
    return take_completion(writer.context, writer.state, assignment, completion)


def test_a_call_that_ends_after_a_reset_does_not_attach(writer: Writer) -> None:
    """The host said so: the epoch has ended, and its late note is no draft of the next."""
    late = begin(writer)
    record_event(writer.context, writer.state, "reset")
    assert not is_wanted(writer.context, writer.state, late)
    assert finish(writer, late) == "no longer wanted"
    assert writer.host.assemble([user("a new start")], BUDGET) == [user("a new start")]
    assert writer.notes() == []


def test_a_call_that_ends_after_an_unannounced_reset_does_not_attach(writer: Writer) -> None:
    """The next list holds nothing of what was known."""
    late = begin(writer)
    writer.host.assemble([user("a new start")], BUDGET)
    assert not is_wanted(writer.context, writer.state, late)
    assert finish(writer, late) == "no longer wanted"


def test_a_call_whose_messages_the_host_compacted_does_not_attach(writer: Writer) -> None:
    """Its source stands in the host's own summary now."""
    late = begin(writer)
    summary = {"role": "compactionSummary", "summary": "earlier …", "tokensBefore": 9}
    writer.host.assemble([summary, *BODIES[-18:]], BUDGET)
    assert not is_wanted(writer.context, writer.state, late)
    assert finish(writer, late) == "no longer wanted"


def test_a_call_whose_messages_were_rewritten_does_not_attach(writer: Writer) -> None:
    """Both ends are there, but what lies between them changed."""
    late = begin(writer)
    at = next(n for n, b in enumerate(BODIES) if late.key.count and _is_inside(b, late))
    rewound = [*BODIES[:at], user("something else"), *BODIES[at + 1 :]]
    writer.host.assemble(rewound, BUDGET)
    assert finish(writer, late) == "no longer wanted"


def _is_inside(body: dict[str, Any], late: Assignment) -> bool:
    """A message in the middle of what a call covers."""
    numbers = range(late.covers.first_turn + 1, late.covers.last_turn + 1)
    turn = sum(b["role"] == "user" for b in BODIES[: BODIES.index(body) + 1])
    return body["role"] == "user" and turn in numbers


def test_a_call_of_a_purged_session_does_not_attach(writer: Writer) -> None:
    """Nothing is written for a session that is gone."""
    late = begin(writer)
    writer.context.database.write(
        lambda c: purge_sessions(c, [writer.state.row.id], writer.context.now_ms())
    ).result()
    assert finish(writer, late) == "no longer wanted"


def test_a_new_turn_carries_a_running_call_over(writer: Writer) -> None:
    """Its chunk still stands, so it goes on and its note is taken."""
    running = begin(writer)
    writer.host.assemble([*BODIES, user("and?"), *planted_session(4, 1)], BUDGET)
    assert is_wanted(writer.context, writer.state, running)
    assert finish(writer, running) == ""


def test_the_same_reply_twice_makes_one_note(writer: Writer) -> None:
    """A result that is delivered again finds its job done."""
    running = begin(writer)
    assert finish(writer, running) == ""
    assert finish(writer, running) == "no longer wanted"
    assert len([row for row in writer.notes() if row.fold.kind == "note"]) == 1


def test_folding_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    """Two stores, one session, one model: the views are equal byte for byte."""
    views = []
    for name in ("one", "two"):
        context, _ = open_clocked(tmp_path / name)
        writer = Writer(HostSession(context))
        writer.host.assemble(BODIES, BUDGET)
        writer.run()
        views.append(writer.host.assemble(BODIES, BUDGET))
        context.close()
    assert views[0] == views[1]


REPLIES = {
    "good": good,
    "garbage": lambda _prompt: said("}{"),
    "cut": lambda _prompt: said("## Goal\n- half", "length"),
    "down": lambda _prompt: Completion(error="503", error_kind="failed"),
    "left": lambda _prompt: Completion(error="the gateway left", error_kind="link"),
}


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    events=st.lists(
        st.sampled_from([*REPLIES, "crash", "crash in a call", "turn", "good", "good", "good"]),
        min_size=4,
        max_size=24,
    )
)
def test_any_order_of_replies_crashes_and_turns_leaves_a_consistent_tree(
    tmp_path_factory: pytest.TempPathFactory, events: list[str]
) -> None:
    """Coverage is contiguous, disjoint and never shrinks; each commit makes the view smaller."""
    folder = tmp_path_factory.mktemp("notes")
    context, clock = open_clocked(folder)
    bodies = list(planted_session(5, turns=24))
    writer = Writer(HostSession(context))
    writer.host.assemble(bodies, 0)
    covered = 0
    for event in events:
        if event == "turn":
            bodies += planted_session(50 + len(bodies) % 40, turns=1)
            writer.host.assemble(bodies, 0)
        elif event.startswith("crash"):
            if event == "crash in a call":
                next_assignment(writer.context, writer.state)
            writer = _restarted(writer)
        else:
            writer.ask = REPLIES[event]
            _step(writer, clock)
        now = _assert_consistent(writer)
        assert now >= covered, "what was folded came back"
        covered = now
    context.close()


def _restarted(writer: Writer) -> Writer:
    """The same session in a sidecar that knows only its store."""
    context = writer.context
    context.database.write(lambda connection: None).result()
    return Writer(HostSession(context, table=SessionTable()))


def _step(writer: Writer, clock: Clock) -> None:
    before = writer.context.database.read(lambda c: current_folds(c, 1))
    tokens = _view_tokens(writer)
    if isinstance(writer.step(), Rest):
        clock.pass_minutes(61)
    after = writer.context.database.read(lambda c: current_folds(c, 1))
    if after != before:
        assert _view_tokens(writer) < tokens


def _view_tokens(writer: Writer) -> int:
    surveyed = survey(writer.context, writer.state)
    assert surveyed is not None
    return surveyed.view_tokens(surveyed.placed(surveyed.current))


def _assert_consistent(writer: Writer) -> int:
    """How many messages the folds in the view stand for."""
    surveyed = survey(writer.context, writer.state)
    assert surveyed is not None
    folds = [surveyed.rows[node].fold for node in surveyed.current]
    placed = place_folds(surveyed.messages, folds)
    assert all(one.end == two.start for one, two in pairwise(placed))
    assert not placed or placed[0].start == surveyed.frame.lead
    leaves = sorted(
        (spot.start, spot.end)
        for node, spot in surveyed.spots.items()
        if spot.fold.kind == "note" and spot.fold.depth == 0
    )
    assert all(one[1] <= two[0] for one, two in pairwise(leaves)), "covered twice"
    for row in surveyed.rows.values():
        assert all(source in surveyed.rows for source in row.sources)
    return sum(spot.end - spot.start for spot in placed)
