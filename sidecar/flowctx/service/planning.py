"""Planning a session's view: what is settled stays, the end is planned anew.

Two reads of the same session give the same view; a plan that reuses settled
segments equals one made from nothing.
"""

import time
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from flowctx.errors import StoreError
from flowctx.message import ParsedMessage
from flowctx.model import Decision, Injection, Placement, View
from flowctx.reducers.marker import without_tool_hint
from flowctx.service.bodies import load_message
from flowctx.service.context import Context
from flowctx.service.frame import Frame
from flowctx.service.projection import (
    OWN_RESULT,
    reduce_result,
    standing_reason,
    store_reduced,
)
from flowctx.service.recall.release import release
from flowctx.service.reducing import begin_all
from flowctx.service.redundancy import leave_out
from flowctx.service.state import SessionState
from flowctx.store.sessions import SessionRow
from flowctx.store.views import load_views
from flowctx.view.inject import place_injections, standing
from flowctx.view.pairing import REACH, Pairing, pair_results
from flowctx.view.plan import Segment, join_view, plan_segment
from flowctx.view.protect import NONE_VERBATIM, Protection
from flowctx.view.turns import Turn

# Pairing looks this far back, so that what it sees of the end is what the whole would show.
_PAIR_BACK = 4 * REACH

_PENDING = Decision("pending", "not reduced yet")


