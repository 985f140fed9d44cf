"""Three agents, three peers, four kinds of session: canaries never cross a wall."""

from __future__ import annotations

import re
from itertools import product

import pytest

from flowctx.errors import FlowctxError
from flowctx.excerpt.parts import Part
from flowctx.identity import SessionRef, resolve_session
from flowctx.message import hash_text
from flowctx.service.context import Context
from flowctx.service.recall.parts import retrieve_parts
from flowctx.service.recall.pins import list_pins, pin, pins_answer
from flowctx.service.search.answer import answer_search, search_answer
from flowctx.service.state import SessionTable
from tests.support.host import HostSession, open_context
from tests.support.transcripts import assistant, user

AGENTS = ("main", "ops", "home")
PEERS = ("11", "22", "33")
PARENTS = {
    f"agent:{a}:subagent:{p}": f"agent:{a}:telegram:direct:{p}" for a in AGENTS for p in PEERS
}
KEYS = [
    key
    for agent, peer in product(AGENTS, PEERS)
    for key in (
        f"agent:{agent}:telegram:direct:{peer}",
        f"agent:{agent}:telegram:group:{peer}",
        f"agent:{agent}:cron:job{peer}:run:{peer}",
        f"agent:{agent}:subagent:{peer}",
    )
]
CANARY = re.compile(r"canary-\d{2}\b")


def ref_of(key: str) -> SessionRef:
    return resolve_session(key, parent_key=PARENTS.get(key, ""))


def canary(key: str) -> str:
    return f"canary-{10 + KEYS.index(key)}"


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """Thirty-six sessions, each with a canary in its messages and one in a pin."""
    context = open_context(tmp_path_factory.mktemp("walls"))
    table = SessionTable()
    for number, key in enumerate(KEYS):
        host = HostSession(context, key, table)
        host.state = table.open(ref_of(key))
        text = f"the secret of this place is {canary(key)} and nothing else"
        host.assemble([user(text, timestamp=1 + number), assistant("ok", timestamp=2 + number)])
        host.assemble([
            user(text, timestamp=1 + number), assistant("ok", timestamp=2 + number),
            user("next", timestamp=3 + number),
        ])  # fmt: skip
        pin(context, host.state, f"pinned {canary(key)}", "agent")
        host.settle()
    context.index.drain(context.settings)
    yield context, table
    context.close()


def allowed(key: str) -> set[str]:
    """Canaries of the same agent and person."""
    mine = ref_of(key)
    others = (other for other in KEYS if ref_of(other).agent == mine.agent)
    return {canary(other) for other in others if ref_of(other).person == mine.person}


@pytest.mark.parametrize("key", KEYS)
def test_nothing_crosses(world: tuple[Context, SessionTable], key: str):
    """Search, retrieve and pins give each session what is its agent's and person's alone."""
    context, table = world
    queries = ("secret place", "canary session:all")
    asked = (*queries, *(f'"{canary(other)}" session:all' for other in KEYS))
    said = [
        search_answer(answer_search(context, ref_of(key), query, 25), query).replace("**", "")
        for query in asked
    ]
    said.append(pins_answer(list_pins(context, table.open(ref_of(key)))))
    for other in KEYS:
        hash_ = hash_text(f"the secret of this place is {canary(other)} and nothing else")
        try:
            said.append(retrieve_parts(context.database, ref_of(key), hash_, Part()).text)
        except FlowctxError:
            continue
    seen = set(CANARY.findall("\n".join(said)))
    assert canary(key) in seen
    assert seen <= allowed(key)
