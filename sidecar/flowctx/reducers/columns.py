"""Rows of equal build, seen column by column: what is constant, what stands out.

Works on strings, whatever the rows were: fields of a table, values of JSON
objects, words of log lines with the same shape. No column is known by name.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from flowctx.reducers.numerals import (
    extremes,
    other_values,
    read_numbers,
    resolution,
    short_value,
)
from flowctx.reducers.outliers import outliers
from flowctx.reducers.seldom import seldom
from flowctx.reducers.sequences import remark
from flowctx.reducers.shapes import mask_text
from flowctx.reducers.values import ABSENT, minority_types, quote_minority

# Arrays and objects inside a row are told by how many members they have.
_CONTAINER = re.compile(r"[\[{](\d+) (items|keys)[\]}]")
ColumnKind = Literal["constant", "number", "text"]

# A value is rare when at most this share of the rows has it ...
_RARE_SHARE = 0.02
# ... while the values that are not rare cover at least this share ...
_COMMON_SHARE = 0.9
# ... and when it has at most a third of the rows that a usual one has.
_TIMES_RARER = 3
# Values are not rare where chance alone makes half as many of them.
_MORE_THAN_CHANCE = 2.0
# What each doubling of the rows with a rare value takes off it, in bits.
_COMPANY_COST = 0.1
_MIN_ROWS = 5
# Columns with more values than this are told by their number.
_MAX_NAMED = 6
# What a value of another type is worth, one that stands twice where each stands once, and
# one beside which some are missing.
_TYPE_BITS, _REPEAT_BITS, _GAP_BITS = 9.0, 7.0, 5.0
_FORM_WEIGHT = 0.8
# What further columns add in which a row stands out.
_FURTHER = 0.3
# And a number that few rows have, where there are more numbers than codes have.
_NUMBER_WEIGHT, _MANY_NUMBERS = 0.4, 20
# What it says more that hardly another row has a field at all.
_FIELD_BITS = 1.0
_HOST = re.compile(r"[a-z+]{2,10}://[^/\s]{1,80}")
_HEAD_END = re.compile(r"[:/@=](?<=[\w\"'].)(?=[\w\"'/])")
_WORD, _PROBED = re.compile(r"[^\W\d_]{2,}"), 10
# All that tells nothing about the build of a value; line ends stay.
_NO_SIGNS = bytes(set(range(256)).difference(b"@/:\\#?&=%$*<>|\n"))


class Column(NamedTuple):
    """What a column holds.

    Attributes:
        name: as the content names it; may be empty.
        kind: constant, number or text.
        distinct: how many values there are.
        counts: how often a value stands in it, for the most frequent ones.
        low, high: rows with the smallest and largest number; -1 for others.
        scores: how far a row stands out here, in bits; rows that do not are absent.
        remark: values that stand twice or are missing where each should stand once.
        seldom: rows with a value that few have, in bits, whether they stand out or not.
    """

    name: str
    kind: ColumnKind
    distinct: int
    counts: tuple[tuple[str, int], ...]
    low: int
    high: int
    scores: dict[int, float]
    remark: str = ""
    seldom: Mapping[int, float] = MappingProxyType({})


def judge_column(name: str, values: Sequence[str]) -> Column:
    """Find a column's kind and the rows that stand out in it."""
    if is_constant(values):
        return Column(name, "constant", 1, ((values[0], len(values)),), -1, -1, {})
    odd = dict.fromkeys(minority_types(values), _TYPE_BITS)
    values = quote_minority(values, odd)
    counts = Counter(values)
    distinct = len(counts)
    common = tuple(counts.most_common()) if distinct <= _MAX_NAMED else ()
    if distinct == 1:
        return Column(name, "constant", distinct, common, -1, -1, {})
    said = remark(values, counts)
    told = ", ".join(part for part in (said.text, odd and f"{len(odd)} of another type") if part)
    odd |= dict.fromkeys(said.beside, _GAP_BITS) | dict.fromkeys(said.rows, _REPEAT_BITS)
    few = seldom(values, counts)
    numbers = read_numbers(values) if len(counts) > 2 else None
    if numbers is not None:
        low, high = extremes(numbers)
        if not told and None in numbers:
            told = other_values(values, numbers)
        scores = outliers(numbers, resolution(values))
        if all(numbers[row] is None for row in scores):
            rare = _rare(values, counts)
            weight = _NUMBER_WEIGHT if distinct > _MANY_NUMBERS else 1.0
            scores = {row: weight * bits for row, bits in rare.items()} | scores
        return Column(name, "number", distinct, common, low, high, scores | odd, told, few)
    scores = _rare(values, counts) or _rare_words(values) or _rare_forms(values, counts)
    if counts[ABSENT]:
        scores = {row: bits + _FIELD_BITS * (values[row] != ABSENT) for row, bits in scores.items()}
    return Column(name, "text", distinct, common, -1, -1, scores | odd, told, few)


def is_constant(values: Sequence[str]) -> bool:
    """All values are the same, and of one type."""
    first = values[0]
    return values.count(first) == len(values) and len(set(map(type, values))) == 1


