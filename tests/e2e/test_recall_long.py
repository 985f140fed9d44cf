"""Getting it back after sixty turns, rounds, ten thousand originals, a restart and a month."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from flowctx.message import hash_text
from flowctx.v1 import flowctx_pb2 as pb
from flowctx.v1.flowctx_pb2_grpc import FlowctxStub
from tests.e2e.aging import restart_after_days
from tests.e2e.conditions import let_downs
from tests.e2e.conftest import OpenRig
from tests.e2e.harness.background_runs import run_job, spawning
from tests.e2e.harness.gateway import session_key
from tests.e2e.harness.host_config import HostOptions
from tests.e2e.harness.install_flowctx import install_flowctx
from tests.e2e.harness.model_reply import Reply, ToolCall
from tests.e2e.harness.model_request import Request
from tests.e2e.harness.prefix import unexpected_rewrites
from tests.e2e.harness.rig import Rig
from tests.e2e.harness.scenario import marked_hashes, scripted_agent
from tests.e2e.harness.transcript import kept_results
from tests.e2e.sidecar_process import paths, query
from tests.support.sidecar import connected
from tests.support.transcripts import Body, assistant, call, result, user
from tests.support.wire import WireSession

# Two minutes of processor time; beside other work it takes longer.
pytestmark = pytest.mark.timeout(900)

TURNS, ROUNDS, DAYS = 60, 2, 30
SESSIONS, EACH = 10, 1_000
LONG = session_key("long")
FACT = "the deploy code is heliotrope-7731 for the reef cluster"
PLANT = f"run: seq 1000 1039; echo {FACT}; seq 2000 2039"
QUESTION = "What was the deploy code of the reef? role:tool"


@dataclass(frozen=True, slots=True)
class Lived:
    """A gateway after all that, and what went over its wires.

    Attributes:
        before: requests up to the restart.
        sought: request numbers of the turn that searched, and of the one after it.
        results: texts of all tool results in the transcript.
    """

    rig: Rig
    stub: FlowctxStub
    before: tuple[Request, ...]
    sought: tuple[int, int]
    results: tuple[str, ...]

    @property
    def last(self) -> Request:
        return self.rig.requests("long")[-1]

    def retrieve(self, hash_: str, **part: str) -> str:
        """What the service gives the session: the whole original, or an excerpt."""
        request = pb.RetrieveRequest(
            session=pb.SessionRef(key=LONG, id="1"), hash=hash_, max_tokens=100_000, **part
        )
        told = self.stub.Retrieve(request)
        if told.WhichOneof("answer") == "original":
            return told.original.text.decode()
        return told.excerpt.text or told.missing.message


@pytest.fixture(scope="module")
def lived(open_rig: OpenRig) -> Lived:
    """Sixty turns and what follows, once for all tests."""
    settings = {"projectionThreshold": 200, "sliding": {"enabled": False}}
    options = HostOptions(context_window=40_000, max_output=2048)
    rig = open_rig(options, install_flowctx(settings=settings))
    rig.model.set_script(LONG, seeking_agent)
    rig.gateway.turn("run: bin/journalctl -n 0 --kb 19", session="long")
    rig.gateway.turn(PLANT, session="long")
    fill_store(connected(paths(rig)))
    for number in range(2, TURNS - 1):
        tool = f"run: bin/journalctl -n {number} --kb {19 + number % 4}"
        rig.gateway.turn("and?" if number % 2 else tool, session="long")
    start = len(rig.requests("long"))
    rig.gateway.turn(f"seek: {QUESTION}", session="long")
    after = len(rig.requests("long"))
    rig.gateway.turn("thanks", session="long")
    before = tuple(rig.requests("long"))
    restart_after_days(rig, DAYS)
    rig.gateway.turn("good morning", session="long")
    results = tuple(kept.text for kept in kept_results(rig.gateway.transcript("long")))
    return Lived(rig, connected(paths(rig)), before, (start, after), results)


def seeking_agent(request: Request) -> Reply:
    """Searches, retrieves three lines of the first hit, and says what it found."""
    if not request.user_text.startswith("seek: "):
        return scripted_agent(request)
    told = [result.text for result in request.new_tool_results]
    if not told:
        arguments = {"query": request.user_text.removeprefix("seek: ")}
        return Reply(calls=(ToolCall(f"call_{request.number}_0", "flowctx_search", arguments),))
    if len(told) == 1:
        hash_ = re.findall(r"hash=([0-9a-f]{24})", told[0])[0]
        asked = {"hash": hash_, "lines": "40-42"}
        return Reply(calls=(ToolCall(f"call_{request.number}_0", "flowctx_retrieve", asked),))
    return Reply(f"done: {told[1]}")


def fill_store(stub: FlowctxStub) -> None:
    """Ten thousand originals in other sessions of the same person, through the service."""
    for number in range(SESSIONS):
        session = WireSession(stub, f"agent:main:explicit:bulk{number}")
        session.settled([*bulk(number), user("and now?", timestamp=2)])


def bulk(number: int) -> Iterable[Body]:
    """A turn with a thousand results."""
    yield user("look at all of them", timestamp=1)
    for each in range(EACH):
        id_ = f"c{number * EACH + each}"
        yield assistant(call(id_, command=f"tail {id_}"), timestamp=1)
        yield result(id_, bulk_text(number * EACH + each), timestamp=1)
    yield assistant("seen", timestamp=1, stopReason="stop")


def bulk_text(number: int) -> str:
    lines = (f"worker {at % 5} INFO request {number}.{at} done in {at * 7} ms" for at in range(24))
    return "\n".join(lines)


def test_there_were_rounds_and_ten_thousand_originals(lived: Lived) -> None:
    """The conditions under which all else here holds."""
    events = query(
        lived.rig,
        "SELECT l.data FROM ledger l JOIN sessions s ON s.id = l.session_id"
        " WHERE l.event = 'assemble' AND s.key = ?",
        LONG,
    )
    told = [json.loads(str(data)) for (data,) in events]
    assert sum(bool(each["round"]) and each["folded"] > 0 for each in told) >= ROUNDS
    ((count,),) = query(lived.rig, "SELECT count(*) FROM originals")
    assert int(str(count)) > SESSIONS * EACH
    assert all(
        lived.retrieve(hash_text(text)) == text for text in map(bulk_text, range(0, 9_999, 97))
    )


def test_every_marker_of_the_last_request_resolves_byte_for_byte(lived: Lived) -> None:
    """What was kept in sight a month ago leads to the transcript's own text."""
    hashes = marked_hashes(lived.last)
    assert len(hashes) >= 2
    assert [hash_ for hash_ in hashes if lived.retrieve(hash_) not in lived.results] == []
    said = "\n".join(message.text for message in lived.last.messages)
    nodes = set(re.findall(r"node=\"?([0-9a-f]{16})", said))
    assert nodes
    for node in nodes:
        asked = pb.RetrieveNoteRequest(session=pb.SessionRef(key=LONG), node=node, expand=True)
        assert "bin/journalctl" in lived.stub.RetrieveNote(asked).text


