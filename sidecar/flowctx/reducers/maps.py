"""Members of an object that is used as a map: those whose value is unlike the others'."""

from collections.abc import Sequence
from typing import Any

from flowctx.reducers.columns import judge_column, score_rows
from flowctx.reducers.leaves import CONTAINERS, as_leaf
from flowctx.reducers.nodes import Node
from flowctx.reducers.oddity import looked_at
from flowctx.reducers.values import Spelled

# Fewer values are no sample of what is usual.
_MIN_VALUES = 6
# Of more values the odd ones are looked at, and a sample of all.
_MAX_LOOKED = 4000


def odd_members(members: Sequence[Node]) -> dict[int, float]:
    """How far members stand out among each other, by build and by value, in bits."""
    scores = score_rows([judge_column("", list(map(_build, members)))])
    pairs = [(at, value) for at, member in enumerate(members) for value in _values(member.value)]
    if len(pairs) < _MIN_VALUES:
        return scores
    if len(pairs) > _MAX_LOOKED:
        values = [value for _, value in pairs]
        pairs = [pairs[at] for at in looked_at(values, _MAX_LOOKED)]
    for place, bits in judge_column("", [value for _, value in pairs]).scores.items():
        at = pairs[place][0]
        scores[at] = max(scores.get(at, 0.0), bits)
    return scores


def _build(member: Node) -> str:
    """The kind of a member and what it holds; an array without items is a kind of its own."""
    value = member.value
    if isinstance(value, str):
        return member.kind
    if isinstance(value, bool) or value is None:
        return f"{member.kind} {value}"
    if type(value) not in CONTAINERS:
        return member.kind
    return ",".join(sorted(member.fields)) or (member.kind if value else "no items")


def _values(value: Any) -> list[str]:
    """A value as text, or those that an array of such holds; what an object holds is no value."""
    if isinstance(value, Spelled):
        return [value]
    if isinstance(value, list):
        return [as_leaf(each) for each in value if type(each) not in CONTAINERS]
    return [] if isinstance(value, dict) else [as_leaf(value)]
