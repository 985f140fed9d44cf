"""Three agents, three peers, four kinds of session over the wire: no canary crosses a wall.

A canary stands in a message, a tool result, a pin, working memory, a note and a card of each.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import pytest

from flowctx.identity import resolve_session
from flowctx.message import hash_text
from flowctx.store.reader import StoreReader
from flowctx.v1 import flowctx_pb2 as pb
from tests.support.sidecar import SidecarProcess
from tests.support.transcripts import Body, assistant, call, result, user
from tests.support.wire import WireSession

AGENTS = ("main", "ops", "home")
PEERS = ("11", "22", "33")
KINDS = {
    "direct": "agent:{a}:telegram:direct:{p}",
    "group": "agent:{a}:telegram:group:{p}",
    "cron": "agent:{a}:cron:job{p}:run:{p}",
    "subagent": "agent:{a}:subagent:{p}",
}
CELLS = list(product(AGENTS, PEERS, KINDS))
START_MS = time.time_ns() // 1_000_000 - 3_600_000
_CANARY = re.compile(r"canary(\d\d)")


def key(cell: tuple[str, str, str]) -> str:
    agent, peer, kind = cell
    return KINDS[kind].format(a=agent, p=peer)


def ref(cell: tuple[str, str, str]) -> pb.SessionRef:
    agent, peer, kind = cell
    parent = key((agent, peer, "direct")) if kind == "subagent" else ""
    return pb.SessionRef(key=key(cell), id="1", agent=agent, parent_key=parent)


def number(cell: tuple[str, str, str]) -> str:
    return str(10 + CELLS.index(cell))


def allowed(cell: tuple[str, str, str]) -> set[str]:
    """Canaries of the same agent and person; what runs by itself is the owner's."""

    def whose(other: tuple[str, str, str]) -> tuple[str, str]:
        agent, peer, kind = other
        return agent, {"cron": "owner", "group": f"room {peer}"}.get(kind, peer)

    return {number(other) for other in CELLS if whose(other) == whose(cell)}


def output(cell: tuple[str, str, str]) -> str:
    lines = (f"{at:03d} worker {at % 5} wrote page {at * 7}" for at in range(400))
    return "\n".join([*lines, f"ERROR the result holds canary{number(cell)}"])


def history(cell: tuple[str, str, str]) -> list[Body]:
    """Six turns; the first holds the canaries, and words that make its card unlike any other."""
    own = " ".join(f"word{number(cell)}x{at}" for at in range(9))
    word, at = f"canary{number(cell)}", START_MS
    bodies = [
        user(f"Remember that the secret word is {word}, deploy it: {own}", timestamp=at),
        assistant(call("c0", command=f"deploy {word}"), timestamp=at + 1),
        result("c0", output(cell), timestamp=at + 2),
        assistant(f"Deployed {word} to staging.", timestamp=at + 3, stopReason="stop"),
    ]
    for turn in range(1, 6):
        bodies += [
            user(f"Go on with step {turn} of the plan, please", timestamp=at + turn * 10),
            assistant(f"Step {turn} is done.", timestamp=at + turn * 10 + 1, stopReason="stop"),
        ]
    return bodies


@dataclass(frozen=True, slots=True)
class World:
    """All sessions told, folded and pinned in one sidecar."""

    sidecar: SidecarProcess
    nodes: tuple[str, ...]
    pins: tuple[str, ...]


@pytest.fixture(scope="module")
def world(sidecar: SidecarProcess) -> Iterator[World]:
    settings = b'{"scratchpad": true, "sliding": {"windowHours": 8760}}'
    sidecar.stub.Hello(pb.HelloRequest(version="0.1.0", client="test", settings_json=settings))
    stub = sidecar.stub
    for cell in CELLS:
        session = WireSession(stub, key(cell))
        session.ref = ref(cell)
        # A card is written of the turns that are new.
        session.settled(history(cell)[:4])
        session.settled(history(cell))
        word = f"canary{number(cell)}"
        stub.Pins(
            pb.PinsRequest(session=ref(cell), action="pin", text=f"pin {word}", scope="agent")
        )
        stub.Scratchpad(pb.ScratchpadRequest(session=ref(cell), action="append", text=word))
        assert stub.Compact(pb.CompactRequest(session=ref(cell), target_tokens=1)).folded
    reader = StoreReader(sidecar.paths.database)
    nodes = reader.read(lambda c: [node for (node,) in c.execute("SELECT node FROM notes")])
    pins = reader.read(lambda c: [str(id_) for (id_,) in c.execute("SELECT id FROM pins")])
    assert len(nodes) >= len(CELLS) and len(pins) == len(CELLS)
    _wait_for_cards(reader)
    yield World(sidecar, tuple(nodes), tuple(pins))


