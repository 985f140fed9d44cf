"""Walls: who sees what, for every pair of sessions, person and agent."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from flowctx.config import Settings
from flowctx.service.sliding.look import count_visible, search_cards
from flowctx.service.sliding.recall import Query
from flowctx.service.state import SessionTable
from flowctx.sliding_settings import SlidingSettings
from tests.support.cards import block_of, live, turn
from tests.support.host import HostSession, open_context

AGENTS = ("main", "work", "play")
KINDS = ("dm", "group", "cron", "webhook", "sub-agent")
PEOPLE = ("ann", "bob", "eve")
OWNER = "ann"
CELLS = list(product(AGENTS, KINDS, PEOPLE))
Cell = tuple[str, str, str]


@pytest.fixture
def context(tmp_path):
    made = open_context(tmp_path)
    yield made
    made.close()


def open_session(context, table: SessionTable, cell: Cell, number: int) -> HostSession:
    """A session of a kind; each person has a room, a cron job and a hook of their own name."""
    agent, kind, who = cell
    direct = f"agent:{agent}:telegram:direct:{who}"
    key = {
        "dm": f"{direct}:thread:{number}",
        "group": f"agent:{agent}:telegram:group:room-{who}:thread:{number}",
        "cron": f"agent:{agent}:cron:job-{who}:run:{number}",
        "webhook": f"agent:{agent}:hook:{who}:{number}",
        "sub-agent": f"agent:{agent}:subagent:{who}-{number}",
    }[kind]
    return HostSession(context, key, table, direct if kind == "sub-agent" else "")


def holder(cell: Cell) -> str:
    """Whose words a session carries: crons and hooks are the owner's, whatever their name."""
    _, kind, who = cell
    if kind == "group":
        return f"room of {who}"
    return OWNER if kind in ("cron", "webhook") else who


def may_see(source: Cell, target: Cell) -> bool:
    """The default matrix, written down once more."""
    if source[0] != target[0]:
        return False
    member = source[1] == "group" and target[1] in ("dm", "sub-agent") and source[2] == target[2]
    return member or holder(source) == holder(target)


def canary(cell: Cell) -> str:
    """A word that only this session's card holds."""
    return "canary" + "".join(cell).replace("-", "")


def test_no_canary_passes_a_wall(context):
    """3 agents × 3 people × 5 kinds: each sees exactly what the matrix gives it, in both ways."""
    wide = SlidingSettings(recent_count=50, max_inject_entries=50, max_inject_tokens=20_000)
    context.settings = Settings(sliding=wide, recall_token_budget=20_000)
    table, now = SessionTable(), context.now_ms()
    for number, cell in enumerate(CELLS):
        asked = f"{canary(cell)} " + " ".join(f"word{number}x{n}" for n in range(9))
        facts = {"senderId": cell[2], "senderIsOwner": cell[2] == OWNER}
        bodies = turn(asked, f"Done with number{number}.", now - 90_000 + number, **facts)
        live(open_session(context, table, cell, 1), bodies)
    for target in CELLS:
        session = open_session(context, table, target, 2)
        session.prompt = "word1x1 and what else happened?"
        block = block_of(session.assemble([]))
        expected = {cell for cell in CELLS if may_see(cell, target)}
        assert {cell for cell in CELLS if canary(cell) in block} == expected, target
        for cell in CELLS:
            query = Query(session.state.ref, 0, canary(cell), context.now_ms())
            found = search_cards(context.database, query, 20, context.settings)["cards"]
            assert (canary(cell) in str(found)) is (cell in expected), (cell, target)


def see(context, key: str, prompt: str = "What about the canary secret?", **state) -> str:
    """What a fresh session is shown."""
    session = HostSession(context, key)
    for name, value in state.items():
        setattr(session.state, name, value)
    session.prompt = prompt
    return block_of(session.assemble([]))


def leave(context, key: str, **facts) -> None:
    """One card in a session of the past hour."""
    at = context.now_ms() - 600_000
    live(
        HostSession(context, key),
        turn(
            "Keep the canary secret for the board and do tell nobody else about it at all ever",
            "The long hidden detail is kept.",
            at,
            **facts,
        ),
    )


def test_a_member_sees_titles_of_a_group_and_others_nothing(context):
    """A group's card shows a member its title only, and a stranger not even that."""
    leave(context, "agent:main:telegram:group:g1", senderId="Bob")
    seen = see(context, "agent:main:telegram:direct:bob")
    assert (
        "Keep the canary secret" in seen
        and "hidden detail" not in seen
        and "at all ever" not in seen
    )
    assert see(context, "agent:main:telegram:direct:eve") == ""
    assert see(context, "agent:main:discord:direct:bob") == ""


def test_a_conversation_never_reaches_a_group_even_of_a_member(context):
    """DM → group is shut by default, and opens only by its setting."""
    leave(context, "agent:main:telegram:direct:bob")
    live(
        HostSession(context, "agent:main:telegram:group:g1"),
        turn(
            "Hello to all of you in this group",
            "Hello, good to see you all here!",
            1,
            senderId="bob",
        ),
    )
    assert "canary" not in see(context, "agent:main:telegram:group:g1:thread:9")
    context.settings = Settings(sliding=SlidingSettings(dm_to_group="titles"))
    assert "canary" in see(context, "agent:main:telegram:group:g1:thread:9")


@pytest.mark.parametrize("source", ["cron:daily:run:1", "hook:github"])
def test_the_owner_sees_what_ran_by_itself(context, source):
    """Cron and webhook cards reach the owner's conversations, by main key or by sender."""
    leave(context, f"agent:main:{source}")
    assert "hidden detail" in see(context, "agent:main:main")
    assert see(context, "agent:main:telegram:direct:7") == ""
    live(
        HostSession(context, "agent:main:telegram:direct:7"),
        turn("Hello it is me, your owner", "Hello, good to see you again!", 1, senderIsOwner=True),
    )
    assert "hidden detail" in see(context, "agent:main:telegram:direct:7:thread:1")


def test_a_sandboxed_session_sees_nothing(context):
    """What runs walled off is told nothing, by block or by tool."""
    leave(context, "agent:main:main")
    assert see(context, "agent:main:cron:x:run:1", is_sandboxed=True) == ""
    assert "canary" in see(context, "agent:main:cron:x:run:2")
    ref = replace(HostSession(context, "agent:main:cron:x:run:2").state.ref, is_sandboxed=True)
    query = Query(ref, 0, "canary", context.now_ms())
    assert search_cards(context.database, query, 8, context.settings)["cards"] == []
    assert count_visible(context.database, query, context.settings)["cards"] == 0


@pytest.mark.parametrize("glob", ["agent:main:main", "agent:main:cron:*"])
def test_skipped_sessions_neither_give_nor_get(context, glob):
    """A glob on the source hides cards that were written before; one on the target shuts it off."""
    leave(context, "agent:main:main")
    context.settings = Settings(sliding=SlidingSettings(skip_sessions=(glob,)))
    assert see(context, "agent:main:cron:x:run:1") == ""
    assert ("canary" in see(context, "agent:main:hook:x")) is (glob != "agent:main:main")


@pytest.mark.parametrize(
    "settings",
    [Settings(session_continuity=False), Settings(sliding=SlidingSettings(enabled=False))],
)
def test_switched_off_nothing_is_shown(context, settings):
    """Both switches end it."""
    leave(context, "agent:main:main")
    context.settings = settings
    assert see(context, "agent:main:cron:x:run:1") == ""
