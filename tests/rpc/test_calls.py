"""Single calls: who may make them, how large they may be, and what hostile ones come to."""

from __future__ import annotations

import json

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from flowctx.rpc.auth import TOKEN_KEY
from flowctx.v1 import flowctx_pb2 as pb
from flowctx.v1.flowctx_pb2_grpc import FlowctxStub
from tests.support.sidecar import PATIENCE_S, SidecarProcess
from tests.support.transcripts import dump, user
from tests.support.turns import turns
from tests.support.wire import WireSession

SERVICE = pb.DESCRIPTOR.services_by_name["Flowctx"]
UNARY = [m for m in SERVICE.methods if not m.client_streaming]
MEGABYTE = 1_000_000


@pytest.mark.parametrize("token", [None, "", "wrong", "x" * 500])
def test_no_call_is_answered_without_the_token(sidecar: SidecarProcess, token: str | None) -> None:
    """Every method, the stream and the health service refuse; the message names the token."""
    metadata = () if token is None else ((TOKEN_KEY, token),)
    with sidecar.bare_channel() as channel:
        for method in UNARY:
            path = f"/{SERVICE.full_name}/{method.name}"
            with pytest.raises(grpc.RpcError) as refused:
                channel.unary_unary(path)(b"", metadata=metadata, timeout=PATIENCE_S)
            assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED, method.name
            assert "token" in refused.value.details()
        with pytest.raises(grpc.RpcError) as refused:
            list(FlowctxStub(channel).Attach(iter([]), metadata=metadata, timeout=PATIENCE_S))
        assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED
        with pytest.raises(grpc.RpcError) as refused:
            health = health_pb2_grpc.HealthStub(channel)
            health.Check(health_pb2.HealthCheckRequest(), metadata=metadata, timeout=PATIENCE_S)
        assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED


def test_a_stranger_cannot_drain_it(sidecar: SidecarProcess) -> None:
    """A call that was refused has done nothing."""
    with sidecar.bare_channel() as channel, pytest.raises(grpc.RpcError):
        FlowctxStub(channel).Drain(pb.DrainRequest(), timeout=PATIENCE_S)
    assert len(WireSession(sidecar.stub, "agent:main:explicit:still").assemble(turns(1))) == 4


def test_fifty_megabytes_go_through(sidecar: SidecarProcess) -> None:
    """A session handed over whole may be far larger than gRPC's usual 4 MB."""
    line = "it goes on and on, and then some more of it\n"
    bodies = [user(f"{n}\n{line * (10 * MEGABYTE // len(line))}") for n in range(5)]
    bodies.append(user("and now?"))
    assert sum(len(dump(body)) for body in bodies) > 49 * MEGABYTE
    host = WireSession(sidecar.stub, "agent:main:explicit:large")
    assert host.assemble(bodies)[-1] == bodies[-1]
    assert host.answer and host.answer.count == len(bodies)


def test_seventy_megabytes_are_refused_and_nothing_breaks(sidecar: SidecarProcess) -> None:
    """What is beyond the limit of both ends ends as a status, and the next call is answered."""
    request = pb.AssembleRequest(
        session=pb.SessionRef(key="agent:main:explicit:over"),
        bodies=[dump(user("x" * 70 * MEGABYTE))],
    )
    with (
        grpc.insecure_channel(
            sidecar.endpoint["address"], [("grpc.max_send_message_length", -1)]
        ) as channel,
        pytest.raises(grpc.RpcError) as refused,
    ):
        FlowctxStub(channel).Assemble(
            request, metadata=((TOKEN_KEY, sidecar.token),), timeout=PATIENCE_S
        )
    assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert len(WireSession(sidecar.stub, "agent:main:explicit:after").assemble(turns(1))) == 4


def test_bytes_that_are_no_message_are_refused(sidecar: SidecarProcess) -> None:
    """Garbage in the place of a request ends as a status, and the server stays up."""
    with sidecar.bare_channel() as channel:
        for method in UNARY:
            if method.name == "Drain":
                continue  # it has nothing to read
            with pytest.raises(grpc.RpcError) as refused:
                channel.unary_unary(f"/{SERVICE.full_name}/{method.name}")(
                    b"\xff\xff\xff\x00garbage" * 20,
                    metadata=((TOKEN_KEY, sidecar.token),),
                    timeout=PATIENCE_S,
                )
            assert "parsing" in refused.value.details(), method.name
    assert len(WireSession(sidecar.stub, "agent:main:explicit:up").assemble(turns(1))) == 4


BODIES = [dump(body) for body in turns(2)]
HUGE = 2**32 - 1
ODD_KEYS = ["", "\0", "agent::", ":" * 5000, "agent:main:\u202e\U0001f600", "a" * 200_000, "'; --"]


