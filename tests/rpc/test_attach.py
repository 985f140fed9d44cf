"""The stream of a gateway: pings, messages told ahead, floods, and streams left open."""

from __future__ import annotations

import queue
from typing import Any

import psutil
import pytest

from flowctx.identity import resolve_session
from flowctx.message import parse_message
from flowctx.v1 import flowctx_pb2 as pb
from tests.rpc.conftest import Start
from tests.support.sidecar import PATIENCE_S, SidecarProcess, attached, stored_rows
from tests.support.state import run
from tests.support.transcripts import dump, user
from tests.support.turns import turns
from tests.support.wire import WireSession


class Stream:
    """An open stream; frames go out as they are given, answers are taken one by one."""

    def __init__(self, sidecar: SidecarProcess) -> None:
        self._out: queue.SimpleQueue[pb.ShimFrame | None] = queue.SimpleQueue()
        self.answers: Any = sidecar.stub.Attach(iter(self._out.get, None), timeout=PATIENCE_S)

    def send(self, *frames: pb.ShimFrame) -> None:
        for frame in frames:
            self._out.put(frame)

    def ping(self, seq: int) -> int:
        """Wait for the answer; what was sent before may still be worked off."""
        self.send(pb.ShimFrame(ping=pb.Ping(seq=seq)))
        return next(frame.pong.seq for frame in self.answers if frame.HasField("pong"))

    def end(self) -> list[pb.SidecarFrame]:
        self._out.put(None)
        return list(self.answers)


@pytest.mark.skipif(not hasattr(psutil, "RLIMIT_FSIZE"), reason="limits of a process are Linux's")
def test_a_store_that_gets_into_trouble_is_told_once(start: Start) -> None:
    """The gateway's log says that nothing is stored any more, why, and when it is over."""
    sidecar = start()
    process, stream = psutil.Process(sidecar.process.pid), Stream(sidecar)
    host = WireSession(sidecar.stub)
    for size, state in ((1, "read-only: "), (psutil.RLIM_INFINITY, "ok")):
        process.rlimit(psutil.RLIMIT_FSIZE, (size, psutil.RLIM_INFINITY))
        stream.send(*(host.observe_frame(body) for body in turns(2)))
        notices = (frame.notice for frame in stream.answers if frame.HasField("notice"))
        told = next(notice.text for notice in notices if notice.kind == "trouble")
        assert told.startswith(f"store {state}")
    stream.end()


def test_status_tells_a_gateway_that_is_there_from_one_that_left(sidecar: SidecarProcess) -> None:
    """A sidecar outlives its gateway: that it answers says nothing of who uses it."""
    hello = pb.HelloRequest(version="1", client="gateway", host_version="2026.9.6")
    sidecar.stub.Hello(hello, timeout=PATIENCE_S)
    missing = "No gateway is connected to the sidecar"
    with attached(sidecar.paths):
        said = run(sidecar.paths.host_state, "status").stdout
        assert missing not in said and "Node unknown, connected" in said
    said = run(sidecar.paths.host_state, "status").stdout
    assert missing in said and "last connected" in said


def digests(bodies: list[dict[str, Any]]) -> list[bytes]:
    return [parse_message(dump(body)).message.digest for body in bodies]


def test_pings_come_back_in_order_and_the_stream_ends_when_it_is_ended(
    sidecar: SidecarProcess,
) -> None:
    """Each ping has its own answer; a gateway that ends its side gets the end of the other."""
    stream = Stream(sidecar)
    assert [stream.ping(seq) for seq in (1, 2, 2**63)] == [1, 2, 2**63]
    assert stream.end() == []


def test_messages_told_ahead_are_stored_in_their_order(sidecar: SidecarProcess) -> None:
    """What the stream brought before the view is claimed by the view, nothing twice."""
    host = WireSession(sidecar.stub, "agent:main:explicit:ahead")
    history = turns(4)
    stream = Stream(sidecar)
    stream.send(*(host.observe_frame(body) for body in history))
    stream.end()
    stored = stored_rows(sidecar.paths, host.ref.key)
    assert stored == digests(history)
    assert len(host.assemble(history)) == 16
    assert stored_rows(sidecar.paths, host.ref.key) == stored


