"""A host session against the services: hands lists over as deltas and applies the answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from flowctx.config import Settings
from flowctx.identity import resolve_session
from flowctx.service.assemble import assemble
from flowctx.service.context import Context
from flowctx.service.exchange import AssembleAnswer, AssembleRequest
from flowctx.service.ingest import commit_turn, observe
from flowctx.service.state import SessionTable
from flowctx.store.database import Database
from tests.support.delta import Body, DeltaSession
from tests.support.transcripts import dump


def open_context(folder: Path, settings: Settings | None = None) -> Context:
    """A context over a new store; time to reduce never runs out, however slow the machine."""
    database = Database(folder / "flowctx.sqlite")
    return Context(folder, database, settings or Settings(), inline_seconds=60)


class HostSession(DeltaSession):
    """One session of a host, as the shim would carry it."""

    def __init__(
        self,
        context: Context,
        key: str = "agent:main:main",
        table: SessionTable | None = None,
        parent_key: str = "",
    ) -> None:
        super().__init__()
        self.context = context
        ref = resolve_session(key, parent_key=parent_key)
        self.state = (SessionTable() if table is None else table).open(ref)
        self.prompt = ""

    def observe(self, *bodies: Body) -> None:
        for body in bodies:
            observe(self.context, self.state, dump(body))

    def commit(self, key: str, bodies: Sequence[Body]) -> bool:
        return commit_turn(self.context, self.state, key, [dump(body) for body in bodies])

    def settle(self) -> None:
        """Wait until what was handed over is reduced and stored."""
        while self.context.in_flight or self.context.reducing:
            self.context.workers.submit(int).result()
        self.context.database.write(lambda connection: None).result()

    def _call(self, request: AssembleRequest) -> AssembleAnswer | None:
        return assemble(self.context, self.state, replace(request, prompt=self.prompt))
