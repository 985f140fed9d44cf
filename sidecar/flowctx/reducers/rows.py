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
from flowctx.reducers.leaves import Leaf, Nested
from flowctx.reducers.values import ABSENT

# A row with fewer bits than this over the usual hardly differs from the others.
_TELLING_BITS = 4.0
_MAX_COLUMNS = 40
# What at most this share of the rows have at all is odd, whatever it holds.
_FEW_SHARE, _MIN_TOLD = 0.02, 10
_NOTE_CHARS = 420
# Rows with cues tell something apart only where they are few.
_CUED_SHARE = 0.2
_MIN_CUED = 3
_MAX_CUED_SHARE = 0.6
# Ranks: odd rows by their bits above this, plain rows below the second figure.
ODD_RANK, PLAIN_RANK = 20.0, 10.0
_CUE_BONUS = 10.0
_FIRST_RANK, _LAST_RANK = 26.0, 19.0


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows seen by columns.

    Attributes:
        count: number of rows.
        values: per column, its field in each row.
        columns: what each column holds.
        nested: columns of what stands inside arrays, several values or none in a row.
        inside: what is odd in those, by row.
    """

    count: int
    values: tuple[Sequence[str], ...]
    columns: tuple[Column, ...]
    nested: frozenset[str] = frozenset()
    inside: Mapping[int, frozenset[Leaf]] = field(default_factory=dict)


def read_fields(rows: Sequence[Sequence[str]], names: Sequence[str]) -> Rows:
    """Rows given as lists of fields; missing fields are absent, surplus ones left aside."""
    width = min(len(names), _MAX_COLUMNS)
    values = tuple([row[at] if at < len(row) else ABSENT for row in rows] for at in range(width))
    return _judge(len(rows), names[:width], values)


def read_records(records: Sequence[Mapping[str, str]]) -> Rows:
    """Rows given as records of named fields."""
    names = list(dict.fromkeys(name for record in records for name in record))[:_MAX_COLUMNS]
    values = tuple([record.get(name, ABSENT) for record in records] for name in names)
    return _judge(len(records), names, values)


def with_nested(rows: Rows, nested: Nested) -> Rows:
    """The same rows with what stands inside their arrays, all of one path as a column."""
    columns, pools = list(rows.columns), list(rows.values)
    inside: dict[int, set[Leaf]] = {}
    # Where not all rows were looked into, none of what is told is told of all.
    scope = f" in {nested.rows} rows" if nested.rows < rows.count else ""
    for path, found in list(nested.found.items())[:_MAX_COLUMNS]:
        values = [value for _, value in found]
        column = judge_column(f"{path}{scope}", values)
        scores: dict[int, float] = {}
        for at, bits in (column.scores | _held_by_few(found, rows.count)).items():
            row = found[at][0]
            scores[row] = max(scores.get(row, 0.0), bits)
            inside.setdefault(row, set()).add(Leaf(path, values[at]))
        columns.append(replace(column, scores=scores))
        pools.append(values)
    names = frozenset(column.name for column in columns[len(rows.columns) :])
    odd = {row: frozenset(leaves) for row, leaves in inside.items()}
    return Rows(rows.count, tuple(pools), tuple(columns), names, odd)


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
    for at, bits in scores.items():
        if bits - usual >= _TELLING_BITS:
            ranks[at] = ODD_RANK + bits - usual
    is_rare = len(cued) <= max(_MIN_CUED, _CUED_SHARE * rows.count)
    if len(cued) <= _MAX_CUED_SHARE * rows.count:
        for at in cued:
            ranks[at] = max(ranks[at], ODD_RANK) + (_CUE_BONUS if is_rare else 0.0)
    ranks[0] = max(ranks[0], _FIRST_RANK)
    ranks[rows.count - 1] = max(ranks[rows.count - 1], _LAST_RANK)
    return ranks


def describe_rows(rows: Rows, unit: str = "rows") -> str:
    """Row count and what each column holds, on one line."""
    told = [f"{rows.count} {unit}"]
    length = len(told[0])
    for column, values in zip(rows.columns, rows.values, strict=True):
        text = describe_column(column, values, counted=column.name in rows.nested)
        length += len(text) + 2
        if length > _NOTE_CHARS:
            told.append("…")
            break
        told.append(text)
    return one_line(told)


def _judge(count: int, names: Sequence[str], values: tuple[Sequence[str], ...]) -> Rows:
    columns = tuple(judge_column(name, each) for name, each in zip(names, values, strict=True))
    return Rows(count, values, columns)
