"""Cross-session working memory in the real gateway."""

from __future__ import annotations

import json
import time
from itertools import product

import pytest

from tests.e2e.conftest import OpenRig
from tests.e2e.harness.background_runs import run_job, spawning
from tests.e2e.harness.host_config import HostOptions
from tests.e2e.harness.install_flowctx import install_flowctx
from tests.e2e.harness.model_request import Request
from tests.e2e.harness.prefix import unexpected_rewrites
from tests.e2e.harness.rig import Rig
from tests.e2e.network import watched_sockets
from tests.e2e.sidecar_process import query, sidecar_pid

_WAIT_S = 30.0
AGENTS = ("main", "work", "play")
KINDS = ("dm", "group", "webhook")
PEOPLE = ("ann", "bob", "eve")
# Runs without a user, and which kind's walls are theirs.
ALONE = ("cron", "subagent")
LIKE = {"cron": "webhook", "subagent": "dm"}
ASK = "What happened of late, please?"
ASK_TOOL = 'call: sliding_context_search {"query": "what was handled today"}'
Cell = tuple[str, str, str]
TOOL_LIST = ["sliding_context_search", "sliding_context_stats"]
TOOLS = set(TOOL_LIST)


@pytest.fixture(scope="module")
def rig(open_rig: OpenRig) -> Rig:
    """A gateway of its own: what other tests do is no news here. Three agents."""
    agents = {
        "ownership": "explicit",
        "defaults": {"systemAgent": {"agentId": "main"}},
        "entries": {name: {} for name in AGENTS} | {"work": {"tools": {"alsoAllow": TOOL_LIST}}},
    }
    return open_rig(HostOptions(config={"agents": agents}), install_flowctx())


def blocks(request: Request) -> list[str]:
    """The blocks of cards in a request, in order."""
    return [m.text for m in request.messages if m.text.startswith("<sliding-context ")]


def wait_for_card(rig: Rig, word: str, *, of: str = "%") -> None:
    """Cards are written behind the reply."""
    end = time.monotonic() + _WAIT_S
    while time.monotonic() < end:
        found = "SELECT 1 FROM cards WHERE terms LIKE ? AND session_key LIKE ?"
        if query(rig, found, f"%{word}%", of):
            return
        time.sleep(0.1)
    raise TimeoutError(f"no card holds {word}")


def requests_of(rig: Rig, key: str) -> list[Request]:
    """What the model got for a session."""
    return [request for request in rig.model.requests if request.session == key]


def test_a_job_and_a_conversation_know_what_just_happened_and_keep_it(rig: Rig) -> None:
    """A cron run and a DM of the same person hold the card of a turn, byte for byte the same."""
    rig.gateway.turn("Deploy the zebrafish service to staging", session="a")
    wait_for_card(rig, "zebrafish")
    run = run_job(rig.gateway, "Report on what was deployed to staging today")
    job = next(r for r in rig.model.requests if r.session == run.session.split(":run:")[0])
    assert "Deploy the zebrafish service" in blocks(job)[0]
    for number in range(7):
        rig.gateway.turn(f"What of staging, question {number} of today?", session="agent:main:main")
        rig.gateway.turn(f"Plan the picnic at lake number {number}", session="a")
    seen = requests_of(rig, "agent:main:main")
    assert len(seen) == 7
    first = blocks(seen[0])
    assert len(first) == 1 and "Deploy the zebrafish service" in first[0]
    assert all(blocks(request)[:1] == first for request in seen)
    assert seen[0].messages[1].text == seen[-1].messages[1].text == first[0]
    assert unexpected_rewrites(seen) == []


def test_no_canary_passes_a_wall(rig: Rig) -> None:
    """3 agents × 3 people × 3 kinds, a job and a sub-agent of each: nothing leaks into a prompt.

    Whoever speaks through the gateway's own connection is the owner, so each
    conversation is the owner's, and the owner has spoken in every room. The sessions
    of one agent ask by their tool, so what tools answer has the same walls.
    """
    cells = list(product(AGENTS, KINDS, PEOPLE))
    for cell in cells:
        rig.gateway.turn(task(cell), session=key(cell, 1), agent=cell[0])
        wait_for_card(rig, canary(cell))
    got = {cell: run_alone(rig, cell) for cell in product(AGENTS, ALONE, PEOPLE[:1])}
    for cell in cells:
        rig.gateway.turn(
            ASK_TOOL if cell[0] == "work" else ASK, session=key(cell, 2), agent=cell[0]
        )
        got[cell] = requests_of(rig, key(cell, 2))[-1].raw.decode()
    for target, text in got.items():
        seen = {cell for cell in got if canary(cell) in text}
        assert seen and seen <= {cell for cell in got if may_see(cell, target)}, target


