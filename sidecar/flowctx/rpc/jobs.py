"""Running the calls for notes: who is due, one call at a time for each session, limits on time.

Nothing of this is on the way of a reply: a wake only marks a session.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from flowctx.errors import FlowctxError
from flowctx.identity import SessionRef
from flowctx.rpc import convert
from flowctx.rpc.work import WorkPool
from flowctx.service.context import Context
from flowctx.service.notes.assignment import Assignment
from flowctx.service.notes.passes import Rest, next_assignment
from flowctx.service.notes.replies import Completion, is_wanted, take_completion
from flowctx.service.state import SessionState, SessionTable
from flowctx.store.jobs import sessions_to_go_on
from flowctx.v1 import flowctx_pb2 as pb

# Sessions whose notes are written at the same time.
CONCURRENCY = 2
# A model that takes longer for a note is not waited for: what any answer may take, and what
# reading adds, up to a limit.
CALL_SECONDS, TOKENS_A_SECOND, LONGEST_CALL_SECONDS = 120.0, 400, 240.0
# A call that takes longer than this leaves its place to another session's.
SLOT_SECONDS = 30.0
# A view that has just been made goes out first.
SETTLE_SECONDS = 0.3
# After a gateway left, for another one to come.
LINK_PAUSE_MS = 15_000

log = logging.getLogger("flowctx.jobs")

Send = Callable[[pb.SidecarFrame], bool]


@dataclass(slots=True)
class _Place:
    """A session's place among those that have notes written; left while a call takes long."""

    slots: asyncio.Semaphore
    is_held: bool = False

    async def take(self) -> None:
        """Wait for a place, unless one is held."""
        if not self.is_held:
            await self.slots.acquire()
            self.is_held = True

    def leave(self) -> None:
        """Let another session in."""
        if self.is_held:
            self.is_held = False
            self.slots.release()


@dataclass(slots=True)
class _Session:
    """A session on its way through a pass.

    Attributes:
        task: that works on it; `timer` wakes it after a pause.
        is_woken: something happened since it last looked.
        news: set when something happened.
    """

    ref: SessionRef
    place: _Place
    task: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle | None = None
    is_woken: bool = True
    news: asyncio.Event = field(default_factory=asyncio.Event)


