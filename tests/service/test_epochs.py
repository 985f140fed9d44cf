"""Epochs: a reset leaves nothing of the old conversation, and everything else is no reset."""

from __future__ import annotations

import json

import pytest

from flowctx.errors import OriginalNotFoundError
from flowctx.identity import resolve_session
from flowctx.reducers.marker import marked_hashes
from flowctx.service.context import Context
from flowctx.service.events import record_event
from flowctx.service.retrieve import retrieve
from flowctx.service.upkeep import EXPIRY_EVERY_MS, expire
from flowctx.store.sessions import list_sessions
from tests.support.host import HostSession, open_context
from tests.support.transcripts import assistant, user
from tests.support.turns import text_at, turn, turns

DAY_MS = 86_400_000
WEEK_MS = 7 * DAY_MS
OLD = turns(40)
NEW = [user("a fresh start", timestamp=7), assistant("hello", timestamp=8)]


def epochs(context: Context, key: str = "agent:main:main") -> list[int]:
    return sorted(row.epoch for row in context.database.read(lambda c: list_sessions(c, key)))


@pytest.mark.parametrize("told", ["by an event", "by an empty list", "by other messages"])
def test_a_reset_leaves_nothing_of_the_old_conversation(context: Context, told):
    """However a reset is learnt of, the next view holds nothing of what was before."""
    host = HostSession(context)
    assert "flowctx-handoff-note" in json.dumps(host.assemble(OLD, budget=6_000))
    if told == "by an event":
        record_event(context, host.state, "reset")
    if told == "by an empty list":
        assert host.assemble([]) == []
    assert host.assemble(NEW) == NEW
    assert host.state.row.epoch == 2 and epochs(context) == [1, 2]
    host.settle()
    host.state.forget()
    assert HostSession(context).assemble(NEW) == NEW


def test_what_was_written_since_the_reset_belongs_to_the_new_epoch(context: Context):
    """The ask that was observed before the view moves over; the old turns do not."""
    host = HostSession(context)
    host.assemble(turns(2))
    host.observe(*turn(2), NEW[0])
    host.assemble([])
    host.observe(NEW[1])
    host.assemble(NEW)
    host.settle()
    new = host.state.row.id
    rows = context.database.read(
        lambda c: c.execute("SELECT count(*) FROM messages WHERE session_id = ?", (new,)).get
    )
    assert rows == 2


def test_an_event_that_comes_late_ends_the_epoch_that_it_meets(context: Context):
    """Two ways of learning of one reset make one new epoch or two, never a mixed one."""
    host = HostSession(context)
    host.assemble(OLD[:8])
    assert host.assemble(NEW) == NEW
    record_event(context, host.state, "reset")
    assert host.assemble(NEW) == NEW
    assert host.assemble([*NEW, *turn(50)])[:2] == NEW


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda old: old[8:], id="the head dropped"),
        pytest.param(
            lambda old: [{"role": "compactionSummary", "summary": "s", "timestamp": 1}, *old[12:]],
            id="compacted to a summary and a tail",
        ),
        pytest.param(lambda old: old[:-4], id="rewound"),
        pytest.param(lambda old: [*old[:-1], assistant("other", timestamp=9)], id="one replaced"),
        pytest.param(lambda old: [old[0], *NEW], id="one message left"),
    ],
)
def test_what_leaves_a_message_is_no_reset(context: Context, change):
    """While one known message is left the epoch goes on, and with it what was sent."""
    host = HostSession(context)
    host.assemble(turns(6))
    host.assemble(change(turns(6)))
    assert epochs(context) == [1]


def test_merged_rows_are_the_same_conversation(context: Context):
    """Two answers that the host joins into one row make a new message, not a new epoch."""
    host = HostSession(context)
    one, two = turn(0), turn(1)
    host.assemble([*one, assistant("and", timestamp=3), *two])
    merged = {**one[3], "content": [*one[3]["content"], {"type": "text", "text": "and"}]}
    view = host.assemble([*one[:3], merged, *two])
    assert view[3] == merged and len(view) == 8 and epochs(context) == [1]


def test_a_compaction_zeroes_usage_and_changes_nothing(context: Context):
    """What the host rewrites in old messages is not part of them."""
    host = HostSession(context)
    history = [{**body, "usage": {"totalTokens": 900}} for body in turns(3)]
    before = host.assemble(history)
    zeroed = [{**body, "usage": {"totalTokens": 0}, "details": 1} for body in history]
    again = HostSession(context)
    again.state = host.state
    view = again.assemble(zeroed)
    assert [text_at(view, at) for at in (2, 6, 10)] == [text_at(before, at) for at in (2, 6, 10)]
    assert again.answer.round == "" and epochs(context) == [1]


def test_a_restart_is_no_reset(tmp_path):
    """A new process goes on in the same epoch."""
    context = open_context(tmp_path)
    HostSession(context).assemble(turns(3))
    context.close()
    context = open_context(tmp_path)
    HostSession(context).assemble(turns(4))
    assert epochs(context) == [1]
    context.close()


def test_the_same_words_after_a_reset_are_reduced_for_the_new_epoch(context: Context):
    """A result that reads the same in both epochs comes back in both."""
    host = HostSession(context)
    (before,) = marked_hashes(text_at(host.assemble(turns(1)), 2))
    host.assemble([])
    later = [user("again", timestamp=5), *turns(1)[1:]]
    (after,) = marked_hashes(text_at(host.assemble(later), 2))
    assert before == after
    found = retrieve(context.database, resolve_session("agent:main:main"), after)
    assert found.text == text_at(turns(1), 2)


def test_an_ended_epoch_expires_and_says_so(context: Context):
    """Originals of a conversation that was reset go after their time, and not before."""
    host = HostSession(context)
    (hash_,) = marked_hashes(text_at(host.assemble(turns(1)), 2))
    host.assemble([])
    host.assemble(NEW)
    host.settle()
    caller, now = resolve_session("agent:main:main"), context.now_ms()
    context.now_ms = lambda: now + WEEK_MS - DAY_MS
    assert expire(context).sessions == 0
    assert retrieve(context.database, caller, hash_).text == text_at(turns(1), 2)
    context.now_ms = lambda: now + WEEK_MS + DAY_MS
    assert expire(context).sessions == 1
    with pytest.raises(OriginalNotFoundError, match="was removed on") as gone:
        retrieve(context.database, caller, hash_)
    assert gone.value.reason == "removed"
    assert host.assemble(NEW) == NEW and epochs(context) == [2]


def test_a_running_conversation_never_expires(context: Context):
    """A marker in a live view resolves however long the conversation lasts."""
    host = HostSession(context)
    (hash_,) = marked_hashes(text_at(host.assemble(turns(1)), 2))
    host.settle()
    now = context.now_ms()
    context.now_ms = lambda: now + 400 * DAY_MS
    assert expire(context).sessions == 0
    assert retrieve(context.database, host.state.ref, hash_).text == text_at(turns(1), 2)


def test_expiry_goes_on_after_a_clock_that_was_ahead(context: Context):
    """A clock that jumps back by years does not stop expiry for as long."""
    now = context.now_ms()
    context.now_ms = lambda: now + 3650 * DAY_MS
    expire(context)
    host = HostSession(context)
    context.now_ms = lambda: now
    host.assemble(turns(1))
    host.assemble([])
    host.settle()
    context.now_ms = lambda: now + WEEK_MS + 2 * EXPIRY_EVERY_MS
    assert expire(context).sessions == 1
