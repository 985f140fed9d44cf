"""How a shim carries a session: lists go over as deltas, answers are applied to what is held."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from flowctx.model import Op
from flowctx.reducers.marker import RETRIEVE_TOOL
from flowctx.service.assemble import AssembleAnswer, AssembleRequest
from flowctx.service.frame import NO_BASE, Base
from tests.support.transcripts import dump
from tests.support.views import apply_ops

Body = dict[str, Any]
TOOLS = frozenset({RETRIEVE_TOOL})


class DeltaSession(ABC):
    """One session of a host; whom it asks is for others to say."""

    def __init__(self) -> None:
        self.count, self.token, self.view_token = 0, b"", b""
        self.lead = self.gone = 0
        self.sent: list[bytes] = []
        self.ops: tuple[Op, ...] = ()
        self.answer: AssembleAnswer | None = None

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

    @abstractmethod
    def _call(self, request: AssembleRequest) -> AssembleAnswer | None:
        """The answer, or None where all bodies are needed."""

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
        return self._call(request)


def _run(known: list[bytes], new: list[bytes]) -> int:
    pairs = zip(known, new, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(known), len(new)))
