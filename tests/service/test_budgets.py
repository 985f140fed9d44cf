"""Over budget is impossible: whatever the session holds, the view fits or is as small as can be."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.config import Settings
from flowctx.message import parse_message
from flowctx.service.context import Context
from flowctx.tokens import estimate_tokens
from tests.support.host import HostSession, open_context
from tests.support.provider import violations
from tests.support.transcripts import SESSIONS, assistant, call, dump, result, user
from tests.support.turns import BIG, START_MS, turn, turns

LOW = Settings(projection_threshold=200)
# The frame of a digest, twice (before and behind the newest user message), and the lead message.
FRAME_TOKENS = 240
SUMMARIES = ("compactionSummary", "branchSummary")


def tokens_of(body: dict) -> int:
    return parse_message(dump(body)).message.tokens


def incompressible(bodies: list[dict]) -> int:
    """What no fold may take away: the host's summaries at the head, the newest running ask."""
    messages = [parse_message(dump(body)).message for body in bodies]
    total = 0
    for message in messages:
        if message.role not in SUMMARIES:
            break
        total += message.tokens
    last = messages[-1] if messages else None
    if last and (last.opens_turn or last.is_result or last.calls):
        total += next((m.tokens for m in reversed(messages) if m.opens_turn), 0)
    return total


@given(SESSIONS, st.integers(50, 5000))
def test_the_view_fits_or_is_as_small_as_can_be(tmp_path_factory, bodies, budget):
    """At any budget only what must stay, and the frames of digests, may exceed it."""
    context = open_context(tmp_path_factory.mktemp("fits"), LOW)
    host = HostSession(context)
    view = host.assemble(bodies, budget)
    assert host.answer.estimated_tokens <= max(budget, incompressible(bodies) + FRAME_TOKENS)
    assert violations(view) == []
    context.close()


@given(SESSIONS, st.lists(st.tuples(st.integers(0, 40), st.integers(50, 5000)), max_size=5))
def test_folded_views_planned_piece_by_piece_are_valid_and_found_again(
    tmp_path_factory, bodies, steps
):
    """With folds standing, going on from memory and starting from the store give one view."""
    # As in the host, no two messages are equal to the last byte: folds are found by their ends.
    bodies = [{**body, "timestamp": START_MS + at} for at, body in enumerate(bodies)]
    folder = tmp_path_factory.mktemp("pieces")
    context = open_context(folder, LOW)
    host = HostSession(context)
    for cut, budget in sorted(steps):
        host.assemble(bodies[:cut], budget)
    view = host.assemble(bodies)
    assert violations(view) == []
    host.settle()
    context.close()
    context = open_context(folder, LOW)
    assert HostSession(context).assemble(bodies) == view
    context.close()


@pytest.mark.parametrize("budget", [50, 200, 1000, 5000, 20_000])
def test_a_loop_of_calls_in_one_turn_folds_inside_the_turn(context: Context, budget):
    """One ask with forty calls: the ask stands, the newest calls stay, the rest is told."""
    bodies = [user("Fix all tests.", timestamp=START_MS)]
    for n in range(40):
        bodies += [
            assistant(call(f"c{n}", command=f"pytest part{n}"), timestamp=START_MS + 2 * n + 1),
            result(f"c{n}", f"{BIG}\npart {n}", timestamp=START_MS + 2 * n + 2),
        ]
    host = HostSession(context)
    view = host.assemble(bodies, budget)
    assert violations(view) == [] and bodies[0] in view
    assert host.answer.estimated_tokens <= max(budget, FRAME_TOKENS)
    if budget >= 5000:
        assert "part 39" in json.dumps(view[-1])


def test_a_running_turn_that_ends_with_the_ask_keeps_the_ask_last(context: Context):
    """On a retry the list ends with the user message: it stays, last and whole."""
    ask = user("Go on. " + "word " * 300, timestamp=START_MS + 9_999_999)
    view = HostSession(context).assemble([*turns(30), ask], budget=3000)
    assert view[-1] == ask and violations(view) == []


def test_a_result_displaced_over_the_edge_of_a_fold_goes_with_its_call(context: Context):
    """A call turn is folded or kept as one, however far apart its parts stand."""
    bodies = [
        *turns(10),
        user("both", timestamp=1),
        assistant(call("k1"), call("k2"), timestamp=2),
        user("still there?", timestamp=3),
        result("k2", BIG, timestamp=4),
        user("hello?", timestamp=5),
        result("k1", BIG, timestamp=6),
        assistant("done", timestamp=7),
    ]
    for budget in range(300, 9000, 300):
        view = HostSession(context, f"agent:main:explicit:b{budget}").assemble(bodies, budget)
        assert violations(view) == []


