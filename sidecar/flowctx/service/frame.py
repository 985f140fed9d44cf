"""The host's list of messages as the sidecar holds it in memory, and the view made of it.

The host hands over no more than its window holds (8 bytes a token of the
model's window): when a session outgrows that, the oldest messages go, a few
with each turn, while its own summary stays first. A frame keeps what went:

    messages   [ lead: the host's summaries | gone | at hand, as handed over ]

Indices count all of them, so that nothing shifts when the window moves.
"""

import hashlib
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from flowctx.chain import CHAIN_BYTES, chain_of
from flowctx.config import Settings
from flowctx.model import Fold, Message, Op, Placement
from flowctx.store.redundant import StandIn
from flowctx.view.places import Places
from flowctx.view.plan import Segment
from flowctx.view.protect import ALL_VERBATIM, Protection, protect
from flowctx.view.turns import Turn, turn_is_running

# Summaries that the host made; they stand for history that is nowhere else.
SUMMARY_ROLES = frozenset({"compactionSummary", "branchSummary"})
# Lists a shim may still know us by: those of the last so many answers.
_KEPT_MARKS = 16


@dataclass(frozen=True, slots=True)
class Base:
    """A list both sides know, as the caller names it.

    Attributes:
        token: of the list; empty for none.
        count: its first so many messages still stand,
        lead, skip: but for `skip` of them behind the first `lead`.
    """

    token: bytes = b""
    count: int = 0
    lead: int = 0
    skip: int = 0


NO_BASE = Base()


@dataclass(frozen=True, slots=True)
class _Mark:
    lead: int
    gone: int
    end: int


@dataclass(frozen=True, slots=True)
class _Went:
    """What is no longer handed over, and the tokens of it."""

    lead: int = 0
    gone: int = 0
    tokens: int = 0


_NOTHING_WENT = _Went()


