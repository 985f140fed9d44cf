"""A host session against the services: hands lists over as deltas and applies the answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flowctx.config import Settings
from flowctx.identity import resolve_session
from flowctx.model import Op
from flowctx.reducers.marker import RETRIEVE_TOOL
from flowctx.service.assemble import AssembleAnswer, AssembleRequest, assemble
from flowctx.service.context import Context
from flowctx.service.frame import NO_BASE, Base
from flowctx.service.ingest import commit_turn, observe
from flowctx.service.state import SessionTable
from flowctx.store.database import Database
from tests.support.transcripts import dump
from tests.support.views import apply_ops

Body = dict[str, Any]
TOOLS = frozenset({RETRIEVE_TOOL})


def open_context(folder: Path, settings: Settings | None = None) -> Context:
    """A context over a new store; time to reduce never runs out, however slow the machine."""
    database = Database(folder / "flowctx.sqlite")
    return Context(folder, database, settings or Settings(), inline_seconds=60)


class HostSession:
    """One session of a host, as the shim would carry it."""

    def __init__(
        self, context: Context, key: str = "agent:main:main", table: SessionTable | None = None
    ) -> None:
        self.context = context
        self.state = (SessionTable() if table is None else table).open(resolve_session(key))
        self.count, self.token, self.view_token = 0, b"", b""
        self.lead = self.gone = 0
        self.sent: list[bytes] = []
        self.ops: tuple[Op, ...] = ()
        self.answer: AssembleAnswer | None = None

    def observe(self, *bodies: Body) -> None:
        for body in bodies:
            observe(self.context, self.state, dump(body))

    def commit(self, key: str, bodies: Sequence[Body]) -> bool:
        return commit_turn(self.context, self.state, key, [dump(body) for body in bodies])

    def assemble(
        self, bodies: Sequence[Body], budget: int = 0, tools: frozenset[str] = TOOLS
    ) -> list[Body]:
        """The view of a list of messages, put together from the delta."""
        dumped = [dump(body) for body in bodies]
        answer = self._ask(dumped, self._overlap(dumped), budget, tools)
        if answer is None:
            answer = self._ask(dumped, NO_BASE, budget, tools)
        assert answer is not None
        self.count, self.token, self.sent = answer.count, answer.token, dumped
        self.lead, self.gone = answer.lead, answer.gone
        self.ops = self.ops[: answer.kept_ops] + answer.ops
        self.view_token, self.answer = answer.view_token, answer
        return apply_ops([*bodies[: self.lead], *[{}] * self.gone, *bodies[self.lead :]], self.ops)

    def settle(self) -> None:
        """Wait until what was handed over is reduced and stored."""
        while self.context.in_flight:
            self.context.workers.submit(int).result()
        self.context.database.write(lambda connection: None).result()

    def _overlap(self, dumped: list[bytes]) -> Base:
        """What of the last list this one begins with; its oldest messages may have gone."""
        known = self.sent[: self.count]
        shared = _run(known, dumped)
        base = Base(self.token, shared)
        if shared != self.lead or shared in (len(known), len(dumped)):
            return base
        for at in range(self.lead + 1, len(known)):
            run = _run(known[at:], dumped[self.lead :])
            if run and at + run > base.count:
                base = Base(self.token, at + run, self.lead, at - self.lead)
        return base

    def _ask(
        self, dumped: list[bytes], base: Base, budget: int, tools: frozenset[str]
    ) -> AssembleAnswer | None:
        request = AssembleRequest(
            bodies=dumped[base.count - base.skip :],
            base=base,
            token_budget=budget,
            view_token=self.view_token,
            tools=tools,
        )
        return assemble(self.context, self.state, request)


def _run(known: list[bytes], new: list[bytes]) -> int:
    pairs = zip(known, new, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(known), len(new)))
