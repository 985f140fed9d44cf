"""The loop that has notes written: calls go out, results come back, late ones are called off."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from flowctx.dag.prompt.prompts import Prompt
from flowctx.identity import resolve_session
from flowctx.rpc import jobs
from flowctx.rpc.jobs import CONCURRENCY, JobRunner
from flowctx.rpc.work import WorkPool
from flowctx.service.context import Context
from flowctx.service.events import record_event
from flowctx.service.state import SessionTable
from flowctx.v1 import flowctx_pb2 as pb
from tests.support.host import HostSession
from tests.support.note_passes import Clock, good, open_clocked
from tests.support.notes import planted_session

BODIES = planted_session(11, turns=30)
_PATIENCE_S = 30.0


class Gateway:
    """Takes what the loop sends, and answers when it is told to."""

    def __init__(self, context: Context) -> None:
        self.table, self.pool = SessionTable(), WorkPool()
        self.frames: list[pb.SidecarFrame] = []
        self.context = context
        self.runner = JobRunner(context, self.table, self.pool, self._take)
        context.wake = self.runner.wake

    def _take(self, frame: pb.SidecarFrame) -> bool:
        self.frames.append(frame)
        return True

    def session(self, key: str = "agent:main:main") -> HostSession:
        """A session past its gate."""
        host = HostSession(self.context, key, self.table)
        host.assemble(BODIES, 0)
        return host

    @property
    def asked(self) -> list[pb.LlmJob]:
        return [f.llm_job for f in self.frames if f.WhichOneof("frame") == "llm_job"]

    @property
    def called_off(self) -> list[int]:
        return [f.llm_cancel.id for f in self.frames if f.WhichOneof("frame") == "llm_cancel"]

    def answer(self, job: pb.LlmJob) -> None:
        text = good(Prompt(job.system, job.user)).text
        self.runner.take(pb.LlmResult(id=job.id, text=text, stop_reason="stop"))

    async def until(self, holds: Callable[[], object]) -> None:
        for _ in range(int(_PATIENCE_S / 0.02)):
            if holds():
                return
            await asyncio.sleep(0.02)
        raise TimeoutError

    async def answer_all(self, host: HostSession) -> None:
        """Answer every call until the notes of a session are in its folds."""
        done = 0
        while not any(fold.kind == "note" for fold in host.state.folds):
            await self.until(lambda past=done: len(self.asked) > past or host.state.folds)
            for job in self.asked[done:]:
                self.answer(job)
                done += 1


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(jobs, "SETTLE_SECONDS", 0.0)
    context, _ = open_clocked(tmp_path)

    def runs(test: Callable[[Gateway], Coroutine[Any, Any, None]]) -> None:
        async def whole() -> None:
            gateway = Gateway(context)
            try:
                await test(gateway)
            finally:
                gateway.runner.stop()
                gateway.pool.close()

        asyncio.run(whole())

    yield runs
    context.close()


def test_notes_are_asked_for_one_by_one_and_come_into_the_view(run) -> None:
    """A view wakes the loop; while a call runs there is no other of the session."""

    async def test(gateway: Gateway) -> None:
        await gateway.runner.set_available(True)
        host = gateway.session()
        await gateway.until(lambda: gateway.asked)
        await asyncio.sleep(0.2)
        assert len(gateway.asked) == 1
        assert gateway.asked[0].session.agent == "main"
        await gateway.answer_all(host)
        view = host.assemble(BODIES, 0)
        assert host.answer.round == "notes"
        assert any(body.get("customType") == "flowctx.note" for body in view)
        assert gateway.called_off == []

    run(test)


def test_without_a_gateway_nothing_is_asked_and_with_one_it_goes_on(run) -> None:
    """The mark of a session outlasts the time in which nobody can call a model."""

    async def test(gateway: Gateway) -> None:
        host = gateway.session()
        await asyncio.sleep(0.3)
        assert gateway.asked == []
        await gateway.runner.set_available(True)
        await gateway.answer_all(host)

    run(test)


def test_a_reset_calls_the_call_off(run) -> None:
    """The model is told to stop, and what it says then does not attach."""

    async def test(gateway: Gateway) -> None:
        await gateway.runner.set_available(True)
        host = gateway.session()
        await gateway.until(lambda: gateway.asked)
        record_event(gateway.context, host.state, "reset")
        await gateway.until(lambda: gateway.called_off)
        assert gateway.called_off == [gateway.asked[0].id]
        gateway.answer(gateway.asked[0])
        await asyncio.sleep(0.2)
        assert len(gateway.asked) == 1

    run(test)


def test_a_call_outlasts_a_new_turn(run) -> None:
    """Its messages still stand, so it is neither called off nor made again."""

    async def test(gateway: Gateway) -> None:
        await gateway.runner.set_available(True)
        host = gateway.session()
        await gateway.until(lambda: gateway.asked)
        host.assemble([*BODIES, *planted_session(12, turns=1)], 0)
        await asyncio.sleep(0.3)
        assert gateway.called_off == [] and len(gateway.asked) == 1
        await gateway.answer_all(host)

    run(test)


def test_a_gateway_that_leaves_costs_nothing_but_the_call(run) -> None:
    """The same chunk is asked for again once there is a gateway."""

    async def test(gateway: Gateway) -> None:
        await gateway.runner.set_available(True)
        host = gateway.session()
        await gateway.until(lambda: gateway.asked)
        await gateway.runner.set_available(False)
        await asyncio.sleep(0.3)
        await gateway.runner.set_available(True)
        await gateway.until(lambda: len(gateway.asked) == 2)
        assert gateway.asked[0].user == gateway.asked[1].user
        await gateway.answer_all(host)

    run(test)


def test_a_model_that_does_not_answer_is_given_up(run, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the limit the call is called off, and the chunk waits for its next try."""
    monkeypatch.setattr(jobs, "LONGEST_CALL_SECONDS", 0.3)

    async def test(gateway: Gateway) -> None:
        await gateway.runner.set_available(True)
        host = gateway.session()
        await gateway.until(lambda: gateway.called_off)
        await asyncio.sleep(0.3)
        assert len(gateway.asked) == 1
        clock = gateway.context.now_ms
        assert isinstance(clock, Clock)
        clock.pass_minutes(1)
        gateway.runner.wake(host.state)
        await gateway.until(lambda: len(gateway.asked) == 2)

    run(test)


