"""Planning a view: segments of messages become ops, folds stand for what they cover.

The view of a segment (a turn, or what a fold left of one) depends on its own
messages and the decisions about its results alone. That is what lets a long
session be planned by its new end only: see `Segment`.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from flowctx.model import (
    Decision,
    Insert,
    Keep,
    Message,
    Op,
    PlacedInjection,
    Placement,
    Replace,
    View,
)
from flowctx.tokens import estimate_tokens
from flowctx.view.engine_made import lead_message, missing_result
from flowctx.view.pairing import Group, Pairing
from flowctx.view.turns import Turn

Decide = Callable[[int], Decision]

_LEAD_TOKENS = estimate_tokens(lead_message().decode()) + 4


@dataclass(frozen=True, slots=True)
class Segment:
    """The planned view of messages [start, end).

    Attributes:
        ops: in order; results stand behind their call turn.
        tokens: estimate of what the model sees.
        reduced: how many results are reduced.
        pending: digests of results that wait to be.
        reduced_tokens: estimate of the reduced results alone.
    """

    start: int
    end: int
    ops: tuple[Op, ...]
    tokens: int
    reduced: int
    pending: tuple[bytes, ...]
    reduced_tokens: int = 0


def plan_segment(
    messages: Sequence[Message], turn: Turn, pairing: Pairing, decide: Decide
) -> Segment:
    """Plan messages [turn.start, turn.end) with the pairing of the whole run around it."""
    ops: list[Op] = []
    pending: list[bytes] = []
    tokens = reduced = reduced_tokens = 0
    for at in range(turn.start, turn.end):
        message = messages[at]
        # Results are planned with their call turn; one without a call goes.
        if message.is_result or is_left_out(message):
            continue
        ops.append(Keep(at, at + 1))
        tokens += message.tokens
        group = pairing.groups.get(at)
        if group is not None:
            answer = _plan_group(messages, group, decide)
            ops.extend(answer.ops)
            tokens += answer.tokens
            reduced += answer.reduced
            reduced_tokens += answer.reduced_tokens
            pending.extend(answer.pending)
    return Segment(
        start=turn.start,
        end=turn.end,
        ops=tuple(merge_keeps(ops)),
        tokens=tokens,
        reduced=reduced,
        pending=tuple(pending),
        reduced_tokens=reduced_tokens,
    )


def join_view(
    messages: Sequence[Message],
    folds: Sequence[Placement],
    segments: Iterable[Segment],
    injections: Sequence[PlacedInjection] = (),
) -> View:
    """Put folds, segments and injections in order into one view.

    Folds and segments together must cover all messages; injections behind a
    turn that a fold covers are left out.
    """
    parts: list[Placement | Segment] = sorted([*folds, *segments], key=lambda part: part.start)
    joined = _Joined()
    waiting = deque(sorted(injections, key=lambda placed: placed.at))
    for part in parts:
        if isinstance(part, Placement):
            joined.add(part.fold.body, part.fold.tokens)
        else:
            _add_all(joined, waiting, before=0)
            joined.add_segment(part)
        while waiting and 0 <= waiting[0].at < part.end:
            placed = waiting.popleft()
            if isinstance(part, Segment) and placed.at >= part.start:
                joined.add(placed.injection.body, placed.injection.tokens)
    _add_all(joined, waiting, before=0)
    if _begins_with_assistant(messages, joined.ops):
        joined.ops.insert(0, Insert(lead_message()))
        joined.tokens += _LEAD_TOKENS
    return View(
        ops=tuple(merge_keeps(joined.ops)),
        tokens=joined.tokens,
        reduced=joined.reduced,
        pending=joined.pending,
        folds=tuple(placed.fold for placed in folds),
    )


@dataclass(slots=True)
class _Joined:
    ops: list[Op] = field(default_factory=list)
    tokens: int = 0
    reduced: int = 0
    pending: int = 0

    def add(self, body: bytes, tokens: int) -> None:
        self.ops.append(Insert(body))
        self.tokens += tokens

    def add_segment(self, segment: Segment) -> None:
        self.ops.extend(segment.ops)
        self.tokens += segment.tokens
        self.reduced += segment.reduced
        self.pending += len(segment.pending)


def _add_all(joined: _Joined, waiting: deque[PlacedInjection], *, before: int) -> None:
    while waiting and waiting[0].at < before:
        placed = waiting.popleft()
        joined.add(placed.injection.body, placed.injection.tokens)


def merge_keeps(ops: Iterable[Op]) -> Iterable[Op]:
    """Join keeps that follow on one another."""
    held: Keep | None = None
    for op in ops:
        if isinstance(op, Keep) and held is not None and held.end == op.start:
            held = Keep(held.start, op.end)
            continue
        if held is not None:
            yield held
        held = op if isinstance(op, Keep) else None
        if held is None:
            yield op
    if held is not None:
        yield held


def is_left_out(message: Message) -> bool:
    """True for an assistant message with nothing in it, which providers refuse."""
    return message.role == "assistant" and message.is_blank


def message_costs(messages: Sequence[Message], pairing: Pairing, decide: Decide) -> list[int]:
    """Tokens each message takes in the view; results count at their call turn."""
    costs = [
        0 if message.is_result or is_left_out(message) else message.tokens for message in messages
    ]
    for at, group in pairing.groups.items():
        costs[at] += _plan_group(messages, group, decide).tokens
    return costs


@dataclass(slots=True)
class _Answers:
    ops: list[Op] = field(default_factory=list)
    tokens: int = 0
    reduced: int = 0
    reduced_tokens: int = 0
    pending: list[bytes] = field(default_factory=list)


def _plan_group(messages: Sequence[Message], group: Group, decide: Decide) -> _Answers:
    answers = _Answers()
    for at in group.results:
        message, decision = messages[at], decide(at)
        if decision.state == "reduced":
            answers.ops.append(Replace(at, decision.text))
            shown = message.tokens - message.text_tokens + decision.tokens
            answers.tokens += shown
            answers.reduced_tokens += shown
            answers.reduced += 1
        else:
            answers.ops.append(Keep(at, at + 1))
            answers.tokens += message.tokens
            if decision.state == "pending":
                answers.pending.append(message.digest)
    for call in group.unanswered:
        body = missing_result(call, messages[group.at].time_ms)
        answers.ops.append(Insert(body))
        answers.tokens += estimate_tokens(body.decode())
    return answers


def _begins_with_assistant(messages: Sequence[Message], ops: Sequence[Op]) -> bool:
    for op in ops:
        if isinstance(op, Insert):
            return False
        start, end = (op.start, op.end) if isinstance(op, Keep) else (op.index, op.index + 1)
        for message in messages[start:end]:
            # The host drops what has no role it knows, so it cannot come first.
            if message.role not in ("unknown", "system"):
                return message.role in ("assistant", "toolResult")
    return False
