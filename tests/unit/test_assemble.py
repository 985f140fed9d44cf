"""Assemble over the real store: deltas, freezing, epochs, budgets."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.config import Settings
from flowctx.reducers.marker import marked_hashes
from flowctx.service.context import Context
from flowctx.service.frame import Base
from flowctx.store.messages import visible_messages
from flowctx.store.originals import original_text
from tests.support.host import HostSession, open_context
from tests.support.provider import violations
from tests.support.transcripts import SESSIONS, assistant, call, result, user

BIG = "\n".join(f"2026-11-30T10:00:{n % 60:02d} worker {n} done in {n * 7} ms" for n in range(400))
LOW = Settings(projection_threshold=200)


@pytest.fixture
def context(tmp_path):
    made = open_context(tmp_path)
    yield made
    made.close()


def turn(number: int, text: str = BIG) -> list[dict]:
    """One user turn with a big tool result."""
    at = 1_796_000_000_000 + number * 60_000
    return [
        user(f"do {number}", timestamp=at),
        assistant(call(f"call_{number}", command=f"run {number}"), timestamp=at + 1),
        result(f"call_{number}", f"{text}\nend of {number}", timestamp=at + 2),
        assistant(f"done {number}", timestamp=at + 3),
    ]


def test_old_results_are_reduced_and_come_back_byte_for_byte(context: Context):
    """Every result above the threshold is a marker whose original is the text."""
    host = HostSession(context)
    history = turn(0) + turn(1)
    view = host.assemble(history)
    for body in (2, 6):
        text = view[body]["content"][0]["text"]
        (hash_,) = marked_hashes(text)
        assert len(text) <= 4000
        stored = context.database.read(lambda connection, h=hash_: original_text(connection, h))
        assert stored == history[body]["content"][0]["text"]
    assert [view[at] for at in (0, 1, 3, 4, 5, 7)] == [history[at] for at in (0, 1, 3, 4, 5, 7)]


def test_each_view_is_a_byte_prefix_of_the_next(context: Context):
    """Between rounds a view only grows at its end."""
    host, history, last = HostSession(context), [], ""
    for number in range(12):
        view = json.dumps(host.assemble(history))
        assert view.startswith(last[:-1]) and host.answer.round == ""
        history, last = history + turn(number), view


def test_a_restart_changes_no_byte_and_needs_no_body_again(tmp_path):
    """The store alone gives the same view, and still knows the list."""
    first = open_context(tmp_path)
    history = [body for number in range(6) for body in turn(number)]
    host = HostSession(first)
    before = host.assemble(history)
    first.close()
    second = open_context(tmp_path)
    again = HostSession(second)
    again.sent, again.count, again.token = host.sent, host.count, host.token
    assert again.assemble(history) == before
    assert again._ask(host.sent, Base(host.token, len(history)), 0, frozenset()) is not None
    second.close()


def test_a_lost_answer_costs_nothing(context: Context):
    """A caller that missed the last answers still goes on from the list it knows."""
    host = HostSession(context)
    host.assemble(turn(0))
    kept = (host.count, host.token, host.sent)
    host.assemble(turn(0) + turn(1))
    host.count, host.token, host.sent = kept
    assert host._ask([*host.sent, b"{}"], Base(host.token, host.count), 0, frozenset()) is not None


def takes_an_id_again(bodies):
    """True where two calls of a session have one id."""
    blocks = [block for body in bodies for block in body["content"] if isinstance(block, dict)]
    ids = [block["id"] for block in blocks if block.get("type") == "toolCall"]
    return len(set(ids)) < len(ids)


@given(SESSIONS, st.lists(st.integers(0, 40), max_size=4))
def test_a_view_planned_piece_by_piece_equals_one_planned_at_once(tmp_path_factory, bodies, cuts):
    """Reusing settled segments gives what planning from nothing gives."""
    pieces = open_context(tmp_path_factory.mktemp("pieces"), LOW)
    whole = open_context(tmp_path_factory.mktemp("whole"), LOW)
    host = HostSession(pieces)
    for cut in sorted(cuts):
        host.assemble(bodies[:cut])
    settled, fresh = host.assemble(bodies), HostSession(whole).assemble(bodies)
    # What was sent stays, though a later call takes an id again and nobody knows whose it is.
    assert settled == fresh or takes_an_id_again(bodies)
    host.settle()
    rows = pieces.database.read(lambda c: visible_messages(c, host.state.row.id))
    assert rows == host.state.frame.messages
    pieces.close()
    whole.close()


@given(SESSIONS, st.integers(50, 3000))
def test_at_any_budget_the_view_is_valid_and_keeps_the_newest_user_message(
    tmp_path_factory, bodies, budget
):
    """Whatever has to fold, strict providers take the view and the newest ask stands."""
    context = open_context(tmp_path_factory.mktemp("budget"), LOW)
    view = HostSession(context).assemble(bodies, budget)
    assert violations(view) == []
    if bodies and bodies[-1].get("role") == "user":
        assert view[-1] == bodies[-1]
    context.close()


def test_over_budget_folds_to_a_digest_and_then_stays(context: Context):
    """The oldest turns become one digest; the next turns only append."""
    host = HostSession(context)
    history = [body for number in range(60) for body in turn(number)]
    view = host.assemble(history, budget=8_000)
    assert host.answer.estimated_tokens <= 8_000 and host.answer.round == ""
    assert view[0]["customType"] == "flowctx.note" and "<flowctx-handoff-note" in view[0]["content"]
    longer = host.assemble(history + turn(60), budget=8_000)
    assert json.dumps(longer).startswith(json.dumps(view)[:-1])


def test_a_reset_begins_an_epoch_without_anything_of_the_old(context: Context):
    """After a reset with the same key, no old text is in the view and rows are apart."""
    host = HostSession(context)
    host.assemble(turn(0) + turn(1))
    host.observe(user("new start", timestamp=5))
    assert host.assemble([]) == []
    assert host.state.row.epoch == 2
    later = [user("new start", timestamp=5), assistant("hello", timestamp=6)]
    assert host.assemble(later) == later
    host.settle()
    rows = context.database.read(lambda c: visible_messages(c, host.state.row.id))
    assert len(rows) == 2


def test_three_deliveries_make_one_row_each(context: Context):
    """Observed, committed and handed over: nothing is missing, nothing is there twice."""
    host, history = HostSession(context), []
    for number in range(3):
        bodies = turn(number)
        host.observe(bodies[0])
        host.assemble(history)
        host.observe(*bodies[1:])
        assert host.commit(f"key-{number}", bodies)
        assert not host.commit(f"key-{number}", bodies)
        history += bodies
    host.assemble(history)
    host.settle()
    rows = context.database.read(lambda c: c.execute("SELECT count(*) FROM messages").get)
    assert rows == len(history)


def test_the_same_call_in_a_later_turn_is_a_row_of_its_own(context: Context):
    """Identical messages without times in two genuine turns stay two."""
    host = HostSession(context)
    one = [user("go"), assistant(call("x", command="date")), result("x", "ok"), assistant("done")]
    host.commit("a", one)
    host.assemble(one)
    host.commit("b", one)
    host.assemble(one + one)
    host.settle()
    rows = context.database.read(lambda c: c.execute("SELECT count(*) FROM messages").get)
    assert rows == 8


def test_without_the_tool_no_marker_names_it(context: Context):
    """A run that cannot retrieve is told of no tool; with it, the old bytes come back."""
    host = HostSession(context)
    with_tool = host.assemble(turn(0))
    without = host.assemble(turn(0), tools=frozenset())
    assert "flowctx_retrieve" not in json.dumps(without)
    assert marked_hashes(without[2]["content"][0]["text"])
    assert host.assemble(turn(0)) == with_tool


def test_a_lower_threshold_is_an_announced_round(context: Context):
    """Settings change what was sent only in a round that says so."""
    host = HostSession(context)
    small = "\n".join(f"line {n} of a result below the default" for n in range(60))
    history = turn(0, small) + turn(1, small)
    assert host.assemble(history) == history
    context.settings = Settings(projection_threshold=200)
    assert host.assemble(history) != history
    assert host.answer.round == "settings changed"


def test_a_window_that_moves_costs_one_round_in_many_turns(context: Context):
    """The host drops its oldest messages; a digest stands for them, and the bytes stay."""
    host = HostSession(context)
    history = [body for number in range(40) for body in turn(number)]
    host.assemble(history)
    rounds, last = 0, ""
    for number in range(40, 70):
        history = history[4:] + turn(number)
        view = host.assemble(history)
        text = json.dumps(view)
        assert violations(view) == []
        assert view[-4:-2] == history[-4:-2] and "flowctx-handoff-note" in text
        rounds += bool(host.answer.round)
        assert host.answer.round or text.startswith(last[:-1])
        last = text
    assert 1 <= rounds <= 4, rounds


def test_a_moved_window_is_found_again_without_memory_on_either_side(tmp_path):
    """After both sides restarted, the digest still stands for what the host dropped."""
    first = open_context(tmp_path)
    history = [body for number in range(40) for body in turn(number)]
    host = HostSession(first)
    host.assemble(history)
    moved = history[9 * 4 :] + turn(40)
    before = host.assemble(moved)
    host.settle()
    first.close()
    second = open_context(tmp_path)
    again = HostSession(second)
    assert again.assemble(moved) == before
    assert again.gone == 9 * 4
    second.close()


def test_a_moved_window_behind_the_hosts_summary(context: Context):
    """The host's own summary stays first and whole while messages behind it go."""
    host = HostSession(context)
    summary = {"role": "compactionSummary", "summary": "earlier work", "tokensBefore": 9}
    history = [body for number in range(40) for body in turn(number)]
    host.assemble([summary, *history])
    view = host.assemble([summary, *history[40:], *turn(40)])
    assert view[0] == summary
    assert "flowctx-handoff-note" in view[1]["content"]
    assert (host.lead, host.gone) == (1, 40)
