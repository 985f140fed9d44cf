"""What one gateway sends: applied in its order, with pings that never wait long behind it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from flowctx.v1 import flowctx_pb2 as pb

# A ping is answered in its turn, but no later; the shim takes 1 s of silence for a hang.
PING_SECONDS = 0.5
# Frames held before no more are read.
HELD_BYTES = 32 * 1024 * 1024

Apply = Callable[[pb.ShimFrame], Awaitable[None]]
Answer = Callable[[int], None]


class Inbox:
    """Takes in the frames of one stream.

    Args:
        apply: works a frame off that is no ping.
        answer: sends the answer to the ping of a number.
    """

    def __init__(self, apply: Apply, answer: Answer) -> None:
        self._apply = apply
        self._answer = answer
        self._frames: asyncio.Queue[pb.ShimFrame | None] = asyncio.Queue()
        self._unanswered: set[int] = set()
        self._held = 0
        self._room = asyncio.Event()

    async def take_all(self, frames: AsyncIterator[pb.ShimFrame]) -> None:
        """Return once the stream has ended and all of it is worked off."""
        worker = asyncio.create_task(self._work())
        try:
            async for frame in frames:
                await self._hold(frame)
            self._frames.put_nowait(None)
            await worker
        finally:
            worker.cancel()

    async def _hold(self, frame: pb.ShimFrame) -> None:
        if frame.WhichOneof("frame") == "ping":
            self._unanswered.add(frame.ping.seq)
            asyncio.get_running_loop().call_later(PING_SECONDS, self._pong, frame.ping.seq)
        self._held += frame.ByteSize()
        self._frames.put_nowait(frame)
        while self._held > HELD_BYTES:
            self._room.clear()
            await self._room.wait()

    async def _work(self) -> None:
        while (frame := await self._frames.get()) is not None:
            if frame.WhichOneof("frame") == "ping":
                self._pong(frame.ping.seq)
            else:
                await self._apply(frame)
            self._held -= frame.ByteSize()
            self._room.set()

    def _pong(self, seq: int) -> None:
        if seq in self._unanswered:
            self._unanswered.remove(seq)
            self._answer(seq)