def _rare_forms(values: Sequence[str], counts: Counter[str]) -> dict[int, float]:
    """Values built unlike nearly all others, which tells less than a rare value itself."""
    shape = dict(zip(counts, _shapes(list(counts)), strict=True))
    shapes = [shape[value] for value in values]
    scores = _rare(shapes, Counter(shapes)) or _rare_heads(values)
    return {row: _FORM_WEIGHT * bits for row, bits in scores.items()}


def _shapes(values: Sequence[str]) -> list[str]:
    """The shape of each value, with the signs and the host in it: no address is like a name."""
    text = "\n".join(values)
    if text.count("\n") >= len(values):
        text = "\n".join(value.replace("\n", " ") for value in values)
    masked = mask_text(text).split("\n")
    signs = text.encode("ascii", "ignore").translate(None, _NO_SIGNS).decode().split("\n")
    told = {found: "".join(sorted(set(found))) for found in set(signs)}
    return [
        f"{shape} {told[found]}"
        f"{host.group() if '://' in value and (host := _HOST.match(value)) else ''}"
        for shape, found, value in zip(masked, signs, values, strict=True)
    ]


def _rare_heads(values: Sequence[str]) -> dict[int, float]:
    """Values that begin unlike nearly all others: another host, another scheme."""
    heads = []
    for value in values:
        match = _HEAD_END.search(value)
        if match is None or not match.start():
            return {}
        heads.append(value[: match.start()])
    return _rare(heads, Counter(heads))


def _rare_words(values: Sequence[str]) -> dict[int, float]:
    """Values that hold a word among others of mere numbers and signs: 4.2.0-SNAPSHOT."""
    if sum(1 for value in values[:_PROBED] if _WORD.search(value)) > 1:
        return {}
    worded = {row for row, value in enumerate(values) if _WORD.search(value)}
    flags = [str(row in worded) for row in range(len(values))]
    scores = _rare(flags, Counter(flags))
    return scores if worded.issuperset(scores) else {}


def score_rows(columns: Iterable[Column]) -> dict[int, float]:
    """How far each row stands out in its columns, in bits: by the oddest, and by others a little.

    What is odd in one column is mostly odd in several, as a code and the address of its page are.
    """
    most: dict[int, float] = {}
    total: dict[int, float] = {}
    for column in columns:
        for row, bits in column.scores.items():
            total[row] = total.get(row, 0.0) + bits
            most[row] = max(most.get(row, 0.0), bits)
    return {row: _FURTHER * bits + (1 - _FURTHER) * most[row] for row, bits in total.items()}


def describe_column(column: Column, values: Sequence[str], *, counted: bool = False) -> str:
    """A column in a few words: its constant, its few values with counts, or its range.

    Args:
        column: what it holds.
        values: the values themselves.
        counted: say of a constant how often it stands there, as rows may have several or none.
    """
    remarked = f" ({column.remark})" if column.remark else ""
    if column.kind == "constant":
        held = _CONTAINER.fullmatch(values[0])
        told = (
            f"{held.group(1)} {held.group(2)} in each"
            if held
            else f"{short_value(values[0])} in all"
        )
        if counted:
            told = f"{told} {len(values)}" if len(values) > 1 else f"{short_value(values[0])} once"
        return f"{column.name} = {told}"
    if column.kind == "number":
        low, high = values[column.low], values[column.high]
        return f"{column.name} {short_value(low)} to {short_value(high)}{remarked}"
    if column.distinct <= _MAX_NAMED and column.counts[0][1] > 1:
        shown = ", ".join(f"{short_value(value)} {count}" for value, count in column.counts)
        return f"{column.name}: {shown}"
    return f"{column.name} ({column.distinct} values{remarked and f', {column.remark}'})"


def _rare(values: Sequence[str], counts: Counter[str]) -> dict[int, float]:
    total = len(values)
    # Where no value stands three times, none is a third as frequent as it.
    if total < _MIN_ROWS or max(counts.values()) < _TIMES_RARER:
        return {}
    limit = max(1, math.floor(total * _RARE_SHARE))
    limit = min(limit, _usual_count(counts, total) // _TIMES_RARER)
    rare = {value: math.log2(total / count) for value, count in counts.items() if count <= limit}
    held = sum(counts[value] for value in rare)
    # One of five may be rare, and two of twenty.
    needed = min(_COMMON_SHARE * total, total - 1)
    if not rare or total - held < needed or held <= _by_chance(total, len(counts), limit):
        return {}
    # The only rare value of a column comes before one of several.
    company = _COMPANY_COST * math.log2(held)
    return {row: rare[value] - company for row, value in enumerate(values) if value in rare}


def _by_chance(total: int, distinct: int, limit: int) -> float:
    """Rows with a rare value as chance would have it, were all values as frequent as each other.

    How often a value stands is then distributed as Poisson has it, with the mean of all;
    the value of a row stands once more than chance gives it to others.
    """
    mean = total / distinct
    term = chance = math.exp(-mean)
    for times in range(1, limit):
        term *= mean / times
        chance += term
    return _MORE_THAN_CHANCE * total * chance


def _usual_count(counts: Counter[str], total: int) -> int:
    """How many rows have the same value as the row in the middle, by how common its value is."""
    left = total / 2
    for count in sorted(counts.values(), reverse=True):
        left -= count
        if left <= 0:
            return count
    return 0
