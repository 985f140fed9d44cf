"""The long-lived stream of each gateway: messages and events in, notices out."""

import asyncio
import logging
from collections.abc import AsyncIterator

from flowctx.errors import FlowctxError
from flowctx.rpc import convert
from flowctx.rpc.inbox import Inbox
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
        self._loop = asyncio.get_running_loop()

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

    async def _read(
        self,
        frames: AsyncIterator[pb.ShimFrame],
        queue: asyncio.Queue[pb.SidecarFrame | None],
    ) -> None:
        def answer(seq: int) -> None:
            _offer(queue, pb.SidecarFrame(pong=pb.Pong(seq=seq)))

        try:
            await Inbox(self._take, answer).take_all(frames)
        finally:
            _offer(queue, None)

    async def _take(self, frame: pb.ShimFrame) -> None:
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

    def _broadcast(self, frame: pb.SidecarFrame) -> None:
        for queue in self._queues:
            _offer(queue, frame)


def _offer(queue: asyncio.Queue[pb.SidecarFrame | None], frame: pb.SidecarFrame | None) -> None:
    if frame is None and queue.full():
        queue.get_nowait()
    if not queue.full():
        queue.put_nowait(frame)