def test_ranges_and_matches_agree_with_each_original(lived: Lived) -> None:
    """Numbered lines are those of the text, matches all that it has."""
    for hash_ in marked_hashes(lived.last):
        lines = lived.retrieve(hash_).split("\n")
        part = lived.retrieve(hash_, lines="3-5").split("\n")[1:4]
        assert part == [f"{n}:{lines[n - 1]}" for n in (3, 4, 5)]
        word = max(re.findall(r"[A-Za-z]{4,}", lines[len(lines) // 2]) or ["a"], key=len)
        found = lived.retrieve(hash_, grep=word).split("\n")[1:]
        wanted = [f"{n}:{line}" for n, line in enumerate(lines, 1) if word in line]
        assert [row for row in found if row != "--"] == wanted


def test_a_marker_is_followed_by_the_model_itself(lived: Lived) -> None:
    """After the restart the tool in the gateway gives the same text."""
    hash_ = marked_hashes(lived.last)[0]
    asked = {"hash": hash_, "maxTokens": 100_000}
    lived.rig.gateway.turn(f"call: flowctx_retrieve {json.dumps(asked)}", session="long")
    (told,) = lived.last.new_tool_results
    assert told.text in lived.results


def test_a_fact_of_the_second_turn_is_found_in_the_sixtieth(lived: Lived) -> None:
    """Search gives a hash, retrieve three lines, and the next turn's prefix is whole."""
    start, after = lived.sought
    search, lines = lived.before[after - 1].new_tool_results
    assert FACT in search.text.replace("**", "")
    assert lines.text.split("\n")[1:4] == ["40:1039", f"41:{FACT}", "42:2000"]
    assert unexpected_rewrites(lived.before[start - 1 :]) == []


def test_a_scheduled_job_and_a_subagent_stay_behind_their_walls(lived: Lived) -> None:
    """The owner's job finds the owner's words and no peer's; a peer's subagent only the peer's."""
    peer = "agent:main:telegram:direct:77"
    lived.rig.gateway.turn("Remember that the peer canary is nautilus-77.", session=peer)
    asked = {"query": "deploy code reef peer canary nautilus session:all"}
    search = f"call: flowctx_search {json.dumps(asked)}"
    job = run_job(lived.rig.gateway, search)
    told = answers(lived.rig, job.session.split(":run:")[0])
    assert "heliotrope" in told and "nautilus" not in told
    lived.rig.gateway.turn(spawning(search), session=peer)
    child = lived.rig.model.wait_for(
        lambda request: ":subagent:" in (request.session or "") and bool(request.new_tool_results),
        timeout_s=60,
    )
    told = answers(lived.rig, str(child.session))
    assert "heliotrope" not in told and "nautilus" in told


def answers(rig: Rig, key: str) -> str:
    """What tools answered in a session."""
    requests = [request for request in rig.model.requests if request.session == key]
    return "\n".join(r.text.replace("**", "") for q in requests for r in q.new_tool_results)


def test_nobody_complained(lived: Lived) -> None:
    """The host let no turn down, and a strict provider took every request."""
    assert let_downs(lived.rig) == []
    assert lived.rig.model.violations == () and lived.rig.model.script_errors == ()