def test_no_more_than_so_many_sessions_at_a_time(run) -> None:
    """Each has at most one call under way, and all together a few."""

    async def test(gateway: Gateway) -> None:
        await gateway.runner.set_available(True)
        for number in range(CONCURRENCY + 2):
            gateway.session(f"agent:main:explicit:{number}")
        await gateway.until(lambda: len(gateway.asked) >= CONCURRENCY)
        await asyncio.sleep(0.3)
        assert len(gateway.asked) == CONCURRENCY
        assert len({job.session.key for job in gateway.asked}) == CONCURRENCY

    run(test)


def test_a_call_that_hangs_lets_other_sessions_in(run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes on, and still counts when it is answered; its place is another's meanwhile."""
    monkeypatch.setattr(jobs, "SLOT_SECONDS", 0.2)

    async def test(gateway: Gateway) -> None:
        await gateway.runner.set_available(True)
        hosts = [gateway.session(f"agent:main:explicit:{n}") for n in range(CONCURRENCY + 2)]
        await gateway.until(lambda: len(gateway.asked) == CONCURRENCY + 2)
        assert len({job.session.key for job in gateway.asked}) == CONCURRENCY + 2
        assert gateway.called_off == []
        first = next(host for host in hosts if host.state.ref.key == gateway.asked[0].session.key)
        await gateway.answer_all(first)

    run(test)


def test_an_unfinished_pass_goes_on_after_a_restart(run) -> None:
    """A sidecar that knows only its store takes the pass up when a gateway attaches."""

    async def test(gateway: Gateway) -> None:
        await gateway.runner.set_available(True)
        gateway.session()
        await gateway.until(lambda: gateway.asked)
        gateway.answer(gateway.asked[0])
        await gateway.until(lambda: len(gateway.asked) == 2)
        gateway.runner.stop()
        again = Gateway(gateway.context)
        await again.runner.set_available(True)
        await again.until(lambda: again.asked)
        assert again.asked[0].user == gateway.asked[1].user
        state = again.table.open(resolve_session("agent:main:main"))
        again.answer(again.asked[0])
        await again.until(lambda: len(again.asked) == 2 or state.folds)
        again.runner.stop()
        again.pool.close()

    run(test)
