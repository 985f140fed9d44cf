"""The frames of one stream: their order, pings behind work, and how much is held."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from flowctx.rpc.inbox import HELD_BYTES, Inbox
from flowctx.v1 import flowctx_pb2 as pb

PATIENCE_S = 30.0


def ping(seq: int) -> pb.ShimFrame:
    return pb.ShimFrame(ping=pb.Ping(seq=seq))


def message(text: str) -> pb.ShimFrame:
    return pb.ShimFrame(observe=pb.Observe(body=text.encode()))


class Trace:
    """What an inbox did, and a gate before each piece of work."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.gate = asyncio.Event()
        self.read = 0
        self.answered = asyncio.Event()
        self.inbox = Inbox(self._apply, self._answer)

    async def frames(self, given: Sequence[pb.ShimFrame]) -> AsyncIterator[pb.ShimFrame]:
        for frame in given:
            self.read += 1
            yield frame

    def _answer(self, seq: int) -> None:
        self.done.append(f"pong {seq}")
        if seq == 2:
            self.answered.set()

    async def _apply(self, frame: pb.ShimFrame) -> None:
        await self.gate.wait()
        self.done.append(frame.observe.body.decode()[:9])


def test_a_ping_behind_work_that_takes_long_is_answered() -> None:
    """It does not wait for the work, is answered once, and the work is still done in order."""

    async def scenario() -> list[str]:
        trace = Trace()
        given = [message("a"), ping(1), message("b"), ping(2)]
        taking = asyncio.create_task(trace.inbox.take_all(trace.frames(given)))
        async with asyncio.timeout(PATIENCE_S):
            await trace.answered.wait()
            trace.gate.set()
            await taking
        return trace.done

    assert asyncio.run(scenario()) == ["pong 1", "pong 2", "a", "b"]


def test_a_ping_without_a_backlog_is_answered_in_its_turn() -> None:
    """What was sent before it has been worked off by then."""

    async def scenario() -> list[str]:
        trace = Trace()
        trace.gate.set()
        await trace.inbox.take_all(trace.frames([message("a"), ping(1), message("b")]))
        return trace.done

    assert asyncio.run(scenario()) == ["a", "pong 1", "b"]


def test_no_more_is_read_than_may_be_held() -> None:
    """A gateway that sends faster than it is worked off has to wait; nothing is lost."""

    async def scenario() -> tuple[int, int]:
        trace = Trace()
        big = "x" * (HELD_BYTES // 4)
        taking = asyncio.create_task(trace.inbox.take_all(trace.frames([message(big)] * 12)))
        await asyncio.sleep(0.1)
        held = trace.read
        trace.gate.set()
        async with asyncio.timeout(PATIENCE_S):
            await taking
        return held, len(trace.done)

    assert asyncio.run(scenario()) == (4, 12)
