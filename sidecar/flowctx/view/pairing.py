"""Which result belongs to which call, by position.

Ids are no keys: some providers restart them every turn, others send one
constant or none. A result goes to the nearest call before it that has its id
and no real answer yet; a result that stands before its call is taken when the
call gets no other. Real text always beats a placeholder. Results that nothing
asked for are dropped; a call without any gets a synthetic one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from flowctx.model import Call, Message

# How far from its call, in messages, a displaced result is still looked for.
# It bounds what a new message can change in a view that was already built.
REACH = 128


@dataclass(frozen=True, slots=True)
class Group:
    """A call turn: the assistant message and the results that answer it.

    Attributes:
        at: index of the assistant message.
        results: indices of its results, in the order they stand; in the order of the
            calls where an id is missing, for then the order is all that pairs them.
        unanswered: calls that no result answers.
    """

    at: int
    results: tuple[int, ...]
    unanswered: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Pairing:
    """All call turns of a run of messages.

    Attributes:
        groups: by the index of the assistant message.
        placed: for each result that answers a call, the index of its call turn.
        calls: for each result that answers a call, that call.
        dropped: results that belong nowhere.
    """

    groups: dict[int, Group]
    placed: dict[int, int]
    calls: dict[int, Call]
    dropped: frozenset[int]


@dataclass(slots=True)
class _Slot:
    call: Call
    at: int
    result: int | None = None


@dataclass(slots=True)
class _Search:
    messages: Sequence[Message]
    slots: list[_Slot] = field(default_factory=list)
    early: list[int] = field(default_factory=list)
    dropped: set[int] = field(default_factory=set)


def pair_results(messages: Sequence[Message], start: int = 0, end: int | None = None) -> Pairing:
    """Pair the results in messages[start:end] with the calls there."""
    search = _Search(messages)
    for at in range(start, len(messages) if end is None else end):
        message = messages[at]
        if message.calls:
            search.slots.extend(_Slot(call, at) for call in message.calls)
        elif message.is_result:
            _place(search, at)
    _place_early(search)
    answered = {slot.result: slot for slot in search.slots if slot.result is not None}
    return Pairing(
        groups=_groups(search),
        placed={result: slot.at for result, slot in answered.items()},
        calls={result: slot.call for result, slot in answered.items()},
        dropped=frozenset(search.dropped),
    )


def _place(search: _Search, at: int) -> None:
    slot = _open_slot(search, at)
    if slot is not None:
        if slot.result is not None:
            search.dropped.add(slot.result)
        slot.result = at
    elif _repeats_an_answer(search, at):
        search.dropped.add(at)
    else:
        search.early.append(at)


def _open_slot(search: _Search, at: int) -> _Slot | None:
    """The nearest call before `at` that this result can answer better than what it has."""
    message = search.messages[at]
    nearest: _Slot | None = None
    for slot in reversed(search.slots):
        if at - slot.at > REACH or (nearest and slot.at != nearest.at):
            break
        # Inside one call turn the first open call goes first, one with the very id before all.
        if nearest and nearest.call.id == message.answers != slot.call.id:
            continue
        if _fits(slot.call, message) and _improves(search.messages, slot, message):
            nearest = slot
    return nearest


def _repeats_an_answer(search: _Search, at: int) -> bool:
    digest = search.messages[at].digest
    return any(
        slot.result is not None and search.messages[slot.result].digest == digest
        for slot in search.slots
        if at - slot.at <= REACH
    )


def _fits(call: Call, result: Message) -> bool:
    # A side without an id leaves it to the position.
    return call.id == result.answers or not call.id or not result.answers


def _improves(messages: Sequence[Message], slot: _Slot, result: Message) -> bool:
    if slot.result is None:
        return True
    held = messages[slot.result]
    if held.is_placeholder:
        return not result.is_placeholder
    return held.is_error and not result.is_error and not result.is_placeholder


def _place_early(search: _Search) -> None:
    """Give results that stand before their call to it, inside the same turn."""
    for at in search.early:
        message = search.messages[at]
        slot = next(
            (
                slot
                for slot in search.slots
                if 0 < slot.at - at <= REACH
                and _fits(slot.call, message)
                and _improves(search.messages, slot, message)
                and not any(search.messages[i].opens_turn for i in range(at, slot.at))
            ),
            None,
        )
        if slot is None:
            search.dropped.add(at)
            continue
        if slot.result is not None:
            search.dropped.add(slot.result)
        slot.result = at


def _groups(search: _Search) -> dict[int, Group]:
    by_turn: dict[int, list[_Slot]] = {}
    for slot in search.slots:
        by_turn.setdefault(slot.at, []).append(slot)
    return {
        at: Group(
            at=at,
            results=_in_order(search.messages, group),
            unanswered=tuple(slot.call for slot in group if slot.result is None),
        )
        for at, group in by_turn.items()
    }


def _in_order(messages: Sequence[Message], group: list[_Slot]) -> tuple[int, ...]:
    answered = [(slot.call, slot.result) for slot in group if slot.result is not None]
    results = [at for _, at in answered]
    has_ids = all(call.id and messages[at].answers for call, at in answered)
    return tuple(sorted(results) if has_ids else results)
