"""The servicer: each call becomes one use case."""
# ruff: noqa: D102, N802 - calls are named and documented in the proto

import os
from collections.abc import AsyncIterator, Callable
from typing import Any

import orjson

from flowctx import __version__
from flowctx.errors import InvalidRequestError
from flowctx.identity import SessionRef
from flowctx.rpc import convert, recall
from flowctx.rpc.attach import Attachments
from flowctx.rpc.sliding import answer_sliding
from flowctx.rpc.work import Result, ServicerContext, WorkPool
from flowctx.service.assemble import assemble
from flowctx.service.context import Context
from flowctx.service.explain import explain_session
from flowctx.service.hello import ShimFacts, greet
from flowctx.service.ingest import commit_turn
from flowctx.service.notes.compact import compact
from flowctx.service.notes.retrieve import retrieve_node
from flowctx.service.notes.tree import NotesRequest, answer_notes
from flowctx.service.purge import Selection, purge
from flowctx.service.state import SessionState, SessionTable
from flowctx.service.stats import collect_stats
from flowctx.service.status import read_activity
from flowctx.service.upkeep import maintain
from flowctx.v1 import flowctx_pb2 as pb
from flowctx.v1.flowctx_pb2_grpc import FlowctxServicer


class Servicer(FlowctxServicer):
    """All calls of the service."""

    def __init__(self, context: Context, instance: str, on_drain: Callable[[], None]) -> None:
        self._context = context
        self._instance = instance
        self._on_drain = on_drain
        self._table = SessionTable()
        self._pool = WorkPool()
        self.attachments = Attachments(context, self._table, self._pool)

    async def Hello(self, request: pb.HelloRequest, context: ServicerContext) -> pb.HelloResponse:
        facts = ShimFacts(
            version=request.version,
            client=request.client,
            host_version=request.host_version,
            node_version=request.node_version,
            settings_json=request.settings_json,
        )
        await self._pool.run(lambda: greet(self._context, facts), context)
        return pb.HelloResponse(
            version=__version__,
            instance=self._instance,
            pid=os.getpid(),
            setting_problems=convert.wire_problems(self._context.problems),
            store=convert.wire_status(self._context.database.status),
        )

    async def Drain(self, request: pb.DrainRequest, context: ServicerContext) -> pb.DrainResponse:  # noqa: ARG002
        self._on_drain()
        return pb.DrainResponse(pid=os.getpid())

    async def Assemble(
        self, request: pb.AssembleRequest, context: ServicerContext
    ) -> pb.AssembleResponse:
        state = self._open(request.session)
        asked = convert.assemble_request(request)

        def work() -> pb.AssembleResponse:
            return convert.assemble_response(assemble(self._context, state, asked))

        return await self._pool.run(work, context)

    async def CommitTurn(
        self, request: pb.CommitTurnRequest, context: ServicerContext
    ) -> pb.CommitTurnResponse:
        state = self._open(request.session)

        def work() -> bool:
            if not request.advancement_key:
                message = "CommitTurn needs an advancement key."
                raise InvalidRequestError(message)
            return commit_turn(
                self._context,
                state,
                request.advancement_key,
                request.bodies,
                is_heartbeat=request.is_heartbeat,
            )

        is_new = await self._pool.run(work, context)
        return pb.CommitTurnResponse(duplicate=not is_new)

    async def Maintain(
        self, request: pb.MaintainRequest, context: ServicerContext
    ) -> pb.MaintainResponse:
        state = self._open(request.session)
        await self._pool.run(
            lambda: maintain(self._context, state, request.context_window), context
        )
        return pb.MaintainResponse()

    async def Attach(
        self,
        request_iterator: AsyncIterator[pb.ShimFrame],
        context: ServicerContext,  # noqa: ARG002
    ) -> AsyncIterator[pb.SidecarFrame]:
        async for frame in self.attachments.serve(request_iterator):
            yield frame

    async def Retrieve(
        self, request: pb.RetrieveRequest, context: ServicerContext
    ) -> pb.RetrieveResponse:
        return await self._answer(lambda: recall.retrieve(self._context, request), context)

    async def RetrieveNote(
        self, request: pb.RetrieveNoteRequest, context: ServicerContext
    ) -> pb.RetrieveNoteResponse:
        ref, asked = convert.session_ref(request.session), convert.node_request(request)
        text = await self._answer(
            lambda: retrieve_node(self._context.database, ref, asked), context
        )
        return pb.RetrieveNoteResponse(text=text)

    async def Stats(self, request: pb.StatsRequest, context: ServicerContext) -> pb.StatsResponse:
        database = self._context.database

        def work() -> dict[str, Any]:
            # Who cannot open the store itself learns here what goes on without it.
            document = collect_stats(database, request.session_key)
            activity = {"gateways": len(self.attachments), **read_activity(database)}
            return document | {"activity": activity}

        document = await self._pool.run(work, context)
        return pb.StatsResponse(json=_dump(document))

    async def Explain(
        self, request: pb.ExplainRequest, context: ServicerContext
    ) -> pb.ExplainResponse:
        document = await self._answer(
            lambda: explain_session(
                self._context.database, request.session_key, self._context.settings
            ),
            context,
        )
        return pb.ExplainResponse(json=_dump(document))

    async def Purge(self, request: pb.PurgeRequest, context: ServicerContext) -> pb.PurgeResponse:
        selection = Selection(request.session_key, request.hash, request.older_than_ms)

        def work() -> pb.PurgeResponse:
            count = purge(self._context, self._table, selection, dry_run=request.dry_run)
            return convert.wire_purge(count)

        return await self._answer(work, context)

    async def Sliding(
        self, request: pb.SlidingRequest, context: ServicerContext
    ) -> pb.SlidingResponse:
        document = await self._answer(
            lambda: answer_sliding(self._context, self._table, request), context
        )
        return pb.SlidingResponse(json=_dump(document))

    async def Compact(
        self, request: pb.CompactRequest, context: ServicerContext
    ) -> pb.CompactResponse:
        state = self._open(request.session)

        def work() -> pb.CompactResponse:
            done = compact(self._context, state, request.target_tokens, request.custom_instructions)
            return pb.CompactResponse(
                tokens_before=done.tokens_before,
                tokens_after=done.tokens_after,
                folded=done.folded,
            )

        return await self._pool.run(work, context)

    async def Notes(self, request: pb.NotesRequest, context: ServicerContext) -> pb.NotesResponse:
        def work() -> pb.NotesResponse:
            asked = NotesRequest(request.action, request.session_key, request.node)
            return pb.NotesResponse(json=_dump(answer_notes(self._context, self._table, asked)))

        return await self._answer(work, context)

    async def Search(
        self, request: pb.SearchRequest, context: ServicerContext
    ) -> pb.SearchResponse:
        return await self._answer(lambda: recall.search(self._context, request), context)

    async def Pins(self, request: pb.PinsRequest, context: ServicerContext) -> pb.PinsResponse:
        state = self._open(request.session)
        return await self._answer(lambda: recall.pins(self._context, state, request), context)

    async def Scratchpad(
        self, request: pb.ScratchpadRequest, context: ServicerContext
    ) -> pb.ScratchpadResponse:
        state = self._open(request.session)
        return await self._answer(lambda: recall.scratchpad(self._context, state, request), context)

    async def _answer(self, work: Callable[[], Result], context: ServicerContext) -> Result:
        """Run work that looks something up in the store, or keeps something in it."""

        def checked() -> Result:
            self._context.database.status.require_file()
            return work()

        return await self._pool.run(checked, context)

    def close(self) -> None:
        """Wait for what is under way."""
        self._pool.close()

    def _open(self, wire: pb.SessionRef) -> SessionState:
        ref: SessionRef = convert.session_ref(wire)
        return self._table.open(ref)


def _dump(document: dict[str, Any]) -> bytes:
    return orjson.dumps(document)
