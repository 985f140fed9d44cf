"""The leaves of parsed JSON, flat: path and value as text."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from flowctx.reducers.sampling import spread
from flowctx.reducers.values import Spelled

_DEPTH = 3
_MAX_LEAF_CHARS = 300
# Values inside arrays of rows that are looked at, all rows together, and rows that tell how many.
_MAX_NESTED, _COUNTED_ROWS = 20_000, 50
_MAX_NESTED_DEPTH = 16
# Values that hold others.
CONTAINERS = frozenset((dict, list))
# Values that are no strings of ours: containers, and true, false and null.
_TOLD_APART = CONTAINERS | {bool, type(None)}


_NO_MEASURES, _PLACE_ITEMS = _TOLD_APART | {str}, (2, 3)


class Leaf(NamedTuple):
    """A value as text, and the dotted path it stands at."""

    path: str
    value: str


def flatten(value: Any) -> dict[str, str]:
    """The leaves of an object by dotted path; what lies deeper is told by its size."""
    if _is_flat(value):
        return dict(value)
    leaves: dict[str, str] = {}
    pending: list[tuple[str, Any, int]] = [("", value, 0)]
    while pending:
        path, part, depth = pending.pop()
        if isinstance(part, dict) and depth < _DEPTH and part:
            below = [(join_path(path, str(key)), inner, depth + 1) for key, inner in part.items()]
            pending.extend(reversed(below))
        else:
            leaves[path] = as_leaf(part)
    return leaves


def _is_flat(value: Any) -> bool:
    """True for an object of short strings and numbers, which is its own leaves."""
    if type(value) is not dict or not value:
        return False
    held = value.values()
    return _TOLD_APART.isdisjoint(map(type, held)) and max(map(len, held)) <= _MAX_LEAF_CHARS


def as_leaf(value: Any) -> str:
    """A value as text: a container by its size, a long string by its beginning."""
    if isinstance(value, Spelled):
        return value
    if isinstance(value, str):
        return _clipped(value) if len(value) > _MAX_LEAF_CHARS else value
    if isinstance(value, list):
        return Spelled(f"[{len(value)} items]")
    if isinstance(value, dict):
        return Spelled(f"{{{len(value)} keys}}")
    return Spelled({None: "null", True: "true", False: "false"}.get(value, str(value)))


def _clipped(value: str) -> str:
    """The beginning of a long string, and a number that tells it from others of that beginning."""
    told_apart = crc32(value.encode("utf-8", "surrogatepass"))
    return f"{value[:_MAX_LEAF_CHARS]}… ({len(value)}, {told_apart:010})"


def rows_of_few(values: Sequence[Any], chars: int) -> int:
    """How many of some rows hold no more values inside arrays than are looked at.

    Args:
        values: the rows.
        chars: how many characters write them all; each value takes two at least.
    """
    if chars <= 2 * _MAX_NESTED:
        return len(values)
    counted = [values[at] for at in spread(len(values), _COUNTED_ROWS)]
    held = sum(sum(1 for _ in _inside("", value, 0, 0)) for value in counted if _may_nest(value))
    return len(values) if not held else _MAX_NESTED * len(counted) // held


def _may_nest(value: Any) -> bool:
    # What has no container in it has nothing below.
    return isinstance(value, dict) and not CONTAINERS.isdisjoint(map(type, value.values()))


def read_nested(values: Sequence[Any]) -> dict[str, list[tuple[int, str]]]:
    """What `flatten` tells by its size alone: by path, the row of each value, and the value."""
    found: dict[str, list[tuple[int, str]]] = {}
    for row, value in enumerate(values):
        for path, leaf in _inside("", value, 0, 0) if _may_nest(value) else ():
            found.setdefault(path, []).append((row, leaf))
    return found


def inner_leaves(path: str, value: Any, depth: int = 0) -> Iterator[Leaf]:
    """The leaves of a value that stands at a path, and its containers by their size."""
    yield Leaf(path, as_leaf(value))
    if depth > _MAX_NESTED_DEPTH:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from inner_leaves(join_path(path, str(key)), inner, depth + 1)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from inner_leaves(item_path(path, value, at), inner, depth + 1)


def _inside(path: str, value: Any, depth: int, hidden: int) -> Iterator[tuple[str, str]]:
    """Leaves below an array or below the depth that `flatten` reaches."""
    if depth > _MAX_NESTED_DEPTH:
        return
    if isinstance(value, dict):
        hidden = hidden or int(depth >= _DEPTH)
        for key, inner in value.items():
            yield from _inside(join_path(path, str(key)), inner, depth + 1, hidden)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _inside(item_path(path, value, at), inner, depth + 1, 1)
    elif hidden:
        yield path, as_leaf(value)


def item_path(path: str, items: Sequence[Any], at: int) -> str:
    """The path of an item: of all items one, but where each has a meaning of its own.

    Two or three measures are a place or a range: latitudes are not compared to longitudes.
    """
    return f"{path}[{at}]" if len(items) in _PLACE_ITEMS and _are_measures(items) else f"{path}[]"


def _are_measures(items: Sequence[Any]) -> bool:
    return any(
        isinstance(each, float) or (isinstance(each, Spelled) and "." in each) for each in items
    ) and not any(type(each) in _NO_MEASURES for each in items)


def join_path(path: str, key: str) -> str:
    """The path of a member below another."""
    return f"{path}.{key}" if path else key
