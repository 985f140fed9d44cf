"""The long-lived stream of each gateway: messages and events in, notices out."""

import asyncio
import logging
from collections.abc import AsyncIterator

from flowctx.errors import FlowctxError
from flowctx.rpc import convert
from flowctx.rpc.inbox import Inbox
from flowctx.rpc.jobs import JobRunner
from flowctx.rpc.work import WorkPool
from flowctx.service.context import Context
from flowctx.service.events import record_event, record_outcome
from flowctx.service.ingest import observe
from flowctx.service.state import SessionTable
from flowctx.v1 import flowctx_pb2 as pb

# Frames that may wait for a slow gateway; newer notices are dropped beyond it.
QUEUE_FRAMES = 1_000

log = logging.getLogger("flowctx.attach")


class Attachments:
    """All streams that are open right now."""

    def __init__(self, context: Context, table: SessionTable, pool: WorkPool) -> None:
        self._context = context
        self._table = table
        self._pool = pool
        self._queues: set[asyncio.Queue[pb.SidecarFrame | None]] = set()
        self._able: set[asyncio.Queue[pb.SidecarFrame | None]] = set()
        self._loop = asyncio.get_running_loop()
        self.jobs = JobRunner(context, table, pool, self._send)

    def __len__(self) -> int:
        return len(self._queues)

    def notify(self, kind: str, text: str) -> None:
        """Send a notice to every gateway; may be called from any thread."""
        log.info("[%s] %s", kind, text)
        frame = pb.SidecarFrame(notice=pb.Notice(kind=kind, text=text))
        self._loop.call_soon_threadsafe(self._broadcast, frame)

    def end_all(self) -> None:
        """End every stream from this side."""
        for queue in self._queues:
            _offer(queue, None)

    async def serve(self, frames: AsyncIterator[pb.ShimFrame]) -> AsyncIterator[pb.SidecarFrame]:
        """Take in what a gateway sends, give out what there is for it."""
        queue: asyncio.Queue[pb.SidecarFrame | None] = asyncio.Queue(QUEUE_FRAMES)
        self._queues.add(queue)
        reader = asyncio.create_task(self._read(frames, queue))
        try:
            while (frame := await queue.get()) is not None:
                yield frame
        finally:
            self._queues.discard(queue)
            reader.cancel()
            if queue in self._able:
                self._able.discard(queue)
                await self.jobs.set_available(bool(self._able))

    async def _read(
        self,
        frames: AsyncIterator[pb.ShimFrame],
        queue: asyncio.Queue[pb.SidecarFrame | None],
    ) -> None:
        def answer(seq: int) -> None:
            _offer(queue, pb.SidecarFrame(pong=pb.Pong(seq=seq)))

        async def take(frame: pb.ShimFrame) -> None:
            await self._take(frame, queue)

        try:
            await Inbox(take, answer).take_all(frames)
        finally:
            _offer(queue, None)

    async def _take(
        self, frame: pb.ShimFrame, queue: asyncio.Queue[pb.SidecarFrame | None]
    ) -> None:
        match frame.WhichOneof("frame"):
            case "attached":
                if frame.attached.can_complete:
                    self._able.add(queue)
                    await self.jobs.set_available(True)
            case "llm_result":
                self.jobs.take(frame.llm_result)
            case _:
                await self._take_in(frame)

    async def _take_in(self, frame: pb.ShimFrame) -> None:
        try:
            await self._pool.run_quietly(lambda: self._apply(frame))
        except FlowctxError as error:
            # The next view brings what could not be stored now.
            self.notify("engine", f"{frame.WhichOneof('frame')} not stored: {error}")
        except Exception:
            log.exception("a frame failed")

    def _apply(self, frame: pb.ShimFrame) -> None:
        match frame.WhichOneof("frame"):
            case "observe":
                state = self._table.open(convert.session_ref(frame.observe.session))
                observe(self._context, state, frame.observe.body)
            case "event":
                state = self._table.open(convert.session_ref(frame.event.session))
                record_event(self._context, state, frame.event.kind)
            case "outcome":
                state = self._table.open(convert.session_ref(frame.outcome.session))
                record_outcome(self._context, state, convert.outcome(frame.outcome))

    def _send(self, frame: pb.SidecarFrame) -> bool:
        """Give a job to one gateway that can run it, a cancellation to all of them."""
        queues = list(self._able)
        if frame.WhichOneof("frame") == "llm_job":
            queues = queues[:1]
        offered = [_offer(queue, frame) for queue in queues]
        return any(offered)

    def _broadcast(self, frame: pb.SidecarFrame) -> None:
        for queue in self._queues:
            _offer(queue, frame)


def _offer(queue: asyncio.Queue[pb.SidecarFrame | None], frame: pb.SidecarFrame | None) -> bool:
    if frame is None and queue.full():
        queue.get_nowait()
    if queue.full():
        return False
    queue.put_nowait(frame)
    return True
