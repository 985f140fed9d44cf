"""A host around the engine: hands each turn's history over and applies the answer."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from flowctx.dag.plan.frontier import place_folds
from flowctx.errors import FlowctxError
from flowctx.identity import resolve_session
from flowctx.message import ParsedMessage, parse_message
from flowctx.model import Fold, Insert, Keep, Op, Placement, Replace
from flowctx.reducers.marker import RETRIEVE_TOOL
from flowctx.replay.policies import Plan
from flowctx.replay.provider import Item
from flowctx.service.assemble import assemble
from flowctx.service.context import Context
from flowctx.service.exchange import AssembleAnswer, AssembleRequest
from flowctx.service.frame import Base
from flowctx.service.state import SessionState
from flowctx.store.notes import current_folds
from flowctx.store.views import all_views

_KEY = "agent:replay:main"


@dataclass(slots=True)
class Host:
    """One session, replayed.

    Attributes:
        history: all messages of the turns that have ended.
        round: why bytes that had been sent changed in the last view; empty if none did.
        tiers: tokens of the last view that are folded, reduced and raw.
    """

    context: Context
    plan: Plan
    history: list[ParsedMessage] = field(default_factory=list)
    round: str = ""
    tiers: dict[str, int] = field(default_factory=dict)
    state: SessionState = field(default_factory=lambda: SessionState(resolve_session(_KEY)))
    _known: int = 0
    _token: bytes = b""
    _now_ms: int = 1
    _made: dict[Op, Item] = field(default_factory=dict)
    _placed_before: list[Placement] = field(default_factory=list)

    def tell_time(self, turn: Sequence[ParsedMessage]) -> None:
        """Let the engine's clock show when a turn began, if that is known."""
        told = (parsed.message.time_ms for parsed in turn if parsed.message.time_ms)
        self._now_ms = max(next(told, 0), self._now_ms)
        self.context.now_ms = lambda: self._now_ms

    def view(self) -> tuple[list[Item], list[Fold]]:
        """What is sent of the history, and the folds that are new in it.

        Raises:
            StoreError: the store cannot be used.
        """
        if not self.plan.uses_engine:
            items = [item_of(parsed) for parsed in self.history]
            self.tiers = {"folded": 0, "reduced": 0, "raw": sum(item.tokens for item in items)}
            return items, []
        known = {fold.node for fold in self.state.folds}
        self._placed_before = list(self.state.frame.placements) if self.state.frame else []
        answer = self._ask()
        self.round = answer.round
        new = [fold for fold in self.state.folds if fold.node not in known]
        return self._items(answer.ops), new

    def read_by_summariser(self, fold: Fold) -> int:
        """Tokens that a summariser reads for a fold; 0 for one that code makes in any case.

        It reads raw messages, or the notes that a condensed one takes the place of.
        """
        placed = self.state.frame.placements if self.state.frame else []
        spot = next((each for each in placed if each.fold.node == fold.node), None)
        if spot is None or not self.history[spot.start].message.opens_turn:
            return 0
        notes = [
            each.fold.tokens
            for each in self._placed_before
            if spot.start <= each.start < spot.end and self.history[each.start].message.opens_turn
        ]
        if len(notes) > 1:
            return sum(notes)
        return sum(parsed.message.tokens for parsed in self.history[spot.start : spot.end])

    def stored_folds(self) -> list[Placement]:
        """The folds that the store holds of the session, where their messages are found."""
        row = self.state.row
        if row is None:
            return []
        folds = self.context.database.read(lambda connection: current_folds(connection, row.id))
        return place_folds([parsed.message for parsed in self.history], folds)

    def hashes(self) -> dict[bytes, str]:
        """Hash of the stored original of each reduced message, by its digest."""
        row = self.state.row
        if row is None:
            return {}
        views = self.context.database.read(lambda connection: all_views(connection, row.id))
        return {digest: view.decision.hash for digest, view in views.items() if view.decision.hash}

    def _ask(self) -> AssembleAnswer:
        request = AssembleRequest(
            bodies=[parsed.body for parsed in self.history[self._known :]],
            base=Base(self._token, self._known),
            token_budget=self.plan.budget,
            tools=frozenset({RETRIEVE_TOOL}),
            context_window=self.plan.window,
        )
        answer = assemble(self.context, self.state, request)
        if answer is None:
            message = "The engine did not know its own list."
            raise FlowctxError(message)
        self._known, self._token = answer.count, answer.token
        return answer

    def _items(self, ops: Sequence[Op]) -> list[Item]:
        items: list[Item] = []
        made: dict[Op, Item] = {}
        self.tiers = {"folded": 0, "reduced": 0, "raw": 0}
        for op in ops:
            if isinstance(op, Keep):
                kept = [item_of(parsed) for parsed in self.history[op.start : op.end]]
                items.extend(kept)
                self.tiers["raw"] += sum(item.tokens for item in kept)
                continue
            made[op] = self._made.get(op) or self._make(op)
            items.append(made[op])
            self.tiers["folded" if isinstance(op, Insert) else "reduced"] += made[op].tokens
        self._made = made
        return items

    def _make(self, op: Replace | Insert) -> Item:
        if isinstance(op, Insert):
            return item_of(parse_message(op.body))
        value: dict[str, Any] = dict(self.history[op.index].value)
        content = value.get("content")
        blocks = content if isinstance(content, list) else []
        others = [b for b in blocks if not isinstance(b, dict) or b.get("type") != "text"]
        value["content"] = [{"type": "text", "text": op.text}, *others]
        return item_of(parse_message(orjson.dumps(value)))


def item_of(parsed: ParsedMessage) -> Item:
    """A message as it is sent."""
    return Item(parsed.body, parsed.message.tokens)
