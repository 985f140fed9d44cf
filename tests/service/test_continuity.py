"""The continuity log: what became of each session, a line per step, only ever appended to."""

from __future__ import annotations

import json
from dataclasses import replace

from flowctx.config import Settings
from flowctx.service.context import Context
from flowctx.service.events import record_event
from tests.support.host import HostSession, open_context
from tests.support.turns import turns


def lines(context: Context) -> list[dict]:
    context.database.write(lambda _: None).result()
    path = context.continuity.path
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_every_step_of_a_session_is_a_line(context: Context):
    """Views, turns and ends of a session are there in order, a turn told twice only once."""
    host = HostSession(context)
    host.assemble(turns(3))
    host.commit("turn-3", turns(3)[-4:])
    host.commit("turn-3", turns(3)[-4:])
    record_event(context, host.state, "reset")
    told = lines(context)
    assert [line["event"] for line in told] == ["assemble", "commit", "reset"]
    assert {line["session"] for line in told} == {"agent:main:main"}
    assert told[1]["messages"] == 4


def test_what_was_written_stays(tmp_path):
    """A restart goes on behind the lines that are there."""
    before = b""
    for n in range(1, 4):
        context = open_context(tmp_path)
        HostSession(context).assemble(turns(n))
        assert len(lines(context)) == n
        context.close()
        now = context.continuity.path.read_bytes()
        assert now.startswith(before)
        before = now


def test_it_can_be_turned_off(tmp_path):
    """With `sessionContinuity` off no file is begun."""
    context = open_context(tmp_path, replace(Settings(), session_continuity=False))
    HostSession(context).assemble(turns(2))
    assert lines(context) == []
    context.close()
