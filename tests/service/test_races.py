"""What happens between two steps of another: purges, failing writes, sessions side by side."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from flowctx.identity import resolve_session
from flowctx.service import assemble
from flowctx.service import state as session_state
from flowctx.service.context import Context
from flowctx.service.purge import Selection, purge
from flowctx.service.state import SessionTable
from flowctx.store.messages import visible_messages
from flowctx.store.purge import purge_sessions
from tests.support.host import HostSession
from tests.support.turns import turns


def rows_of(context: Context, host: HostSession) -> int:
    host.settle()
    row = host.state.row
    assert row is not None
    return len(context.database.read(lambda c: visible_messages(c, row.id)))


@pytest.fixture(params=["writer is late", "writer is early"])
def writer(request, monkeypatch) -> None:
    """Both orders of the writer thread and the view that it serves."""
    if request.param == "writer is late":
        return
    adopt = assemble.adopt_list

    def adopt_and_write(*args):
        adopted = adopt(*args)
        adopted.stored.exception()
        return adopted

    monkeypatch.setattr(assemble, "adopt_list", adopt_and_write)


@pytest.mark.usefixtures("writer")
def test_a_session_purged_under_a_view_loses_none_of_the_view(context: Context):
    """Rows that vanish cost the store a round trip, never the model its history."""
    host = HostSession(context)
    host.assemble(turns(3))
    host.settle()
    row_id = host.state.row.id
    context.database.write(lambda c: purge_sessions(c, [row_id], 1)).result()
    history = turns(5)
    view = host.assemble(history)
    assert len(view) == len(history) and view[-4:-2] == history[-4:-2]
    assert len(host.assemble(turns(6))) == 24
    assert rows_of(context, host) == 24


@pytest.mark.usefixtures("writer")
def test_a_write_that_fails_once_is_made_good_with_the_next_view(context: Context):
    """Rows that one write lost are there after the next view, and no view lacks a message."""
    host = HostSession(context)
    host.assemble(turns(2))
    host.settle()
    context.database.write(lambda c: c.execute("UPDATE messages SET visible = 0")).result()
    for count in (3, 4, 5):
        history = turns(count)
        assert len(host.assemble(history)) == len(history)
    assert rows_of(context, host) == 20


def test_a_purge_waits_for_no_session_and_the_next_view_is_whole(context: Context):
    """A purge between two views only makes the sidecar ask for the list again."""
    table = SessionTable()
    host = HostSession(context, table=table)
    host.assemble(turns(3))
    host.settle()
    purge(context, table, Selection(session_key="agent:main:main"))
    assert len(host.assemble(turns(4))) == 16
    assert rows_of(context, host) == 16


def test_sessions_do_not_wait_for_one_another(context: Context):
    """While one session's view takes long, another session's comes at once."""
    slow, quick = HostSession(context, "agent:main:explicit:a"), HostSession(context)
    done = threading.Event()
    with slow.state.lock:
        waiting = threading.Thread(target=lambda: (slow.assemble(turns(2)), done.set()))
        waiting.start()
        assert len(quick.assemble(turns(2))) == 8
        assert not done.is_set()
    waiting.join()
    assert done.is_set() and slow.answer is not None


def test_views_and_messages_at_the_same_time_lose_nothing(context: Context):
    """Observing, committing and assembling from many threads leaves one row a message."""
    table = SessionTable()
    hosts = [HostSession(context, f"agent:main:explicit:s{n}", table) for n in range(4)]

    def live(host: HostSession) -> None:
        for count in range(1, 6):
            history = turns(count)
            host.observe(*history[-4:])
            host.commit(f"{host.state.ref.key}-{count}", history[-4:])
            assert len(host.assemble(history)) == len(history)

    with ThreadPoolExecutor(len(hosts)) as threads:
        list(threads.map(live, hosts))
    for host in hosts:
        assert rows_of(context, host) == 20
    count = context.database.read(lambda c: c.execute("SELECT count(*) FROM messages").get)
    assert count == 80


def test_one_session_from_two_threads_stays_whole(context: Context):
    """A view and messages sent ahead for the same session do not disturb one another."""
    host = HostSession(context)
    host.assemble(turns(1))
    later = turns(30, start=1)
    feeder = threading.Thread(target=lambda: host.observe(*later))
    feeder.start()
    for count in range(1, 31):
        assert len(host.assemble(turns(count))) == 4 * count
    feeder.join()
    host.assemble(turns(31))
    assert rows_of(context, host) == 124
    total = context.database.read(lambda c: c.execute("SELECT count(*) FROM messages").get)
    assert total == 124


def test_memory_of_sessions_is_bounded(context: Context, monkeypatch):
    """Beyond the bounds the sessions idle longest are forgotten, and come back from the store."""
    monkeypatch.setattr(session_state, "MAX_HELD_SESSIONS", 3)
    monkeypatch.setattr(session_state, "MAX_HELD_MESSAGES", 30)
    table = SessionTable()
    hosts = [HostSession(context, f"agent:main:explicit:n{n}", table) for n in range(6)]
    assert len(table) == 3
    for host in hosts:
        host.state = table.open(host.state.ref)
        host.assemble(turns(3))
    table.open(hosts[-1].state.ref)
    assert len(table) <= 3
    first = hosts[0]
    first.settle()
    before, first.state = first.state, table.open(resolve_session("agent:main:explicit:n0"))
    assert first.state is not before
    assert len(first.assemble(turns(4))) == 16 and rows_of(context, first) == 16


def test_a_session_in_use_is_not_forgotten(context: Context, monkeypatch):
    """Eviction passes over a session whose work is under way."""
    monkeypatch.setattr(session_state, "MAX_HELD_SESSIONS", 1)
    table = SessionTable()
    busy = table.open(resolve_session("agent:main:explicit:busy"))
    with busy.lock:
        table.open(resolve_session("agent:main:explicit:other"))
        assert table.open(busy.ref) is busy