def _wait_for_cards(reader: StoreReader) -> None:
    """Cards are written behind; each session has one that holds its word."""
    query = "SELECT count(DISTINCT session_id) FROM cards WHERE text LIKE '%canary%'"
    deadline = time.monotonic() + 60
    while (count := reader.read(lambda c: int(c.execute(query).get))) < len(CELLS):
        assert time.monotonic() < deadline, f"{count} of {len(CELLS)} sessions have a card"
        time.sleep(0.05)


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: "-".join(cell))
def test_each_gets_its_own_and_nothing_else(world: World, cell: tuple[str, str, str]):
    """Retrieve, search, nodes, pins and cards, with every argument that names another's."""
    answers = {
        "retrieve": _retrieved(world, cell),
        "node": _unfolded(world, cell),
        "search": _searched(world, cell),
        "pins": _pinned(world, cell),
        "cards": _cards(world, cell),
    }
    for way, told in answers.items():
        seen = set(_CANARY.findall(told))
        # Its own card is no news to a session.
        missing = {number(cell)} if way == "cards" else set()
        assert allowed(cell) - missing <= seen <= allowed(cell), way


def test_no_pin_of_another_was_removed(world: World):
    """After all that each session still holds its own."""
    left = StoreReader(world.sidecar.paths.database).read(
        lambda c: [str(id_) for (id_,) in c.execute("SELECT id FROM pins")]
    )
    assert set(left) >= set(world.pins)


def _retrieved(world: World, cell: tuple[str, str, str]) -> str:
    hashes = [hash_text(output(other)) for other in CELLS]
    asked = [*hashes, *(f"hash={hash_}" for hash_ in hashes[:3]), hashes[0].upper()]
    asked += [",".join(hashes[at : at + 10]) for at in range(0, len(hashes), 10)]
    said = []
    for hash_ in asked:
        for grep in ("", "canary"):
            request = pb.RetrieveRequest(
                session=ref(cell), hash=hash_, grep=grep, max_tokens=100_000
            )
            said.append(str(world.sidecar.stub.Retrieve(request)))
    return "\n".join(said)


def _unfolded(world: World, cell: tuple[str, str, str]) -> str:
    said = []
    for node, expand in product(world.nodes, (False, True)):
        request = pb.RetrieveNoteRequest(
            session=ref(cell), node=node, expand=expand, max_tokens=100_000
        )
        said.append(world.sidecar.stub.RetrieveNote(request).text)
    return "\n".join(said)


def _searched(world: World, cell: tuple[str, str, str]) -> str:
    queries = ["secret word session:all", "deploy role:card", "canary* OR secret session:*"]
    for other in CELLS:
        named = resolve_session(key(other))
        queries.append(f'canary{number(other)} session:"{key(other)}"')
        queries.append(f"canary{number(other)} session:all agent:{named.agent} person:{other[1]}")
    # The highlight is not part of the text.
    requests = (pb.SearchRequest(session=ref(cell), query=q, limit=25) for q in queries)
    return "\n".join(
        f"{told.text}{told.json.decode()}".replace("**", "")
        for told in map(world.sidecar.stub.Search, requests)
    )


def _pinned(world: World, cell: tuple[str, str, str]) -> str:
    stub = world.sidecar.stub
    mine = stub.Pins(pb.PinsRequest(session=ref(cell), action="list")).text
    own = re.findall(r"^\[(\d+)\]", mine, re.MULTILINE)
    others = sorted(set(world.pins) - set(own))
    asked = (pb.PinsRequest(session=ref(cell), action="unpin", id=id_) for id_ in others)
    said = [mine, *(stub.Pins(request).text for request in asked)]
    pad = pb.ScratchpadRequest(session=ref(cell), action="append", text="more")
    said.append(stub.Scratchpad(pad).text)
    return "\n".join(said)


def _cards(world: World, cell: tuple[str, str, str]) -> str:
    said = []
    for other in CELLS:
        query = f"canary{number(other)} secret word deploy"
        search = pb.CardSearch(session=ref(cell), query=query, limit=50)
        told = world.sidecar.stub.Sliding(pb.SlidingRequest(search=search))
        said.append(told.json.decode())
    return "\n".join(said)
