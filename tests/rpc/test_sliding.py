"""Cards over the wire: left by one session, shown to another, searched, cleared."""

from __future__ import annotations

import json
import time

import grpc
import pytest

from flowctx.v1 import flowctx_pb2 as pb
from tests.support.cards import turn
from tests.support.sidecar import PATIENCE_S, SidecarProcess
from tests.support.transcripts import dump

MAIN, CRON = "agent:main:explicit:wire", "agent:main:cron:job:run:1"


def asked(sidecar: SidecarProcess, **ask: object) -> dict:
    """The document of one request about cards."""
    request = pb.SlidingRequest(**ask)
    return json.loads(sidecar.stub.Sliding(request, timeout=PATIENCE_S).json)


def first_view(sidecar: SidecarProcess, key: str, *, sandboxed: bool = False) -> str:
    """What is put into the first view of a session."""
    session = pb.SessionRef(key=key, sandboxed=sandboxed)
    request = pb.AssembleRequest(session=session, prompt="What of the okapi?")
    view = sidecar.stub.Assemble(request, timeout=PATIENCE_S).view
    return "".join(op.insert.json.decode() for op in view.ops)


def search(key: str, **session: object) -> pb.CardSearch:
    return pb.CardSearch(session=pb.SessionRef(key=key, **session), query="okapi")


def test_a_card_goes_all_the_way_and_is_gone_when_cleared(sidecar: SidecarProcess) -> None:
    """A committed turn is told to another session, not to a sandboxed one, until it is cleared."""
    bodies = turn("Feed the okapi at noon", "The okapi is fed.", time.time_ns() // 1_000_000)
    session = pb.SessionRef(key=MAIN)
    commit = pb.CommitTurnRequest(session=session, advancement_key="k", bodies=map(dump, bodies))
    sidecar.stub.CommitTurn(commit, timeout=PATIENCE_S)
    end = time.monotonic() + PATIENCE_S
    while not asked(sidecar, search=search(CRON))["cards"] and time.monotonic() < end:
        time.sleep(0.05)
    assert "Feed the okapi" in first_view(sidecar, CRON)
    assert first_view(sidecar, "agent:main:cron:job:run:2", sandboxed=True) == ""
    assert asked(sidecar, search=search("agent:work:main"))["cards"] == []
    assert asked(sidecar, search=search(CRON, sandboxed=True))["cards"] == []
    assert asked(sidecar, stats=pb.CardStats(session=pb.SessionRef(key=CRON)))["cards"] == 1
    assert asked(sidecar, clear=pb.CardClear(session_key=MAIN))["cards"] == 1
    assert first_view(sidecar, CRON) == ""
    assert asked(sidecar, search=search(CRON))["cards"] == []


def test_nothing_asked_is_refused(sidecar: SidecarProcess) -> None:
    """An empty request is the caller's fault, and said so."""
    with pytest.raises(grpc.RpcError) as refused:
        asked(sidecar)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
