"""The host's window moves: what it drops is told by a digest, what it still holds is shown."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.config import Settings
from flowctx.service.context import Context
from flowctx.view.change import shared_runs
from tests.support.host import HostSession, open_context
from tests.support.provider import violations
from tests.support.transcripts import SESSIONS, assistant, call, result, user
from tests.support.turns import BIG, START_MS, turns

LOW = Settings(projection_threshold=200)


def long_turn(calls: int) -> list[dict]:
    """One ask and many calls, as an agent works through a task."""
    bodies = [user("Work through all of it.", timestamp=START_MS)]
    for n in range(calls):
        at = START_MS + 2 * n
        bodies.append(assistant(call(f"c{n}", command=f"step {n}"), timestamp=at + 1))
        bodies.append(result(f"c{n}", f"{BIG}\nstep {n}", timestamp=at + 2))
    return bodies


@pytest.mark.parametrize("gone", [1, 2, 3, 20, 41])
@pytest.mark.parametrize("is_over", [True, False])
def test_a_window_that_begins_inside_a_turn_shows_its_end(context: Context, gone, is_over):
    """One turn longer than the window: its last steps stay, the rest is told, none is cut."""
    host = HostSession(context)
    bodies = long_turn(30) + ([assistant("All done.", timestamp=1)] if is_over else [])
    host.assemble(bodies)
    view = host.assemble(bodies[gone:])
    assert violations(view) == [] and "flowctx-handoff-note" in view[0]["content"]
    shown = json.dumps(view)
    assert "step 29" in shown and (not is_over or "All done." in json.dumps(view[-1]))
    assert host.gone == gone


def test_the_newest_turn_stays_when_it_fills_the_window(context: Context):
    """A last turn of most of the window is not folded because the window moved before it."""
    host = HostSession(context)
    bodies = turns(3) + long_turn(30)
    host.assemble(bodies)
    view = host.assemble(bodies[4:])
    assert view[1]["content"] == "Work through all of it." and violations(view) == []
    assert len(view) == 1 + len(long_turn(30))


def test_no_view_names_a_message_that_is_gone(context: Context):
    """Every op of a view stands for a message the host still hands over."""
    host = HostSession(context)
    bodies = turns(20)
    host.assemble(bodies)
    for gone in (3, 8, 15, 40):
        view = host.assemble(bodies[gone:], budget=6_000)
        assert {} not in view and violations(view) == []


@given(SESSIONS, st.integers(1, 60), st.integers(100, 5000))
def test_any_window_of_any_session_gives_a_valid_view(tmp_path_factory, bodies, gone, budget):
    """Whatever the host drops from the front, strict providers take what is shown."""
    context = open_context(tmp_path_factory.mktemp("window"), LOW)
    host = HostSession(context)
    host.assemble(bodies)
    for left in (bodies[gone // 2 :], bodies[gone:]):
        view = host.assemble(left, budget)
        assert {} not in view and violations(view) == []
    context.close()


def test_a_long_list_of_equal_messages_is_placed_in_no_time(context: Context):
    """Finding the window again does not compare every message with every other."""
    host = HostSession(context)
    same = [user("ping")] * 20_000
    host.assemble([user("first"), *same])
    fresh = HostSession(context)
    fresh.state = host.state
    started = time.process_time()
    view = fresh.assemble([*same[:10_000], user("pong")])
    assert time.process_time() - started < 10
    assert view[-1] == user("pong") and violations(view) == []


@given(st.lists(st.sampled_from("ab"), max_size=9), st.lists(st.sampled_from("ab"), max_size=9))
def test_runs_are_found_as_by_comparing_all(known, wanted):
    """The run at each place is what comparing there by hand gives."""
    by_hand = [_run(known[start:], wanted) for start in range(len(known))]
    assert shared_runs([k.encode() for k in known], [w.encode() for w in wanted]) == by_hand


def _run(known: list[str], wanted: list[str]) -> int:
    pairs = zip(known, wanted, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(known), len(wanted)))
