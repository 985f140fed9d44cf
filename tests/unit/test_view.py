"""The view: valid for every provider, within budget, deterministic."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.config import Settings
from flowctx.message import parse_message
from flowctx.model import Decision, Fold, Injection, PlacedInjection, Placement, View
from flowctx.view.budget import choose_cut
from flowctx.view.engine_made import custom_message
from flowctx.view.pairing import pair_results
from flowctx.view.plan import join_view, message_costs, plan_segment
from flowctx.view.turns import split_turns
from tests.support.provider import violations
from tests.support.transcripts import SESSIONS, assistant, call, dump, result, user
from tests.support.views import apply_ops

RAW = Decision("raw", "test")


def plan(bodies: list[dict]) -> View:
    messages = [parse_message(dump(body)).message for body in bodies]
    pairing = pair_results(messages)
    segments = [
        plan_segment(messages, turn, pairing, lambda at: RAW) for turn in split_turns(messages)
    ]
    return join_view(messages, [], segments)


@given(SESSIONS)
def test_any_session_becomes_a_list_that_strict_providers_take(bodies):
    """Parallel, aborted, repeated, displaced: the view is valid whatever came in."""
    view = apply_ops(bodies, plan(bodies).ops)
    assert violations(view) == []


@given(SESSIONS)
def test_a_valid_session_is_left_exactly_as_it_is(bodies):
    """Where nothing has to be mended, the view is the host's own list."""
    if violations(bodies) or any(b == {"role": "assistant", "content": []} for b in bodies):
        return
    assert apply_ops(bodies, plan(bodies).ops) == bodies


def test_displaced_results_stand_behind_their_call():
    """Real outputs replace the placeholder and follow the call turn directly."""
    bodies = [
        user("Run both."),
        assistant(call("k1"), call("k2")),
        assistant("Still running."),
        result("k2", "typecheck: 0 errors"),
        result("k1", "host: no result was recorded for this call", isError=True),
        result("k1", "lint: 2 warnings"),
        assistant("Done."),
    ]
    view = apply_ops(bodies, plan(bodies).ops)
    assert [bodies.index(message) for message in view] == [0, 1, 3, 5, 2, 6]


def test_a_late_write_in_front_of_its_call_is_moved_behind_it():
    """A result stored before its call still answers it."""
    bodies = [user("Run."), result("k1", "lint: fine"), assistant(call("k1")), assistant("Ok.")]
    view = apply_ops(bodies, plan(bodies).ops)
    assert [bodies.index(message) for message in view] == [0, 2, 1, 3]


@pytest.mark.parametrize("ids", [["exec:0"] * 3, ["x"] * 3, [None] * 3])
def test_ids_that_repeat_keep_every_result_with_its_own_call(ids):
    """Nothing is keyed by the id alone."""
    bodies = [user("Three things.")]
    for number, call_id in enumerate(ids):
        bodies += [
            assistant(call(call_id, command=f"cmd {number}")),
            result(call_id, f"out {number}"),
        ]
    bodies += [assistant("All done."), user("And?")]
    assert apply_ops(bodies, plan(bodies).ops) == bodies


@given(SESSIONS, st.integers(0, 3000))
def test_a_cut_at_any_budget_splits_no_call_turn(bodies, budget):
    """What stays after a fold is valid once a user-side note stands before it."""
    messages = [parse_message(dump(body)).message for body in bodies]
    pairing = pair_results(messages)
    costs = message_costs(messages, pairing, lambda at: RAW)
    cut = choose_cut(messages, costs, pairing, budget)
    covered = {at for start, end in cut.runs for at in range(start, end)}
    turns = split_turns(messages)
    left = [turn for turn in turns if not covered.issuperset(range(turn.start, turn.end))]
    assert all(start == 0 or end <= len(messages) for start, end in cut.runs)
    for start, end in cut.runs:
        edge = end < len(messages) and messages[end].is_result and end not in pairing.dropped
        assert not edge, (start, end, left)


def test_protection_counts_the_running_turn_as_one():
    """With the default of one turn, all that the host hands over is old."""
    from flowctx.view.protect import protect

    assert protect(4, [0, 2], Settings(), runs=False).tail_start == 4
    two = Settings(projection_keep_recent_turns=2)
    assert protect(4, [0, 2], two, runs=False).tail_start == 2
    assert protect(3, [0, 2], Settings(), runs=True).tail_start == 2


@pytest.mark.parametrize("first", ["", None])
def test_a_result_goes_to_the_call_with_its_very_id_first(first):
    """Where some ids are missing, those that are there decide before the position does."""
    bodies = [
        user("Both."),
        assistant(call("k1"), call(first)),
        result("k9", "odd one"),
        result("k1", "first"),
    ]
    messages = [parse_message(dump(body)).message for body in bodies]
    paired = pair_results(messages)
    assert paired.calls[3].id == "k1" and paired.calls[2].id == "" and not paired.dropped
    swapped = pair_results([*messages[:2], messages[3], messages[2]])
    assert swapped.calls[2].id == "k1" and swapped.calls[3].id == ""


def test_a_result_without_an_id_leaves_calls_with_one_to_their_own():
    """A nameless result answers the nameless call of the turn, wherever that stands."""
    bodies = [
        user("Both."),
        assistant(call("k1"), call(None)),
        result(None, "a"),
        result("k1", "b"),
    ]
    paired = pair_results([parse_message(dump(body)).message for body in bodies])
    assert (paired.calls[2].id, paired.calls[3].id) == ("", "k1")


def _placed(node: str, at: int) -> PlacedInjection:
    return PlacedInjection(Injection(node, "card", b"", custom_message("t", node, 0), 5), at)


def _shown(view: list[dict]) -> list[str]:
    return [m["content"] if m["role"] == "custom" else m["role"] for m in view]


def test_injections_stand_behind_their_turn_and_at_the_head():
    """One behind a turn follows its last message; one at the head comes before the first."""
    bodies = [user("a"), assistant("b"), user("c"), assistant("d")]
    messages = [parse_message(dump(body)).message for body in bodies]
    pairing = pair_results(messages)
    segments = [
        plan_segment(messages, turn, pairing, lambda at: RAW) for turn in split_turns(messages)
    ]
    view = join_view(messages, [], segments, [_placed("card", 0), _placed("pins", -1)])
    shown = [
        m["content"] if m["role"] == "custom" else m["role"] for m in apply_ops(bodies, view.ops)
    ]
    assert shown == ["pins", "user", "assistant", "card", "user", "assistant"]


def test_an_injection_goes_with_its_folded_turn():
    """What stood behind a turn is left out once a fold covers the turn; the head stays."""
    bodies = [user("a"), assistant("b"), user("c"), assistant("d")]
    messages = [parse_message(dump(body)).message for body in bodies]
    fold = Fold("n", "digest", b"", b"", 2, custom_message("t", "note", 0), 5)
    rest = [
        plan_segment(messages, split_turns(messages)[1], pair_results(messages), lambda at: RAW)
    ]
    injections = [_placed("card", 1), _placed("pins", -1)]
    view = join_view(messages, [Placement(fold, 0, 2)], rest, injections)
    shown = [
        m["content"] if m["role"] == "custom" else m["role"] for m in apply_ops(bodies, view.ops)
    ]
    assert shown == ["note", "pins", "user", "assistant"]