def test_the_hosts_own_summary_stays_first_and_whole(context: Context):
    """What the host summarised is nowhere else: it is never folded away."""
    summary = {"role": "compactionSummary", "summary": "Earlier: " + "x" * 2000, "timestamp": 1}
    host = HostSession(context)
    view = host.assemble([summary, *turns(30)], budget=3000)
    assert view[0] == summary and "flowctx-handoff-note" in view[1]["content"]
    assert host.answer.estimated_tokens <= 3000 and violations(view) == []


def test_one_message_larger_than_the_budget_is_folded(context: Context):
    """An answer of a hundred thousand tokens does not come through because it is one message."""
    huge = assistant("word " * 80_000, timestamp=START_MS + 1)
    host = HostSession(context)
    view = host.assemble([user("write", timestamp=START_MS), huge], budget=5000)
    assert host.answer.estimated_tokens <= 5000 and violations(view) == []


def test_a_huge_result_just_read_is_reduced_when_nothing_else_helps(context: Context):
    """The protected tail gives way before the budget does."""
    bodies = [
        user("read it", timestamp=START_MS),
        assistant(call("r", "read", path="big.log"), timestamp=START_MS + 1),
        result("r", BIG * 20, "read", timestamp=START_MS + 2),
    ]
    host = HostSession(context)
    view = host.assemble(bodies, budget=6000)
    assert "flowctx_retrieve" in json.dumps(view[-1])
    assert host.answer.estimated_tokens <= 6000


def test_a_fold_leaves_room_for_turns_to_come(context: Context):
    """Folding happens in few rounds: between them each view is a prefix of the next."""
    host, last, rounds = HostSession(context), "", 0
    for count in range(1, 80):
        text = json.dumps(host.assemble(turns(count), budget=8_000))
        assert host.answer.estimated_tokens <= 8_000
        rounds += bool(host.answer.round)
        assert host.answer.round or text.startswith(last[:-1])
        last = text
    assert 1 <= rounds <= 20, rounds


def test_a_budget_that_shrinks_and_grows_keeps_the_fold(context: Context):
    """A larger budget later is no reason to send other bytes."""
    host = HostSession(context)
    small = host.assemble(turns(30), budget=6_000)
    assert host.assemble(turns(30), budget=200_000) == small and host.answer.round == ""


def test_the_digest_tells_every_turn_it_stands_for(context: Context):
    """Asks, what was run and originals are in the digest, newest in most detail."""
    host = HostSession(context)
    view = host.assemble(turns(80), budget=12_000)
    note = view[0]["content"]
    covered = (len(turns(80)) - len(view) + 1) // 4
    assert f'{covered}" messages="{covered * 4}"' in note
    assert f"{covered}. do {covered - 1}" in note and f"`run {covered - 1}`" in note
    assert "[original " in note


def test_a_digest_made_before_its_rows_are_stored_counts_what_it_covers(context: Context):
    """Where the store takes nothing, the digest still says how much it stands for."""
    refuse = "CREATE TRIGGER no BEFORE INSERT ON messages BEGIN SELECT raise(abort, 'no'); END"
    context.database.write(lambda c: c.execute(refuse)).result()
    host = HostSession(context)
    view = host.assemble(turns(40), budget=6_000)
    assert violations(view) == [] and host.answer.estimated_tokens <= 6_000
    covered = 160 - (len(view) - 1)
    assert f'messages="{covered}"' in view[0]["content"]
    assert "do 3" in view[0]["content"]


def test_a_result_verbatim_by_request_still_fits(tmp_path):
    """Keeping many recent turns never takes more than there is."""
    settings = Settings(projection_keep_recent_turns=50, summary_keep_recent_turns=50)
    context = open_context(tmp_path, settings)
    host = HostSession(context)
    host.assemble(turns(30), budget=10_000)
    assert host.answer.estimated_tokens <= 10_000
    context.close()


def test_estimates_are_those_of_the_messages_shown(context: Context):
    """The estimate of a view is the sum over what stands in it."""
    host = HostSession(context)
    for budget in (0, 6_000):
        view = host.assemble(turns(20), budget)
        shown = sum(
            estimate_tokens(body["content"]) if body["role"] == "custom" else tokens_of(body)
            for body in view
        )
        assert abs(host.answer.estimated_tokens - shown) <= len(view)


def test_turns_of_tiny_messages_cost_no_more_than_they_hold(context: Context):
    """Four hundred short turns fold without a line for each."""
    bodies = [m for n in range(400) for m in (user(f"q{n}", timestamp=n), assistant(f"a{n}"))]
    host = HostSession(context)
    assert len(host.assemble(bodies, budget=900)) < 200
    assert host.answer.estimated_tokens <= 900
    assert turn(0)[0] not in bodies