class JobRunner:
    """Writes the notes of all sessions through one gateway that can call models."""

    def __init__(self, context: Context, table: SessionTable, pool: WorkPool, send: Send) -> None:
        self._context = context
        self._table = table
        self._pool = pool
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._sessions: dict[tuple[str, str], _Session] = {}
        self._waiting: dict[int, asyncio.Future[Completion]] = {}
        self._ids = count(time.time_ns() // 1_000_000)
        self._slots = asyncio.Semaphore(CONCURRENCY)
        self._can_complete = False

    def wake(self, state: SessionState) -> None:
        """Note that a session may have notes to write; may be called from any thread."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._mark, state.ref)

    async def set_available(self, can_complete: bool) -> None:
        """Note that gateways came or went; unfinished passes go on with those that are there."""
        self._can_complete = can_complete
        left = Completion(error="the gateway left", error_kind="link")
        for waiting in self._waiting.values():
            _settle(waiting, left)
        if not can_complete:
            return
        for session in list(self._sessions.values()):
            self._mark(session.ref)
        with suppress(FlowctxError):
            refs = await self._pool.run_quietly(
                lambda: self._context.database.read(sessions_to_go_on)
            )
            for ref in refs:
                self._mark(ref)

    def take(self, result: pb.LlmResult) -> None:
        """Take in what a gateway answered."""
        if waiting := self._waiting.get(result.id):
            _settle(waiting, convert.completion(result))

    def stop(self) -> None:
        """Let go of all sessions; what is unfinished goes on after the next start."""
        for session in self._sessions.values():
            if session.task:
                session.task.cancel()

    def _mark(self, ref: SessionRef) -> None:
        fresh = _Session(ref, _Place(self._slots))
        session = self._sessions.setdefault((ref.agent, ref.key), fresh)
        session.is_woken = True
        session.news.set()
        if self._can_complete and (session.task is None or session.task.done()):
            session.task = self._loop.create_task(self._work_on(session))

    async def _work_on(self, session: _Session) -> None:
        try:
            await asyncio.sleep(SETTLE_SECONDS)
            try:
                rest = await self._pass(session)
            finally:
                session.place.leave()
            if rest.until_ms:
                self._look_again(session, rest.until_ms)
            else:
                self._sessions.pop((session.ref.agent, session.ref.key), None)
                if session.is_woken:
                    self._mark(session.ref)
        except FlowctxError as error:
            log.warning("notes of %s: %s", session.ref.key, error)
        except Exception:
            log.exception("notes of %s", session.ref.key)

    def _look_again(self, session: _Session, at_ms: int) -> None:
        if session.timer:
            session.timer.cancel()
        delay = max(at_ms - self._context.now_ms(), 0) / 1000
        session.timer = self._loop.call_later(delay, self._mark, session.ref)

    async def _pass(self, session: _Session) -> Rest:
        while self._can_complete:
            await session.place.take()
            session.is_woken = False
            found = await self._pool.run_quietly(
                lambda: next_assignment(self._context, self._state(session))
            )
            if isinstance(found, Rest):
                return found
            completion = await self._complete(session, found)
            await self._take(session, found, completion)
            if completion.error_kind == "link":
                return Rest(completion.error, self._context.now_ms() + LINK_PAUSE_MS)
        session.is_woken = False
        return Rest("no gateway that can call models")

    async def _take(
        self, session: _Session, assignment: Assignment, completion: Completion
    ) -> None:
        state = self._state(session)
        await self._pool.run_quietly(
            lambda: take_completion(self._context, state, assignment, completion)
        )

    async def _complete(self, session: _Session, assignment: Assignment) -> Completion:
        """Call the model; ends early where the note is no longer wanted."""
        id_, started = next(self._ids), time.monotonic()
        waiting: asyncio.Future[Completion] = self._loop.create_future()
        self._waiting[id_] = waiting
        try:
            job = convert.llm_job(id_, assignment, self._context.settings)
            if not self._send(pb.SidecarFrame(llm_job=job)):
                return Completion(error="no gateway takes the call", error_kind="link")
            completion = await self._watch(session, assignment, waiting)
            if completion.error_kind in ("cancelled", "timeout"):
                self._send(pb.SidecarFrame(llm_cancel=pb.LlmCancel(id=id_)))
            seconds = round(time.monotonic() - started, 2)
            return replace(completion, cost=replace(completion.cost, seconds=seconds))
        finally:
            del self._waiting[id_]

    async def _watch(
        self, session: _Session, assignment: Assignment, waiting: asyncio.Future[Completion]
    ) -> Completion:
        begun, limit = time.monotonic(), call_seconds(assignment)
        while (spent := time.monotonic() - begun) < limit:
            session.news.clear()
            news = self._loop.create_task(session.news.wait())
            both: list[asyncio.Future[Any]] = [waiting, news]
            until = min(SLOT_SECONDS, limit) if session.place.is_held else limit
            left = max(until - spent, 0)
            await asyncio.wait(both, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            is_news = news.done()
            news.cancel()
            if waiting.done():
                return waiting.result()
            if time.monotonic() - begun >= SLOT_SECONDS:
                session.place.leave()
            state = self._state(session)
            if is_news and not await self._is_wanted(state, assignment):
                return Completion(error="no longer wanted", error_kind="cancelled")
        return Completion(error=f"no reply within {limit:.0f} s", error_kind="timeout")

    async def _is_wanted(self, state: SessionState, assignment: Assignment) -> bool:
        return await self._pool.run_quietly(lambda: is_wanted(self._context, state, assignment))

    def _state(self, session: _Session) -> SessionState:
        return self._table.open(session.ref)


def call_seconds(assignment: Assignment) -> float:
    """How long a model may take for a note: longer where there is more to read."""
    reading = assignment.terms.source_tokens / TOKENS_A_SECOND
    return min(CALL_SECONDS + reading, LONGEST_CALL_SECONDS)


def _settle(waiting: asyncio.Future[Completion], completion: Completion) -> None:
    if not waiting.done():
        waiting.set_result(completion)
