"""Objects of one build whose parts have names of their own, as columns.

In `{"mail": {"smtp": {"on": true}}, "web": {"http": {"on": true}}}` the members
share no path, and yet both hold what can be compared: `*.on`.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from flowctx.reducers.leaves import as_leaf

Columns = Mapping[str, Sequence[tuple[int, str]]]

_MIN_ROWS = 6
# A name is shared when at least this part of the objects beside each other have it ...
_SHARED = 0.5
# ... and a column when this part of the rows do; most of all values must stand in such columns.
_COVERED, _IN_COLUMNS = 0.8, 0.6
_MAX_DEPTH = 8
_MAX_LEAVES = 20_000


def read_own_named(values: Sequence[Any]) -> Columns:
    """What the objects hold, by path, own names as "*": the object of each value, and the value.

    Nothing where the objects are too few or of different builds.
    """
    held = [(row, value) for row, value in enumerate(values) if isinstance(value, dict)]
    if len(held) < _MIN_ROWS or len(held) < _COVERED * len(values):
        return {}
    found: dict[str, list[tuple[int, str]]] = {}
    pending: list[tuple[str, list[tuple[int, dict[str, Any]]], int]] = [("", held, 0)]
    left = _MAX_LEAVES
    while pending:
        path, objects, depth = pending.pop()
        left -= sum(len(value) for _, value in objects)
        if left < 0:
            return {}
        for name, parts in _open(path, objects, depth, found).items():
            pending.append((name, parts, depth + 1))
    return found if _are_columns(found, len(values)) else {}


def _open(
    path: str,
    objects: Sequence[tuple[int, Mapping[str, Any]]],
    depth: int,
    found: dict[str, list[tuple[int, str]]],
) -> Mapping[str, list[tuple[int, dict[str, Any]]]]:
    """The objects in some objects by path; what else they hold is found."""
    rows = len({row for row, _ in objects})
    counts = Counter(key for _, value in objects for key in value)
    inner = defaultdict(list)
    for row, value in objects:
        for key, part in value.items():
            if isinstance(part, dict) and part and depth < _MAX_DEPTH:
                name = key if counts[key] >= _SHARED * rows else "*"
                inner[f"{path}.{name}" if path else name].append((row, part))
            else:
                name = f"{path}.{key}" if path else key
                found.setdefault(name, []).append((row, as_leaf(part)))
    return inner


def _are_columns(found: Columns, rows: int) -> bool:
    columns = [
        values for values in found.values() if len({row for row, _ in values}) >= _COVERED * rows
    ]
    total = sum(map(len, found.values()))
    return bool(columns) and sum(map(len, columns)) >= _IN_COLUMNS * total