@dataclass(slots=True)
class Frame:
    """A session's list and its last view.

    Attributes:
        messages: in order; `turn_starts` are the indices at which turns begin.
        gone: how many messages behind the lead are no longer handed over.
        raw_tokens: estimate for all messages at hand.
        segments: planned segments behind the folds, in order.
        placements: where folds stand in place of messages.
        standing: where folds stand, also such as are only added; `folds` are those
            that were looked for when it was made.
        with_tool: whether markers name the retrieve tool.
        ops: of the last view, `view_token` its name, `view_tokens` its estimate.
        protection: what the last view held verbatim.
        stand_ins: results that others stand for, by digest.
        decided_turns: turns there were when the form of the view was last decided.
        model: that read the last view; empty when not told.
        sent_tokens: of the last view, and of what it stands for; None before the first.
        turn_runs: whether the call that comes belongs to the newest turn here.
        broken_off_at: how many messages there were when that was last not so although
            the newest turn has no answer; 0 for never.
        last_call_ms: time of the last model call that is known; 0 for none.
    """

    messages: list[Message] = field(default_factory=list)
    turn_starts: list[int] = field(default_factory=list)
    gone: int = 0
    raw_tokens: int = 0
    segments: list[Segment] = field(default_factory=list)
    placements: list[Placement] = field(default_factory=list)
    standing: list[Placement] = field(default_factory=list)
    folds: tuple[Fold, ...] = ()
    with_tool: bool = True
    ops: tuple[Op, ...] = ()
    view_token: bytes = b""
    view_tokens: int = 0
    protection: Protection = ALL_VERBATIM
    stand_ins: dict[bytes, StandIn] = field(default_factory=dict)
    decided_turns: int = 0
    model: str = ""
    sent_tokens: tuple[int, int] | None = None
    turn_runs: bool = False
    broken_off_at: int = 0
    last_call_ms: int = 0
    _chain: bytes = b""
    _places: Places = field(default_factory=Places)
    _tokens: int = 0
    _went: _Went = _NOTHING_WENT
    _marks: OrderedDict[bytes, _Mark] = field(default_factory=OrderedDict)

    @property
    def lead(self) -> int:
        """How many messages at the head are summaries that the host made."""
        lead = 0
        while lead < len(self.messages) and self.messages[lead].role in SUMMARY_ROLES:
            lead += 1
        return lead

    @property
    def settled(self) -> int:
        """Messages before this index change in the view in rounds only."""
        return min(self.protection.tail_start, self.protection.reads_start)

    def protect(self, settings: Settings, end: int | None = None) -> Protection:
        """What a view of the first `end` messages holds verbatim; of all without it."""
        if end is None or end >= len(self.messages):
            return protect(len(self.messages), self.turn_starts, settings, runs=self.turn_runs)
        # A turn that was begun behind them was the current one.
        runs = turn_is_running(self.messages[:end]) and not self.messages[end].opens_turn
        starts = self.turn_starts[: bisect_left(self.turn_starts, end)]
        return protect(end, starts, settings, runs=runs)

    @property
    def at_hand(self) -> int:
        """Index of the first message behind the lead that the host still hands over."""
        return self.lead + self.gone

    @property
    def token(self) -> bytes:
        """Names the list as it was handed over."""
        gone = self.gone.to_bytes(8, "big")
        return hashlib.sha256(self._chain + gone).digest()[:CHAIN_BYTES]

    @property
    def count(self) -> int:
        """How many messages the host handed over."""
        return len(self.messages) - self.gone

    @property
    def pending(self) -> frozenset[bytes]:
        """Digests of results that were shown raw for want of time."""
        return frozenset(digest for segment in self.segments for digest in segment.pending)

    @property
    def places(self) -> Places:
        """Where messages stand; brought up to date when it is asked for."""
        self._places.extend(self.messages[len(self._places) :])
        return self._places

    def turns(self, start: int = 0) -> list[Turn]:
        """Turns from an index on; what stands before the first one counts as a turn."""
        starts = self.turn_starts[bisect_left(self.turn_starts, start) :]
        if start < len(self.messages) and (not starts or starts[0] > start):
            starts = [start, *starts]
        ends = [*starts[1:], len(self.messages)] if starts else []
        return [Turn(*edge) for edge in zip(starts, ends, strict=True)]

    def locate(self, base: Base) -> tuple[int, int] | None:
        """Where a caller's list goes on: messages that stand, and how many are gone then.

        None when the base is not known, or no longer a part of this list.
        """
        if base.count == 0:
            return 0, 0
        mark = self._marks.get(base.token)
        if mark is None or base.skip > base.count or (base.skip and base.lead != mark.lead):
            return None
        if base.count <= mark.lead:
            return base.count, 0
        kept = base.count + mark.gone
        return (kept, mark.gone + base.skip) if kept <= mark.end else None

    def replace_tail(self, kept: int, tail: Sequence[Message]) -> None:
        """Make the list its first `kept` messages followed by `tail`."""
        if kept < len(self.messages):
            self._marks = OrderedDict((t, m) for t, m in self._marks.items() if m.end <= kept)
            self._tokens -= sum(message.tokens for message in self.messages[kept:])
            self._places.cut(kept)
            self._went = _NOTHING_WENT
            del self.messages[kept:]
            del self.turn_starts[bisect_left(self.turn_starts, kept) :]
            self._chain = chain_of(self.messages)
        starts = (at for at, message in enumerate(tail, start=kept) if message.opens_turn)
        self.turn_starts.extend(starts)
        self.messages.extend(tail)
        self._chain = chain_of(tail, self._chain)
        self._tokens += sum(message.tokens for message in tail)

    def hand_over(self, gone: int) -> None:
        """Note that the list was handed over without `gone` messages behind the lead."""
        lead = self.lead
        self.gone = min(gone, len(self.messages) - lead)
        self._went = self._note_gone(lead)
        self.raw_tokens = self._tokens - self._went.tokens
        token = self.token
        self._marks[token] = _Mark(lead, self.gone, len(self.messages))
        self._marks.move_to_end(token)
        while len(self._marks) > _KEPT_MARKS:
            self._marks.popitem(last=False)

    def _note_gone(self, lead: int) -> _Went:
        before = self._went
        if before.lead != lead or before.gone > self.gone:
            before = _Went(lead)
        newly = self.messages[lead + before.gone : lead + self.gone]
        tokens = before.tokens + sum(message.tokens for message in newly)
        return _Went(lead, self.gone, tokens)