@dataclass(slots=True)
class Planner:
    """Plans one view.

    Attributes:
        fresh: bodies that came with the request, by digest.
        stored: done when the rows of the request are written.
        with_tool: whether markers may name the retrieve tool.
        protects: False to reduce even what would be verbatim, when nothing else fits.
        releases: True in a round: what was retrieved earlier gives way to its own hash.
        held: digests that stay raw although they may be ready: they change in one round.
        renewed: what may take another form now: what was verbatim in the last view, or all.
        added: notes that stand beside what they cover.
        deadline: until when results are reduced here, monotonic seconds.
    """

    context: Context
    state: SessionState
    row: SessionRow
    frame: Frame
    fresh: Mapping[bytes, ParsedMessage]
    stored: Future[None]
    with_tool: bool = True
    protects: bool = True
    releases: bool = False
    held: frozenset[bytes] = frozenset()
    renewed: Protection = NONE_VERBATIM
    added: Sequence[Injection] = ()
    deadline: float = field(init=False)

    def __post_init__(self) -> None:
        self.deadline = time.monotonic() + self.context.inline_seconds

    def plan(self, start: int, placements: Sequence[Placement]) -> tuple[list[Segment], View]:
        """Plan the view anew from the segment that holds message `start` on.

        Returns:
            All segments behind the folds, and the view joined from them.
        """
        kept, begin = self._settled(start, placements)
        pairing = pair_results(self.frame.messages, max(begin - _PAIR_BACK, 0))
        decisions = self._decide(pairing, begin, placements)
        decisions |= leave_out(self, pairing, decisions, kept)
        segments = kept + [
            plan_segment(self.frame.messages, turn, pairing, lambda at: decisions[at])
            for turn in uncovered(self.frame.turns(begin), placements)
        ]
        injected = standing(self.state.injections, placements, self.frame.lead)
        placed = place_injections(self.frame.places, [*injected, *self.added])
        return segments, join_view(self.frame.messages, placements, segments, placed)

    def _settled(self, start: int, placements: Sequence[Placement]) -> tuple[list[Segment], int]:
        """Segments that stay, and the first message that neither they nor folds cover."""
        segments = (s for s in self.frame.segments if s.end <= start)
        # A fold that is new in the view may stand inside what was one segment.
        whole = [s for s in segments if not any(_overlap(s, placed) for placed in placements)]
        parts: list[Placement | Segment] = [*placements, *whole]
        kept: list[Segment] = []
        begin = 0
        for part in sorted(parts, key=lambda part: part.start):
            if part.end <= begin:
                continue
            if isinstance(part, Segment):
                if part.start != begin:
                    break
                kept.append(part)
            elif part.start > begin:
                break
            begin = part.end
        return kept, begin

    def decisions(self, pairing: Pairing) -> dict[int, Decision]:
        """The decision about every result, for costs and explanations."""
        return self._decide(pairing, 0, ())

    def _decide(
        self, pairing: Pairing, begin: int, placements: Sequence[Placement]
    ) -> dict[int, Decision]:
        messages, protection = self.frame.messages, self.protection()
        decisions: dict[int, Decision] = {}
        open_: dict[bytes, list[int]] = {}
        own: dict[bytes, list[int]] = {}
        for at, group_at in pairing.placed.items():
            if group_at < begin or any(p.start <= group_at < p.end for p in placements):
                continue
            call = pairing.calls.get(at)
            reason = standing_reason(at, messages[at], call, protection, self.context.settings)
            decisions[at] = Decision("raw", reason)
            if not reason or reason == OWN_RESULT:
                asked = own if reason else open_
                asked.setdefault(messages[at].digest, []).append(at)
        for digest, decision in self._stored(open_, pairing).items():
            for at in open_[digest]:
                decisions[at] = decision
        for digest, decision in self._released(own, pairing).items():
            for at in own[digest]:
                decisions[at] = decision
        return decisions

    def _released(
        self, own: Mapping[bytes, Sequence[int]], pairing: Pairing
    ) -> dict[bytes, Decision]:
        """What was retrieved and given back in a round, now or before."""
        if not own:
            return {}
        session_id = self.row.id
        views = self.context.database.read(lambda c: load_views(c, session_id, own))
        if self.releases:
            recent = self.protection().retrieved_start
            earlier = {digest for digest, places in own.items() if places[-1] < recent}
            for digest in earlier - views.keys():
                at = own[digest][0]
                call = pairing.calls.get(at)
                made = release(self.context, self.row, self.frame.messages[at], call)
                views |= {digest: made} if made else {}
        return {digest: self.spoken(view.decision) for digest, view in views.items()}

    def _stored(
        self, open_: Mapping[bytes, Sequence[int]], pairing: Pairing
    ) -> dict[bytes, Decision]:
        """Decisions about results that need one: kept ones, then made ones while time lasts."""
        database, session_id = self.context.database, self.row.id
        views = database.read(lambda connection: load_views(connection, session_id, open_))
        missing = [d for d in open_ if d not in views and d not in self.held]
        if missing and database.keeps_originals:
            # What is short is soon done, so that a giant keeps only itself waiting.
            missing.sort(key=lambda digest: self.frame.messages[open_[digest][0]].text_tokens)
            begin_all(
                [partial(self._begin, d, pairing, open_[d][0]) for d in missing], self.deadline
            )
            views |= database.read(lambda connection: load_views(connection, session_id, missing))
        return {
            digest: self.spoken(views[digest].decision) if digest in views else _PENDING
            for digest in open_
            if digest not in self.held
        } | dict.fromkeys(self.held & open_.keys(), _PENDING)

    def _begin(self, digest: bytes, pairing: Pairing, at: int) -> Future[None] | None:
        context, row, call = self.context, self.row, pairing.calls.get(at)
        parsed = self.parsed(digest)
        if parsed is None:
            return None

        def work() -> None:
            with suppress(StoreError):
                store_reduced(context, row, reduce_result(parsed, call))

        return context.reducing.begin((row.id, digest), work, context.inline)

    def parsed(self, digest: bytes) -> ParsedMessage | None:
        """A message with its body; None where that is not to be had in time."""
        return self.fresh.get(digest) or self._load(digest)

    def _load(self, digest: bytes) -> ParsedMessage | None:
        # Its row may be on its way to the store; the writer keeps the order of calls.
        with suppress(TimeoutError, StoreError):
            self.stored.result(max(self.deadline - time.monotonic(), 0))
        return load_message(self.context, self.row, digest)

    def spoken(self, decision: Decision) -> Decision:
        """The decision as a run reads it that may have no tool to retrieve with."""
        if decision.state != "reduced" or self.with_tool:
            return decision
        text = without_tool_hint(decision.text)
        return Decision("reduced", decision.reason, text, decision.tokens, decision.hash)

    def protection(self) -> Protection:
        """What is verbatim in this view."""
        end = len(self.frame.messages)
        if not self.protects:
            return Protection(tail_start=end, reads_start=end)
        return self.frame.protect(self.context.settings)


def uncovered(turns: Sequence[Turn], placements: Sequence[Placement]) -> list[Turn]:
    """What folds leave of some turns; a turn they cut leaves its rest."""
    left: list[Turn] = []
    for turn in turns:
        start = turn.start
        for placed in placements:
            if placed.start >= turn.end or placed.end <= start:
                continue
            if placed.start > start:
                left.append(Turn(start, placed.start))
            start = min(placed.end, turn.end)
        if start < turn.end:
            left.append(Turn(start, turn.end))
    return left


def _overlap(segment: Segment, placed: Placement) -> bool:
    return segment.start < placed.end and segment.end > placed.start


def replan_from(frame: Frame, kept: int, settings_tail: int) -> int:
    """The first message whose segment a longer list may change.

    Args:
        frame: the session's frame, already with its new end.
        kept: how many messages stood before it.
        settings_tail: first message that was protected in the last view.
    """
    # A result is planned with its call, which may stand so much further back.
    first = min(kept, settings_tail) - REACH
    segment = bisect_right([s.start for s in frame.segments], first) - 1
    return frame.segments[segment].start if segment >= 0 else 0