def test_a_flood_is_taken_in_whole_while_views_go_on(sidecar: SidecarProcess) -> None:
    """Thousands of messages told at once are all stored, and another session is not kept back."""
    flood = WireSession(sidecar.stub, "agent:main:explicit:flood")
    other = WireSession(sidecar.stub, "agent:main:explicit:calm")
    bodies = [user(f"note {n}", timestamp=n) for n in range(3_000)]
    stream = Stream(sidecar)
    stream.send(*(flood.observe_frame(body) for body in bodies))
    views = [len(other.assemble(turns(count))) for count in range(1, 6)]
    assert views == [4, 8, 12, 16, 20]
    assert stream.ping(7) == 7
    stream.end()
    assert stored_rows(sidecar.paths, flood.ref.key) == digests(bodies)


def test_frames_that_mean_nothing_do_not_end_the_stream(sidecar: SidecarProcess) -> None:
    """Empty frames, garbage bodies and events of unknown kinds are passed over."""
    ref = pb.SessionRef(key="agent:main:explicit:odd")
    stream = Stream(sidecar)
    stream.send(
        pb.ShimFrame(),
        pb.ShimFrame(observe=pb.Observe()),
        pb.ShimFrame(observe=pb.Observe(session=ref, body=b"\xff{")),
        pb.ShimFrame(event=pb.SessionEvent(session=ref, kind="\0" * 999)),
        pb.ShimFrame(event=pb.SessionEvent()),
        pb.ShimFrame(outcome=pb.Outcome(session=ref, time_ms=-(2**63), waited_ms=2**32 - 1)),
    )
    assert stream.ping(3) == 3
    stream.end()


def test_streams_that_are_torn_off_do_not_hold_a_notice_back(sidecar: SidecarProcess) -> None:
    """Gateways that vanished are forgotten; the one that is there is told of a round."""
    torn = [Stream(sidecar) for _ in range(20)]
    for each in torn:
        each.ping(1)
        each.answers.cancel()
    stream = Stream(sidecar)
    stream.ping(1)
    host = WireSession(sidecar.stub, "agent:main:explicit:told")
    host.assemble(turns(6))
    host.assemble(turns(6), tools=frozenset())
    told = (f.notice for f in stream.answers if f.HasField("notice"))
    assert next(each.kind for each in told if "tools" in each.text) == "trigger"
    stream.end()


def test_a_stream_that_reads_nothing_costs_the_others_nothing(sidecar: SidecarProcess) -> None:
    """A gateway that takes no answers has its own dropped beyond a bound."""
    deaf = Stream(sidecar)
    deaf.send(*(pb.ShimFrame(ping=pb.Ping(seq=seq)) for seq in range(5_000)))
    assert Stream(sidecar).ping(1) == 1
    deaf.answers.cancel()
    assert len(WireSession(sidecar.stub, "agent:main:explicit:deaf").assemble(turns(1))) == 4


def test_a_session_speaks_for_its_parent_over_the_wire(sidecar: SidecarProcess) -> None:
    """What a sub-agent stored is its parent's to have back, and nobody else's."""
    child = WireSession(sidecar.stub, "agent:main:subagent:7")
    child.ref.parent_key = "agent:main:chat:direct:ann"
    child.assemble(turns(6))
    child.assemble(turns(7))
    view = child.settled(turns(7))
    hash_ = str(view[2]["content"][0]["text"]).split("hash=")[1][:24]
    parent = WireSession(sidecar.stub, "agent:main:chat:direct:ann")
    stranger = WireSession(sidecar.stub, "agent:main:chat:direct:bob")
    assert parent.retrieve(hash_).HasField("original")
    assert stranger.retrieve(hash_).missing.reason == "not-yours"
    assert resolve_session(stranger.ref.key).person != resolve_session(parent.ref.key).person
