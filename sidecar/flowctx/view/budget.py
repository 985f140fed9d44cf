"""What must fold so that a view fits its budget.

The host enforces no budget on what an engine returns, so the engine must. The
oldest messages go first, at edges that split no call turn; the newest user
message and what stands behind it stay as long as anything else can go.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from flowctx.model import Message
from flowctx.view.pairing import Pairing
from flowctx.view.turns import turn_is_running

# Fold down to this share of the budget, so that not every turn has to fold again.
_TARGET = 0.6
# What a digest may take of the budget, and never more than this many tokens.
_DIGEST_SHARE = 0.15
_DIGEST_MAX_TOKENS = 4000


@dataclass(frozen=True, slots=True)
class Cut:
    """Runs of messages to fold, oldest first, and how large each digest may be."""

    runs: tuple[tuple[int, int], ...]
    digest_tokens: int


def choose_cut(
    messages: Sequence[Message],
    costs: Sequence[int],
    pairing: Pairing,
    budget: int,
    at_least: int = 0,
) -> Cut:
    """Choose what to fold.

    Args:
        messages: all that are known.
        costs: tokens each message takes in the view; results count at their call turn.
        pairing: of the whole run.
        budget: tokens the view may take.
        at_least: everything before this message, an edge, is folded in any case.
    """
    digest_tokens = min(int(budget * _DIGEST_SHARE), _DIGEST_MAX_TOKENS)
    floor = _newest_user(messages, at_least)
    # The newest user message stands in any case, so what it costs is not to be had.
    room = budget - digest_tokens - (costs[floor] if floor is not None else 0)
    target = max(int(budget * _TARGET) - (budget - room), 0)
    start = _first_kept(messages, costs, pairing, _Limits(target, max(room, 0), floor))
    start = max(start, at_least)
    if floor is None or start <= floor:
        return Cut(_runs((0, start)), digest_tokens)
    # Two digests then share the room: before the newest user message, and behind it.
    return Cut(_runs((0, floor), (floor + 1, start)), digest_tokens // 2)


def choose_window_cut(messages: Sequence[Message], pairing: Pairing, start: int) -> int:
    """What to fold when the host's window has moved: up to where little is left of it.

    Messages go with every turn from then on, so the fold reaches ahead: what
    is left behind it is `_TARGET` of the window, or the newest turn where that
    is larger, and nothing changes until the window gets there.

    Args:
        messages: all that are known.
        pairing: of the whole run.
        start: the first message that is still at hand.
    """
    room = sum(message.tokens for message in messages[start:]) * _TARGET
    turn_edge = edge = len(messages)
    spent = 0
    for at in range(len(messages) - 1, start - 1, -1):
        spent += messages[at].tokens
        if spent > room and turn_edge < len(messages):
            break
        if messages[at].opens_turn:
            turn_edge = at
        if is_edge(messages, pairing, at) and (spent <= room or edge == len(messages)):
            edge = at
    return turn_edge if turn_edge < len(messages) else edge


def next_edge(messages: Sequence[Message], pairing: Pairing, at: int) -> int:
    """The first edge from a message on."""
    while not is_edge(messages, pairing, at):
        at += 1
    return at


def is_edge(messages: Sequence[Message], pairing: Pairing, at: int) -> bool:
    """True where a view may begin: no call turn has parts on both sides."""
    if at >= len(messages):
        return True
    return not messages[at].is_result or at in pairing.dropped


@dataclass(frozen=True, slots=True)
class _Limits:
    target: int
    room: int
    floor: int | None


def _first_kept(
    messages: Sequence[Message], costs: Sequence[int], pairing: Pairing, limits: _Limits
) -> int:
    """The first message that stays: at a turn edge if the newest turn leaves the choice."""
    inside = turn_edge = len(messages)
    spent = 0
    for at in range(len(messages) - 1, -1, -1):
        spent += 0 if at == limits.floor else costs[at]
        if messages[at].opens_turn and spent <= (
            limits.room if turn_edge == len(messages) else limits.target
        ):
            turn_edge = at
        if spent <= limits.target and is_edge(messages, pairing, at):
            inside = at
        if spent > limits.room:
            break
    return turn_edge if turn_edge < len(messages) else inside


def _newest_user(messages: Sequence[Message], start: int) -> int | None:
    """Index of the user message of the running turn, if it stands from `start` on."""
    if not turn_is_running(messages):
        return None
    back = range(len(messages) - 1, start - 1, -1)
    return next((at for at in back if messages[at].opens_turn), None)


def _runs(*runs: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    return tuple((start, end) for start, end in runs if end > start)
