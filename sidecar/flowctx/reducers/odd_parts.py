"""Which parts of a large row make it odd: they are shown before its other parts."""

from collections.abc import Collection, Iterable, Mapping

from flowctx.reducers.rows import ODD_RANK, Rows

# The part of the room one row may take at most, and all odd ones together.
_ODD_CAP, _PLAIN_CAP, _ODD_SHARE = 0.5, 0.2, 0.6
# Less of an odd row does not tell why it is odd.
_MIN_ODD_CHARS, _WHOLE_CHARS = 420, 700
# Values of a column that names rows are at most this long.
_MAX_NAME_CHARS = 60
_NAMES = ("name", "id", "key", "title", "number", "path")


def odd_parts(rows: Rows) -> dict[int, frozenset[str]]:
    """By row, the paths of what it holds unlike the others, and of what it is called."""
    name = _naming_column(rows)
    parts: dict[int, set[str]] = {}
    for column in rows.columns:
        for row in column.scores:
            parts.setdefault(row, {name} if name else set()).add(column.name)
    return {row: frozenset(paths) for row, paths in parts.items()}


def _naming_column(rows: Rows) -> str:
    """The path of a column that gives nearly every row a name of its own; empty without one."""
    for column, values in zip(rows.columns, rows.values, strict=True):
        is_named = column.name.rsplit(".", 1)[-1].lower().lstrip("@") in _NAMES
        is_own = column.distinct >= 0.9 * rows.count and len(values) == rows.count
        if is_named and is_own and max(map(len, values)) <= _MAX_NAME_CHARS:
            return column.name
    return ""


def parts_below(paths: Iterable[str], key: str) -> frozenset[str]:
    """Of some paths those that lead into a member, from there on; "" for the member itself.

    Args:
        paths: the paths, names of their own as "*", elements of lists as "[]".
        key: the member's name; empty for an element of a list.
    """
    # What is odd as a whole is so in all that it holds.
    below: set[str] = {path for path in paths if not path}
    for path in paths:
        for head in (key, "*") if key else ("[]",):
            if path == head:
                below.add("")
            elif path.startswith((f"{head}.", f"{head}[]")):
                below.add(path[len(head) :].removeprefix("."))
    return frozenset(below)


def caps_of(
    ranks: Mapping[int, float], sizes: Mapping[int, int], room: int, known: Collection[int]
) -> dict[int, int]:
    """The room each row may take at most: odd ones share it, plain ones get little.

    Args:
        ranks: rank by row; of the first and the last row it may be that of an odd one.
        sizes: characters of each row.
        room: characters for all of them.
        known: rows of which it is known what makes them odd.
    """
    ends = {0, len(ranks) - 1}.difference(known)
    odd = [at for at, rank in ranks.items() if rank > ODD_RANK and at not in ends]
    usual = sorted(sizes[at] for at in odd)[len(odd) // 2] if odd else 0
    cap = int(room * _ODD_CAP)
    # Rows of a few lines are shown whole or not at all.
    if usual > _WHOLE_CHARS:
        cap = min(max(int(room * _ODD_SHARE / len(odd)), _MIN_ODD_CHARS), cap)
    plain = int(room * _PLAIN_CAP)
    return {
        **dict.fromkeys(ranks, plain),
        **dict.fromkeys(odd, cap),
        **dict.fromkeys(ends, min(plain, cap)),
    }