@pytest.mark.parametrize(
    "base",
    [
        pb.Base(count=HUGE),
        pb.Base(count=HUGE, token=b"x" * 16),
        pb.Base(count=1, lead=HUGE, skip=HUGE, token=b"\0" * 16),
        pb.Base(token=b"t" * MEGABYTE),
    ],
)
def test_a_base_that_nobody_knows_is_answered(sidecar: SidecarProcess, base: pb.Base) -> None:
    """Counts beyond any list and tokens that were never given make the sidecar ask for all."""
    ref = pb.SessionRef(key="agent:main:explicit:base")
    sidecar.stub.Assemble(pb.AssembleRequest(session=ref, bodies=BODIES), timeout=PATIENCE_S)
    told = sidecar.stub.Assemble(
        pb.AssembleRequest(session=ref, base=base, bodies=BODIES), timeout=PATIENCE_S
    )
    assert told.WhichOneof("answer") == ("need" if base.count else "view")


def test_a_known_token_with_a_count_beyond_its_list_is_not_known(sidecar: SidecarProcess) -> None:
    """The token is right and the count is not: the sidecar asks for all bodies."""
    host = WireSession(sidecar.stub, "agent:main:explicit:count")
    host.assemble(turns(2))
    for base in (
        pb.Base(token=host.token, count=9),
        pb.Base(token=host.token, count=HUGE),
        pb.Base(token=host.token, count=8, skip=9),
        pb.Base(token=host.token, count=8, lead=3, skip=1),
    ):
        asked = pb.AssembleRequest(session=host.ref, base=base, bodies=BODIES)
        told = sidecar.stub.Assemble(asked, timeout=PATIENCE_S)
        assert told.WhichOneof("answer") == "need", base


@pytest.mark.parametrize("key", ODD_KEYS, ids=range(len(ODD_KEYS)))
def test_any_key_names_a_session(sidecar: SidecarProcess, key: str) -> None:
    """Empty keys, NUL, thousands of segments and every script are keys like others."""
    host = WireSession(sidecar.stub, key)
    assert len(host.assemble(turns(3))) == 12
    assert host.commit(f"odd {ODD_KEYS.index(key)}", turns(1, start=3))
    assert len(host.assemble(turns(5))) == 20
    asked = {"session_key": key or f"id:{host.ref.id}"}
    json.loads(sidecar.stub.Stats(pb.StatsRequest(**asked), timeout=PATIENCE_S).json)
    json.loads(sidecar.stub.Explain(pb.ExplainRequest(**asked), timeout=PATIENCE_S).json)


ODD_BODIES = [b"", b"\0", b"{", b"[]", b"null", b'{"role": 7}', b'{"role": "user", "content": 9}']
ODD_BODIES += [b"\xff\xfe", b'{"a":' * 3000, b"[" * 100_000, b'{"role":"user","content":"\\ud800"}']


def test_bodies_that_are_no_messages_stay_in_their_places(sidecar: SidecarProcess) -> None:
    """A list of garbage is handed through one for one."""
    ref = pb.SessionRef(key="agent:main:explicit:garbage")
    asked = pb.AssembleRequest(session=ref, bodies=[*BODIES, *ODD_BODIES, *BODIES])
    view = sidecar.stub.Assemble(asked, timeout=PATIENCE_S).view
    assert view.base.count == len(asked.bodies)
    asked = pb.CommitTurnRequest(session=ref, advancement_key="odd", bodies=ODD_BODIES)
    sidecar.stub.CommitTurn(asked, timeout=PATIENCE_S)


def test_requests_without_what_they_need_are_refused_by_name(sidecar: SidecarProcess) -> None:
    """A commit without a key and a purge of nothing say what is wrong."""
    for ask in (
        lambda: sidecar.stub.CommitTurn(pb.CommitTurnRequest(bodies=BODIES), timeout=PATIENCE_S),
        lambda: sidecar.stub.Purge(pb.PurgeRequest(), timeout=PATIENCE_S),
    ):
        with pytest.raises(grpc.RpcError) as refused:
            ask()
        assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.parametrize("settings", [b"", b"{", b"[1]", b"\xff", b'{"projection": "maybe"}'])
def test_settings_that_cannot_be_read_do_not_end_the_greeting(
    sidecar: SidecarProcess, settings: bytes
) -> None:
    """Hello is answered whatever the configuration holds."""
    told = sidecar.stub.Hello(pb.HelloRequest(settings_json=settings), timeout=PATIENCE_S)
    assert told.pid == sidecar.process.pid and told.store.state == "ok"


def test_a_thousand_calls_leave_no_thread_and_no_file_open(sidecar: SidecarProcess) -> None:
    """Connections that come and go, calls that fail and streams cut off cost nothing for good."""

    def work(rounds: int) -> None:
        for at in range(rounds):
            with sidecar.bare_channel() as channel:
                stub, metadata = FlowctxStub(channel), ((TOKEN_KEY, sidecar.token),)
                ref = pb.SessionRef(key=f"agent:main:explicit:leak{at % 3}")
                stream = stub.Attach(iter([pb.ShimFrame()]), metadata=metadata, timeout=PATIENCE_S)
                for _ in range(20):
                    stub.Retrieve(pb.RetrieveRequest(session=ref), metadata=metadata)
                    asked = pb.AssembleRequest(session=ref, bodies=BODIES)
                    stub.Assemble(asked, metadata=metadata)
                stream.cancel()

    work(3)
    threads, files = sidecar.load()
    work(25)
    later = sidecar.load()
    assert later[0] <= threads + 4 and later[1] <= files + 8, (threads, files, later)
