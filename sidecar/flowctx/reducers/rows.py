"""Rows of a table, whatever they were written in: which to show, and what to say of all.

A row is worth showing when it stands out in a column, speaks of an error, or
stands at an end. The rest is told by columns: constants, few values with
counts, ranges.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from flowctx.reducers.columns import Column, describe_column, judge_column, score_rows
from flowctx.reducers.draft import one_line
from flowctx.reducers.leaves import Leaf
from flowctx.reducers.sayings import telling_rows
from flowctx.reducers.values import ABSENT

# A row with fewer bits than this over the usual hardly differs from the others; of few rows,
# than this part of what it takes to tell one of them.
_TELLING_BITS, _TELLING_PART = 4.0, 0.75
_MAX_COLUMNS = 40
# More columns are judged where the rows are so few that this many fields hold them.
_MAX_FIELDS = 40_000
# What at most this share of the rows have at all is odd, whatever it holds.
_FEW_SHARE, _MIN_TOLD = 0.02, 10
_NOTE_CHARS = 420
# Rows with cues tell something apart only where they are few; where more than a few have
# some, the word may well be a value, and a row counts by how rare such rows are.
_CUED_SHARE = 0.2
_MIN_CUED, _CUED_EXAMPLES = 3, 2
_MAX_CUED_SHARE = 0.6
# Ranks: odd rows by their bits above this, plain rows below the second figure.
ODD_RANK, PLAIN_RANK = 20.0, 10.0
_CUE_BONUS, _MAX_SELDOM_BITS = 10.0, 8.0
_FIRST_RANK, _LAST_RANK = 26.0, 19.0
_BEFORE_ENDS, _JUST_ABOVE = 6, 0.01


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows seen by columns.

    Attributes:
        count: number of rows.
        values: per column, its field in each row.
        columns: what each column holds.
        nested: columns of what stands inside arrays, several values or none in a row.
        single: those of them that have one value in each row.
        inside: what is odd in those, by row.
    """

    count: int
    values: tuple[Sequence[str], ...]
    columns: tuple[Column, ...]
    nested: frozenset[str] = frozenset()
    inside: Mapping[int, frozenset[Leaf]] = field(default_factory=dict)
    single: frozenset[str] = frozenset()