def run_alone(rig: Rig, cell: Cell) -> str:
    """A run that no user sits at, with its canary; what the model got for it at first.

    Earlier tests of this gateway have run jobs, too: only the one with the canary counts.
    """
    agent, kind, _ = cell
    if kind == "cron":
        run_job(rig.gateway, task(cell), agent=agent)
    else:
        rig.gateway.turn(spawning(task(cell)), session=key((agent, "dm", "ann"), 1), agent=agent)
    # The conversation that starts a sub-agent is done before that is.
    wait_for_card(rig, canary(cell), of=f"agent:{agent}:{kind}:%")
    head = f"agent:{agent}:{kind}:"
    mine = [r.raw.decode() for r in rig.model.requests if (r.session or "").startswith(head)]
    return next(text for text in mine if canary(cell) in text)


def may_see(source: Cell, target: Cell) -> bool:
    """Rooms see themselves, a person what is theirs, hooks and jobs, and rooms; these no room."""
    (agent, kind, who), (other, seer, person) = source, target
    kind, seer = LIKE.get(kind, kind), LIKE.get(seer, seer)
    if agent != other:
        return False
    if kind == seer != "webhook":
        return who == person
    return seer == "dm" or (seer == "webhook" and kind != "group")


def task(cell: Cell) -> str:
    """What is asked in a cell."""
    return f"Please handle {canary(cell)} for me today"


def key(cell: Cell, number: int) -> str:
    """The key of one of two sessions of a kind."""
    agent, kind, who = cell
    rest = {"dm": f"telegram:direct:{who}", "group": f"telegram:group:r{who}", "webhook": "hook"}
    return f"agent:{agent}:{rest[kind]}:thread:{who}{number}"


def canary(cell: Cell) -> str:
    """A word that only this cell's card holds."""
    return "canary" + "".join(cell)


def test_the_commands_of_the_host_list_and_clear(rig: Rig) -> None:
    """`openclaw flowctx sliding …` and `openclaw sc …` are one."""
    rig.gateway.turn("Deploy the axolotl service to staging", session="cli")
    wait_for_card(rig, "axolotl")
    cli = rig.gateway.host.checked_cli
    mine = ("--session", "agent:main:explicit:cli")
    listed = json.loads(cli("flowctx", "sliding", "list", *mine, "--json"))
    assert [card["kind"] for card in listed] == ["dm"] and "axolotl" in listed[0]["text"]
    assert "axolotl" not in cli("sc", "list", "--agent", "work", "--json")
    assert json.loads(cli("sc", "clear", *mine, "--json"))["cards"] == 1
    assert json.loads(cli("sc", "stats", "--json"))["cards"] > 0
    assert json.loads(cli("sc", "list", *mine, "--json")) == []


def test_the_sidecar_opens_no_connection(rig: Rig) -> None:
    """With the default settings it has its own socket and nothing of the network, at any moment."""
    with watched_sockets(sidecar_pid(rig)) as seen:
        for number in range(3):
            rig.gateway.turn(f"Deploy the pangolin{number} service", session=f"net{number}")
            wait_for_card(rig, f"pangolin{number}")
    assert seen.looks > 50 and seen.addresses == set()


def test_the_tools_are_there_only_where_they_are_allowed(rig: Rig) -> None:
    """Off by default; named in the tool list they answer."""
    rig.gateway.turn("hello to you all", session="tools")
    assert not TOOLS & set(rig.requests("tools")[-1].tools)
    allow_tools(rig)
    rig.gateway.turn("Deploy the tarantula service to staging", session="b")
    wait_for_card(rig, "tarantula")
    asked = {"query": "tarantula"}
    rig.gateway.turn(f"call: sliding_context_search {json.dumps(asked)}", session="c")
    request = rig.requests("c")[-1]
    assert set(request.tools) >= TOOLS
    (result,) = request.new_tool_results
    assert "Deploy the tarantula service" in result.text
    rig.gateway.turn("call: sliding_context_stats {}", session="c")
    (result,) = rig.requests("c")[-1].new_tool_results
    assert json.loads(result.text)["window_hours"] == 48


def allow_tools(rig: Rig) -> None:
    """Name the tools in the host's list, and wait until its gateway has read that."""
    mark = rig.gateway.log.mark()
    rig.gateway.host.edit_config({"tools": {"alsoAllow": TOOL_LIST}})
    end = time.monotonic() + _WAIT_S
    while time.monotonic() < end:
        if any("tools.alsoAllow" in line.text for line in rig.gateway.log.since(mark)):
            return
        time.sleep(0.1)
    raise TimeoutError("the host did not read its configuration")
