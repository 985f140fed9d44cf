"""Rows of equal build, seen column by column: what is constant, what stands out.

Works on strings, whatever the rows were: fields of a table, values of JSON
objects, words of log lines with the same shape. No column is known by name.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from flowctx.reducers.shapes import mask_text

ColumnKind = Literal["constant", "number", "text"]

# A value is rare when at most this share of the rows has it ...
_RARE_SHARE = 0.02
# ... while the values that are not rare cover at least this share.
_COMMON_SHARE = 0.9
# Distance from the median, in robust standard deviations, of an outlier.
_OUTLIER_Z = 6.0
# Makes the median absolute deviation comparable to a standard deviation (1 / Φ⁻¹(3/4)).
_MAD_SCALE = 1.4826
_MAX_OUTLIERS = 6
_MIN_ROWS = 5
# Columns with more values than this are told by their number.
_MAX_NAMED = 6
_NUMBER = re.compile(
    r"\s*[$€£¥<>~≈]?([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][-+]\d+)?)"
    r"\s?(?:%|[munµ]?s|m|h|d|x|[kKMGTP]?i?[bB]?)\s*"
)


@dataclass(frozen=True, slots=True)
class Column:
    """What a column holds.

    Attributes:
        name: as the content names it; may be empty.
        kind: constant, number or text.
        distinct: how many values there are.
        counts: how often a value stands in it, for the most frequent ones.
        low, high: rows with the smallest and largest number; -1 for others.
        scores: how far a row stands out here, in bits; rows that do not are absent.
    """

    name: str
    kind: ColumnKind
    distinct: int
    counts: tuple[tuple[str, int], ...]
    low: int
    high: int
    scores: dict[int, float]


def judge_column(name: str, values: Sequence[str]) -> Column:
    """Find a column's kind and the rows that stand out in it."""
    counts = Counter(values)
    common, distinct = tuple(counts.most_common(_MAX_NAMED)), len(counts)
    if len(counts) == 1:
        return Column(name, "constant", distinct, common, -1, -1, {})
    numbers = _numbers(values) if len(counts) > 2 else None
    if numbers is not None:
        low, high = _extremes(numbers)
        scores = _outliers(numbers)
        return Column(name, "number", distinct, common, low, high, scores or _rare(values, counts))
    scores = _rare(values, counts)
    if not scores:
        shapes = mask_text("\n".join(value.replace("\n", " ") for value in values)).split("\n")
        scores = {row: 0.8 * bits for row, bits in _rare(shapes, Counter(shapes)).items()}
    return Column(name, "text", distinct, common, -1, -1, scores)


def score_rows(columns: Iterable[Column]) -> dict[int, float]:
    """How far each row stands out in all columns together, in bits."""
    total: dict[int, float] = {}
    for column in columns:
        for row, bits in column.scores.items():
            total[row] = total.get(row, 0.0) + bits
    return total


def describe_column(column: Column, values: Sequence[str]) -> str:
    """A column in a few words: its constant, its few values with counts, or its range."""
    if column.kind == "constant":
        return f"{column.name} = {_short(values[0])} in all"
    if column.kind == "number":
        low, high = values[column.low], values[column.high]
        return f"{column.name} {_short(low)} to {_short(high)}"
    if column.distinct <= _MAX_NAMED and column.counts[0][1] > 1:
        shown = ", ".join(f"{_short(value)} {count}" for value, count in column.counts)
        return f"{column.name}: {shown}"
    return f"{column.name} ({column.distinct} values)"


def as_number(value: str) -> float | None:
    """A field as a number, thousands separators and a unit aside; None when it is none."""
    match = _NUMBER.fullmatch(value)
    if match is None or not match.group(1).strip("+-"):
        return None
    number = float(match.group(1).replace(",", ""))
    return number if math.isfinite(number) else None


def _short(value: str) -> str:
    flat = " ".join(value.split()) or '""'
    return flat if len(flat) <= 40 else f"{flat[:39]}…"


def _numbers(values: Sequence[str]) -> list[float | None] | None:
    probe = [as_number(value) for value in values[:20]]
    if sum(number is not None for number in probe) < 0.8 * len(probe):
        return None
    numbers = [as_number(value) for value in values]
    known = sum(number is not None for number in numbers)
    return numbers if known >= 0.9 * len(values) else None


def _extremes(numbers: Sequence[float | None]) -> tuple[int, int]:
    known = [(number, row) for row, number in enumerate(numbers) if number is not None]
    return min(known)[1], max(known, key=lambda pair: (pair[0], -pair[1]))[1]


def _rare(values: Sequence[str], counts: Counter[str]) -> dict[int, float]:
    total = len(values)
    if total < _MIN_ROWS:
        return {}
    limit = max(1, math.floor(total * _RARE_SHARE))
    rare = {value: math.log2(total / count) for value, count in counts.items() if count <= limit}
    if not rare or total - sum(counts[value] for value in rare) < _COMMON_SHARE * total:
        return {}
    return {row: rare[value] for row, value in enumerate(values) if value in rare}


def _outliers(numbers: Sequence[float | None]) -> dict[int, float]:
    known = sorted(number for number in numbers if number is not None)
    if len(known) < _MIN_ROWS:
        return {}
    middle = known[len(known) // 2]
    spread = sorted(abs(number - middle) for number in known)[len(known) // 2] * _MAD_SCALE
    # Where most are equal, a hundredth of the value is taken as its noise.
    spread = max(spread, abs(middle) * 0.01, 1e-9)
    far = [
        (abs(number - middle) / spread, row)
        for row, number in enumerate(numbers)
        if number is not None and abs(number - middle) > _OUTLIER_Z * spread
    ]
    odd = {row: 0.8 * math.log2(len(numbers)) for row, n in enumerate(numbers) if n is None}
    if len(far) > max(_MAX_OUTLIERS, len(known) // 20):
        far = [pair for pair in far if pair[0] > 10 * _OUTLIER_Z]
    far.sort(key=lambda pair: (-pair[0], pair[1]))
    return odd | {row: 2 + math.log2(distance) for distance, row in far[:_MAX_OUTLIERS]}