def read_fields(rows: Sequence[Sequence[str]], names: Sequence[str]) -> Rows:
    """Rows given as lists of fields; missing fields are absent, surplus ones only counted."""
    width = min(len(names), max(_MAX_COLUMNS, _MAX_FIELDS // max(len(rows), 1)))
    values = tuple([row[at] if at < len(row) else ABSENT for row in rows] for at in range(width))
    judged = _judge(len(rows), names[:width], values)
    if max(map(len, rows), default=0) <= len(names):
        return judged
    widths = [str(len(row)) for row in rows]
    counted = judge_column("fields a row", widths)
    columns = (counted._replace(kind="text"), *judged.columns)
    return replace(judged, values=(widths, *values), columns=columns)


def read_records(records: Sequence[Mapping[str, str]]) -> Rows:
    """Rows given as records of named fields."""
    names = list(dict.fromkeys(name for record in records for name in record))[:_MAX_COLUMNS]
    values = tuple([record.get(name, ABSENT) for record in records] for name in names)
    return _judge(len(records), names, values)


def with_nested(rows: Rows, nested: Mapping[str, Sequence[tuple[int, str]]]) -> Rows:
    """The same rows with what stands inside their arrays, all of one path as a column.

    Args:
        rows: the rows.
        nested: by path, the row each value stands in, and the value.
    """
    columns, pools = list(rows.columns), list(rows.values)
    inside: dict[int, set[Leaf]] = {}
    for path, found in list(nested.items())[:_MAX_COLUMNS]:
        values = [value for _, value in found]
        column = judge_column(path, values)
        scores: dict[int, float] = {}
        for at, bits in (column.scores | _held_by_few(found, rows.count)).items():
            row = found[at][0]
            scores[row] = max(scores.get(row, 0.0), bits)
            inside.setdefault(row, set()).add(Leaf(path, values[at]))
        columns.append(column._replace(scores=scores))
        pools.append(values)
    names = frozenset(column.name for column in columns[len(rows.columns) :])
    odd = {row: frozenset(leaves) for row, leaves in inside.items()}
    each = list(range(rows.count))
    single = frozenset(path for path in names if [row for row, _ in nested[path]] == each)
    return Rows(rows.count, tuple(pools), tuple(columns), names, odd, single)


def _held_by_few(found: Sequence[tuple[int, str]], count: int) -> dict[int, float]:
    """Every value of a path that hardly any row has; none of other paths."""
    holders = len({row for row, _ in found})
    if count < _MIN_TOLD or holders > max(1, count * _FEW_SHARE):
        return {}
    return dict.fromkeys(range(len(found)), math.log2(count / holders))


def rank_rows(rows: Rows, cued: Collection[int] = ()) -> dict[int, float]:
    """Rank of each row: odd ones from 20 on, plain ones below 10, the ends between."""
    scores = score_rows(rows.columns)
    usual = sorted(scores.get(at, 0.0) for at in range(rows.count))[rows.count // 2]
    ranks = {at: PLAIN_RANK * (1 - at / rows.count) - 0.1 for at in range(rows.count)}
    for column in rows.columns:
        for at, bits in column.seldom.items() if column.name not in rows.nested else ():
            ranks[at] = max(ranks[at], PLAIN_RANK + min(bits, _MAX_SELDOM_BITS))
    for at, over in _said(rows).items():
        ranks[at] = max(ranks[at], PLAIN_RANK + over)
    telling = min(_TELLING_BITS, _TELLING_PART * math.log2(max(rows.count, 2)))
    for at, bits in scores.items():
        if bits > usual:
            least = ODD_RANK if bits - usual >= telling else PLAIN_RANK
            ranks[at] = max(ranks[at], least + bits - usual)
    if len(cued) <= _MAX_CUED_SHARE * rows.count:
        for order, at in enumerate(sorted(cued, key=lambda row: (-ranks[row], row))):
            ranks[at] = max(ranks[at], ODD_RANK) + _cue_bonus(order, len(cued), rows.count)
    return ranks | _rank_ends(ranks)


def _said(rows: Rows) -> dict[int, float]:
    """The rows whose text says more than the others'."""
    outer = [at for at, column in enumerate(rows.columns) if column.name not in rows.nested]
    return telling_rows([rows.columns[at] for at in outer], [rows.values[at] for at in outer])


def _rank_ends(ranks: Mapping[int, float]) -> dict[int, float]:
    """The first and the last row come behind the oddest few, however many others are odd."""
    last = len(ranks) - 1
    ordered = sorted(ranks.values(), reverse=True)
    enough = ordered[min(_BEFORE_ENDS, last)] + _JUST_ABOVE
    ends = ((last, _LAST_RANK, enough), (0, _FIRST_RANK, enough + _JUST_ABOVE))
    return {at: max(ranks[at], least, above) for at, least, above in ends}


def _cue_bonus(order: int, cued: int, count: int) -> float:
    """What a cue adds to the rank of a row, the first of those that have one before the others."""
    if cued <= _MIN_CUED or (order < _CUED_EXAMPLES and cued <= _CUED_SHARE * count):
        return _CUE_BONUS
    return min(math.log2(count / cued), _CUE_BONUS) if cued <= _CUED_SHARE * count else 0.0


def describe_rows(rows: Rows, unit: str = "rows", *, total: int | None = None) -> str:
    """Row count and what each column holds, on one line; of many columns the odd ones first.

    Args:
        rows: the rows that were looked at.
        unit: what they are called.
        total: how many there are, where not all were looked at.
    """
    pairs = list(zip(rows.columns, rows.values, strict=True))
    texts = [describe_column(c, values, counted=c.name in rows.nested) for c, values in pairs]
    head = f"{rows.count if total is None else total} {unit}"
    told = _fitting(texts, [max(c.scores.values(), default=0.0) for c in rows.columns], len(head))
    if total is None:
        return one_line([head, *told])
    return f"{head}; of {rows.count} looked at, the odd and a sample: {one_line(told)}"


def _fitting(texts: Sequence[str], worth: Sequence[float], used: int) -> list[str]:
    """The texts that a note has room for, the worthiest chosen first, dots for those between."""
    chosen: set[int] = set()
    for at in sorted(range(len(texts)), key=lambda at: (-worth[at], at)):
        used += len(texts[at]) + 2
        if used > _NOTE_CHARS:
            break
        chosen.add(at)
    told = [texts[at] if at in chosen else "…" for at in range(len(texts))]
    return [text for at, text in enumerate(told) if text != "…" or told[at - 1 : at] != ["…"]]


def _judge(count: int, names: Sequence[str], values: tuple[Sequence[str], ...]) -> Rows:
    columns = tuple(judge_column(name, each) for name, each in zip(names, values, strict=True))
    return Rows(count, values, columns)
