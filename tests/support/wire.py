"""A host session over the wire, as the shim carries it."""

from __future__ import annotations

import time
from collections.abc import Sequence

from flowctx.model import Insert, Keep, Op, Replace
from flowctx.service.assemble import AssembleAnswer, AssembleRequest
from flowctx.v1 import flowctx_pb2 as pb
from flowctx.v1.flowctx_pb2_grpc import FlowctxStub
from tests.support.delta import Body, DeltaSession
from tests.support.sidecar import PATIENCE_S
from tests.support.transcripts import dump


class WireSession(DeltaSession):
    """One session of a host; a sidecar that was started anew is reached by setting `stub`."""

    def __init__(self, stub: FlowctxStub, key: str = "agent:main:main") -> None:
        super().__init__()
        self.stub = stub
        self.ref = pb.SessionRef(key=key, id="1")

    def settled(self, bodies: Sequence[Body]) -> list[Body]:
        """The view once no result waits for its reduction; a loaded machine takes its time."""
        until = time.monotonic() + PATIENCE_S
        view = self.assemble(bodies)
        while self.answer and self.answer.pending and time.monotonic() < until:
            time.sleep(0.05)
            view = self.assemble(bodies)
        return view

    def commit(self, advancement: str, bodies: Sequence[Body]) -> bool:
        request = pb.CommitTurnRequest(
            session=self.ref, advancement_key=advancement, bodies=map(dump, bodies)
        )
        return not self.stub.CommitTurn(request, timeout=PATIENCE_S).duplicate

    def retrieve(self, hash_: str) -> pb.RetrieveResponse:
        request = pb.RetrieveRequest(session=self.ref, hash=hash_, max_tokens=100_000)
        return self.stub.Retrieve(request, timeout=PATIENCE_S)

    def observe_frame(self, body: Body) -> pb.ShimFrame:
        return pb.ShimFrame(observe=pb.Observe(session=self.ref, body=dump(body)))

    def _call(self, request: AssembleRequest) -> AssembleAnswer | None:
        base = request.base
        wire = pb.AssembleRequest(
            session=self.ref,
            token_budget=request.token_budget,
            base=pb.Base(token=base.token, count=base.count, lead=base.lead, skip=base.skip),
            bodies=request.bodies,
            view_token=request.view_token,
            tools=sorted(request.tools),
        )
        told = self.stub.Assemble(wire, timeout=PATIENCE_S)
        return _answer(told.view) if told.WhichOneof("answer") == "view" else None


def _answer(view: pb.View) -> AssembleAnswer:
    return AssembleAnswer(
        count=view.base.count,
        token=view.base.token,
        lead=view.lead,
        gone=view.gone,
        kept_ops=view.kept_ops,
        ops=tuple(_op(op) for op in view.ops),
        view_token=view.token,
        estimated_tokens=view.estimated_tokens,
        round=view.round,
        reduced=view.reduced,
        pending=view.pending,
    )


def _op(op: pb.Op) -> Op:
    match op.WhichOneof("op"):
        case "keep":
            return Keep(getattr(op.keep, "from"), op.keep.to)
        case "replace":
            return Replace(op.replace.index, op.replace.text)
    return Insert(op.insert.json)
