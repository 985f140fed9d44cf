"""Members of an object that is used as a map: those whose value is unlike the others'."""

from collections.abc import Sequence
from typing import Any

from flowctx.reducers.columns import judge_column, score_rows
from flowctx.reducers.leaves import as_leaf
from flowctx.reducers.nodes import Node

# Fewer values are no sample of what is usual.
_MIN_VALUES = 6
_CONTAINERS = frozenset((dict, list))


def odd_members(members: Sequence[Node]) -> dict[int, float]:
    """How far members stand out among each other, by build and by value, in bits."""
    scores = score_rows([judge_column("", [_build(member) for member in members])])
    pairs = [(at, value) for at, member in enumerate(members) for value in _values(member.value)]
    if len(pairs) < _MIN_VALUES:
        return scores
    for place, bits in judge_column("", [value for _, value in pairs]).scores.items():
        at = pairs[place][0]
        scores[at] = max(scores.get(at, 0.0), bits)
    return scores


def _build(member: Node) -> str:
    """The kind of a member and what it holds; an array without items is a kind of its own."""
    if isinstance(member.value, bool) or member.value is None:
        return f"{member.kind} {member.value}"
    if member.value == []:
        return "no items"
    return ",".join(sorted(member.fields)) or member.kind


def _values(value: Any) -> list[str]:
    """A value as text, or those that an array of such holds; what an object holds is no value."""
    if isinstance(value, list):
        return [as_leaf(each) for each in value if type(each) not in _CONTAINERS]
    return [] if isinstance(value, dict) else [as_leaf(value)]
