"""Results that were not reduced in time: shown whole, then caught up with in one round."""

from __future__ import annotations

import threading

import pytest

from flowctx.errors import StoreError
from flowctx.service import ahead, planning, projection
from flowctx.service.context import Context
from tests.support.host import HostSession, open_context
from tests.support.turns import text_at, turn, turns


@pytest.fixture
def hurried(tmp_path):
    """A context whose views may spend no time on reducing."""
    made = open_context(tmp_path)
    made.inline_seconds = -1
    yield made
    made.close()


@pytest.fixture
def gate(monkeypatch):
    """Holds the workers back until it is set."""
    held = threading.Event()
    reduce = ahead.reduce_result

    def wait_and_reduce(*args):
        assert held.wait(30)
        return reduce(*args)

    monkeypatch.setattr(ahead, "reduce_result", wait_and_reduce)
    yield held
    held.set()


def test_late_results_are_caught_up_with_in_one_round(hurried: Context, gate):
    """Raw while they are late, all of them at once when they are ready, then never again."""
    host = HostSession(hurried)
    history = turns(5)
    assert host.assemble(history) == history
    assert host.answer.pending == 5 and host.answer.round == ""
    longer = turns(6)
    assert host.assemble(longer) == longer and host.answer.round == ""
    gate.set()
    host.settle()
    view = host.assemble(longer)
    assert host.answer.round == "caught up" and host.answer.pending == 0
    assert all("hash=" in text_at(view, at) for at in range(2, 24, 4))
    assert host.assemble(longer) == view and host.answer.round == ""


def test_half_of_the_late_results_change_nothing_yet(hurried: Context, gate):
    """While some are still late, ready ones stay raw: one round, not one for each."""
    host = HostSession(hurried)
    host.assemble(turns(3))
    hurried.database.write(lambda _: None).result()
    row = host.state.row
    late = host.state.frame.messages[2]
    stored = ahead.load_message(hurried, row, late.digest)
    projection.store_reduced(hurried, row, projection.reduce_result(stored, None))
    assert host.assemble(turns(3)) == turns(3) and host.answer.round == ""


def test_one_result_that_takes_long_keeps_no_other_waiting(context: Context, monkeypatch):
    """The view is there in time: only the slow one is whole, until it was reduced behind."""
    held, reduce = threading.Event(), projection.reduce_output
    slow = text_at(turns(6), 10)

    def wait_and_reduce(output):
        assert output.text != slow or held.wait(30)
        return reduce(output)

    monkeypatch.setattr(projection, "reduce_output", wait_and_reduce)
    context.inline_seconds = 2.0
    host = HostSession(context)
    for count in (6, 7):
        view = host.assemble(turns(count))
        results = range(2, 4 * count, 4)
        assert [at for at in results if "hash=" not in text_at(view, at)] == [10]
        assert host.answer.pending == 1 and host.answer.round == ""
    held.set()
    host.settle()
    view = host.assemble(turns(7))
    assert "hash=" in text_at(view, 10)
    assert host.answer.pending == 0 and host.answer.round == "caught up"


def test_a_result_that_a_worker_is_at_is_not_reduced_twice(context: Context, monkeypatch):
    """However many views come meanwhile, the work of the slow one is done once."""
    held, begun, reduce = threading.Event(), [], projection.reduce_output

    def wait_and_reduce(output):
        begun.append(output.text)
        assert held.wait(30)
        return reduce(output)

    monkeypatch.setattr(projection, "reduce_output", wait_and_reduce)
    context.inline_seconds = 0.2
    host = HostSession(context)
    host.observe(*turn(0))
    for count in (1, 2, 3):
        host.assemble(turns(count))
    held.set()
    host.settle()
    assert len(begun) == len(set(begun))


def test_results_reduced_ahead_are_never_late(hurried: Context):
    """What the write hook sent ahead is ready when its turn is over."""
    host = HostSession(hurried)
    for number in range(4):
        host.observe(*turn(number))
        host.settle()
        view = host.assemble(turns(number + 1))
        assert host.answer.pending == 0 and "hash=" in text_at(view, 4 * number + 2)


def test_a_reducer_that_fails_costs_its_result_the_reduction_only(context: Context, monkeypatch):
    """A fault while reducing leaves that result raw, for good, and the view whole."""

    def fail(_output):
        raise RuntimeError("a fault in a reducer")

    monkeypatch.setattr(projection, "reduce_output", fail)
    host = HostSession(context)
    host.observe(*turn(0))
    host.settle()
    assert host.assemble(turns(2)) == turns(2)
    assert host.answer.pending == 0
    assert host.assemble(turns(3)) == turns(3) and host.answer.round == ""


def test_a_result_without_a_stored_body_is_settled_as_raw(hurried: Context, monkeypatch):
    """Where the body is gone nobody waits for it for ever."""
    monkeypatch.setattr(ahead, "load_message", lambda *_: None)
    host = HostSession(hurried)
    assert host.assemble(turns(2)) == turns(2)
    host.settle()
    assert host.assemble(turns(2)) == turns(2)
    assert (host.answer.pending, host.answer.round) == (0, "")


def test_a_view_that_cannot_be_stored_is_not_shown(context: Context, monkeypatch):
    """No marker stands in a view before its original is safe."""

    def refuse(*_args):
        raise StoreError("refused")

    monkeypatch.setattr(planning, "store_reduced", refuse)
    host = HostSession(context)
    assert host.assemble(turns(2)) == turns(2)
    assert host.answer.reduced == 0
