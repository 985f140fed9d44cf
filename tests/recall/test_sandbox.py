"""A sandboxed run shares nothing with other sessions, and a private one leaves nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flowctx.config import Settings
from flowctx.errors import InvalidRequestError, OriginalNotFoundError
from flowctx.identity import SessionRef, resolve_session
from flowctx.service.context import Context
from flowctx.service.notes.compact import compact
from flowctx.service.notes.retrieve import NodeRequest, retrieve_node
from flowctx.service.recall.pins import list_pins, pin, unpin
from flowctx.service.recall.scratchpad import edit_scratchpad
from flowctx.service.retrieve import retrieve
from flowctx.service.search.answer import answer_search, search_answer
from flowctx.service.state import SessionTable
from tests.recall.test_pins import blocks, turns
from tests.support.host import HostSession, open_context
from tests.support.transcripts import Body

MAIN, CRON = "agent:main:main", "agent:main:cron:nightly:run:1"
SANDBOXED = replace(resolve_session(CRON), is_sandboxed=True)


@pytest.fixture
def context(tmp_path):
    made = open_context(tmp_path, Settings(scratchpad=True))
    yield made
    made.close()


def open_session(context: Context, ref: SessionRef) -> HostSession:
    session = HostSession(context, ref.key)
    session.state = SessionTable().open(ref)
    return session


def told(context: Context, ref: SessionRef, bodies: list[Body]) -> HostSession:
    session = open_session(context, ref)
    session.assemble(bodies)
    session.settle()
    context.index.drain(context.settings)
    return session


def said(context: Context, ref: SessionRef, query: str) -> str:
    found = answer_search(context, ref, query, 25)
    return search_answer(found, query).replace("**", "")


def test_a_sandboxed_run_finds_and_retrieves_what_is_its_own_alone(context: Context):
    """The owner's words are out of its reach, by words, hash or node; its own are not."""
    owner = told(context, resolve_session(MAIN), turns(*range(8)))
    told(context, SANDBOXED, turns(50, 51))
    for query in ("run session:all", "run", "done session:main", "run role:card"):
        assert "run 5" not in said(context, SANDBOXED, query).replace("run 50", "")
    assert "run 50" in said(context, SANDBOXED, "run 50 session:all")
    (theirs, *_) = answer_search(context, resolve_session(MAIN), '"of run 3"', 5).hits
    with pytest.raises(OriginalNotFoundError) as refused:
        retrieve(context.database, SANDBOXED, theirs.hash)
    assert refused.value.reason == "not-yours"
    (own, *_) = answer_search(context, SANDBOXED, '"of run 50"', 5).hits
    assert "of run 50" in retrieve(context.database, SANDBOXED, own.hash).text
    compact(context, owner.state, 1, "")
    (node,) = context.database.read(
        lambda c: c.execute("SELECT node FROM notes LIMIT 1").fetchone()
    )
    for expand in (False, True):
        answer = retrieve_node(context.database, SANDBOXED, NodeRequest(node, expand=expand))
        assert "belongs to another" in answer


def test_pins_pass_into_no_sandbox_and_out_of_none(context: Context):
    """Rules of the agent are not shown in one, and none is set or removed from within."""
    owner = open_session(context, resolve_session(MAIN))
    mine = pin(context, owner.state, "everywhere", "agent").pins[0]
    boxed = open_session(context, SANDBOXED)
    with pytest.raises(InvalidRequestError, match="sandbox"):
        pin(context, boxed.state, "obey me", "agent")
    with pytest.raises(InvalidRequestError):
        unpin(context, boxed.state, str(mine.id))
    pin(context, boxed.state, "only here", "session")
    assert [each.text for each in list_pins(context, boxed.state).pins] == ["only here"]
    shown = blocks(boxed.assemble(turns(1)), "pins")
    assert "only here" in shown[-1] and "everywhere" not in shown[-1]
    assert "everywhere" in blocks(owner.assemble(turns(1)), "pins")[-1]


def test_a_private_session_keeps_nothing(context: Context):
    """Neither a pin nor a note is stored where no trace was promised."""
    private = open_session(context, resolve_session("agent:main:dashboard:incognito-1"))
    with pytest.raises(InvalidRequestError, match="no trace"):
        pin(context, private.state, "a secret", "agent")
    with pytest.raises(InvalidRequestError, match="no trace"):
        edit_scratchpad(context, private.state, "append", "a secret")
    rows = context.database.read(lambda c: c.execute("SELECT count(*) FROM sessions").get)
    assert rows == 0


def test_nobody_finds_or_retrieves_what_is_a_sandboxed_runs(context: Context):
    """The wall stands in both directions, also for what the session held before."""
    sandboxed = told(context, resolve_session(CRON), turns(*range(50, 58)))
    told(context, SANDBOXED, turns(*range(50, 58)))
    told(context, resolve_session(MAIN), turns(1, 2))
    for query in ("run session:all", "run 53", "done session:cron", "tool:exec"):
        assert "run 5" not in said(context, resolve_session(MAIN), query)
    (own, *_) = answer_search(context, SANDBOXED, '"of run 53"', 5).hits
    with pytest.raises(OriginalNotFoundError) as refused:
        retrieve(context.database, resolve_session(MAIN), own.hash)
    assert refused.value.reason == "not-yours"
    compact(context, sandboxed.state, 1, "")
    (node,) = context.database.read(
        lambda c: c.execute("SELECT node FROM notes LIMIT 1").fetchone()
    )
    answer = retrieve_node(context.database, resolve_session(MAIN), NodeRequest(node))
    assert "belongs to another" in answer
