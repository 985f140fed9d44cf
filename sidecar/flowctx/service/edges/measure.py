"""Measuring a view at a turn edge: what each past turn costs, as it is and outlined."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from flowctx.config import Settings
from flowctx.dag.plan.policy import LEAST_GAIN_TOKENS, Standing, TurnCost
from flowctx.model import Keep, Message, Placement, Replace
from flowctx.service.frame import Frame
from flowctx.tokens import estimate_tokens
from flowctx.view.plan import Segment
from flowctx.view.protect import is_own_tool
from flowctx.view.turns import Turn

# The outlined turn takes this share of the window, between these tokens.
_OUTLINE_SHARE, _OUTLINE_LEAST, _OUTLINE_MOST = 0.025, 1_500, 5_000
# Of it the last steps as they are, and at least this much for the others.
_TAIL_SHARE, _STEPS_LEAST = 0.3, 600
# The pace of a session is that of so many turns.
_PACE_TURNS = 8


@dataclass(frozen=True, slots=True)
class Stretch:
    """A past turn that no digest covers, and what an outline of it would stand for.

    Attributes:
        steps: the run of messages that an outline covers; None where there is none to make.
        room: tokens that the outline may take.
    """

    turn: Turn
    cost: TurnCost
    steps: tuple[int, int] | None
    room: int


@dataclass(frozen=True, slots=True)
class Measured:
    """A view at a turn edge.

    Attributes:
        digests: that cover whole turns and may be condensed, oldest first.
        outlines: the folds inside the stretches.
    """

    standing: Standing
    digests: tuple[Placement, ...]
    outlines: tuple[Placement, ...]
    stretches: tuple[Stretch, ...]


def measure(
    frame: Frame,
    segments: Sequence[Segment],
    placements: Sequence[Placement],
    settings: Settings,
    window: int,
) -> Measured:
    """Measure the view that segments and placements make.

    Args:
        frame: its list; `settled` tells what had been sent before.
        segments: behind the folds.
        placements: of the folds.
        settings: what must not be outlined or digested.
        window: of the model, tokens.
    """
    edges = {frame.lead, *frame.turn_starts, len(frame.messages)}
    whole = [p for p in placements if p.start in edges and p.end in edges]
    inside = tuple(p for p in placements if p not in whole)
    digests = _movable(whole)
    turns = frame.turns(max([frame.lead, *(p.end for p in whole)]))
    exempt = max(settings.projection_keep_recent_turns, settings.verbatim_read_turns) - 1
    measurer = _Measurer(frame, segments, inside, _target(window))
    outlined = len(turns) - exempt if settings.projection else 0
    retrieved = frame.protect(settings).retrieved_start
    stretches = tuple(
        measurer.stretch(turn, may_outline=at < outlined and not _retrieves(frame, turn, retrieved))
        for at, turn in enumerate(turns)
    )
    keep = max(settings.summary_keep_recent_turns - 1, exempt, 0)
    has_enough = len(frame.turn_starts) >= settings.summary_min_turns
    fixed = [p for p in whole if p not in digests]
    lead = sum(message.tokens for message in frame.messages[: frame.lead])
    standing = Standing(
        head_tokens=lead + sum(p.fold.tokens for p in fixed),
        digests=tuple(p.fold.tokens for p in digests),
        turns=tuple(stretch.cost for stretch in stretches),
        foldable=max(len(turns) - keep, 0) if has_enough else 0,
    )
    return Measured(standing, digests, inside, stretches)


def calls_ahead(frame: Frame) -> float:
    """Model calls that a decision is taken for: those of the coming turn, as the last were.

    Where turns are small, those until a talk at this pace has brought as much as a
    round must gain, twice over: no round before could pay for itself.
    """
    starts = frame.turn_starts[-_PACE_TURNS:]
    if not starts:
        return 1.0
    last = frame.messages[starts[0] :]
    calls = sum(message.role == "assistant" for message in last)
    tokens = sum(message.tokens for message in last)
    return max(calls / len(starts), 2 * LEAST_GAIN_TOKENS * calls / max(tokens, 1))


def _retrieves(frame: Frame, turn: Turn, since: int) -> bool:
    """True for a turn, recent enough, that holds something retrieved."""
    messages = frame.messages[turn.start : turn.end] if turn.start >= since else []
    return any(message.is_result and is_own_tool(message.tool) for message in messages)


def _movable(whole: Sequence[Placement]) -> tuple[Placement, ...]:
    """The digests behind the last note: a note is the work of a model and stays."""
    notes = [at for at, placed in enumerate(whole) if placed.fold.kind != "digest"]
    return tuple(whole[notes[-1] + 1 if notes else 0 :])


def _target(window: int) -> int:
    return min(max(int(window * _OUTLINE_SHARE), _OUTLINE_LEAST), _OUTLINE_MOST)


@dataclass(frozen=True, slots=True)
class _Measurer:
    frame: Frame
    segments: Sequence[Segment]
    inside: tuple[Placement, ...]
    target: int

    def stretch(self, turn: Turn, *, may_outline: bool) -> Stretch:
        own = self._segments_of(turn)
        folded = sum(p.fold.tokens for p in self.inside if turn.start <= p.start < turn.end)
        tokens = sum(segment.tokens for segment in own) + folded
        was_sent = turn.end <= self.frame.settled
        # Most turns of a long talk are small and were sent: they need no closer look.
        is_plain = folded or not may_outline or tokens <= _STEPS_LEAST
        if was_sent and is_plain:
            return Stretch(turn, TurnCost(tokens, tokens, tokens, tokens), None, 0)
        costs: dict[int, int] = {}
        for segment in own:
            costs.update(_shown(segment, self.frame.messages))
        shared = tokens if was_sent else self._unreduced_head(turn, costs)
        steps = None if is_plain else self._steps(turn, costs)
        if steps is None:
            return Stretch(turn, TurnCost(tokens, shared, tokens, shared), None, 0)
        head = sum(cost for at, cost in costs.items() if at < steps[0])
        tail = sum(cost for at, cost in costs.items() if at >= steps[1])
        room = max(self.target - head - tail, _STEPS_LEAST)
        outlined = min(head + room + tail, tokens)
        return Stretch(turn, TurnCost(tokens, shared, outlined, min(head, shared)), steps, room)

    def _segments_of(self, turn: Turn) -> Sequence[Segment]:
        low = bisect_left(self.segments, turn.start, key=lambda segment: segment.start)
        high = bisect_left(self.segments, turn.end, key=lambda segment: segment.start)
        return self.segments[low:high]

    def _unreduced_head(self, turn: Turn, costs: dict[int, int]) -> int:
        """Tokens before the first message of a turn that the view shows in another form."""
        messages = self.frame.messages
        changed = (at for at in sorted(costs) if costs[at] != messages[at].tokens)
        end = next(changed, turn.end)
        return sum(cost for at, cost in costs.items() if at < end)

    def _steps(self, turn: Turn, costs: dict[int, int]) -> tuple[int, int] | None:
        """The run between what the user said and the last steps that stay as they are."""
        messages = self.frame.messages
        start = turn.start
        while start < turn.end and messages[start].role != "assistant":
            start += 1
        end, spent = turn.end, 0
        for at in range(turn.end - 1, start, -1):
            spent += costs.get(at, 0)
            if end < turn.end and spent > self.target * _TAIL_SHARE:
                break
            if not messages[at].is_result:
                end = at
        run = sum(cost for at, cost in costs.items() if start <= at < end)
        return (start, end) if end < turn.end and run > _STEPS_LEAST else None


def _shown(segment: Segment, messages: Sequence[Message]) -> dict[int, int]:
    shown: dict[int, int] = {}
    for op in segment.ops:
        if isinstance(op, Keep):
            shown.update((at, messages[at].tokens) for at in range(op.start, op.end))
        elif isinstance(op, Replace):
            message = messages[op.index]
            text = estimate_tokens(op.text)
            shown[op.index] = message.tokens - message.text_tokens + text
    return shown
