"""Columns in which each value stands once: what stands twice there, and what is missing.

Of numbers and times in a steady rhythm, what is missing is where a step is longer.
"""

import itertools
import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from flowctx.reducers.values import as_moment

# A run of numbers has at most this many gaps for each of its values.
_MAX_GAPS = 0.2
_MIN_ROWS = 10
# Ids that are no numbers: nearly all differ, and they are short and hold a digit.
_MIN_DISTINCT = 0.98
_ID = re.compile(r"(?=\S*\d)[\w./@-]{1,64}")
_MEASURE = re.compile(r"[-+]?\d+\.\d+")
_MAX_DIGITS = 15
# A rhythm is steady where this share of the steps is the same; a gap takes two of them.
_STEADY, _MIN_STEPS = 0.9, 2
_PLAIN_NUMBER = re.compile(r"[0-9]{1,15}")
_NAMED = 4


class Remark(NamedTuple):
    """What is told of a column.

    Attributes:
        text: what repeats and what is missing.
        rows: where the repeated values stand.
        beside: the rows before and behind numbers that are missing, where these are few.
    """

    text: str
    rows: Sequence[int] = ()
    beside: Sequence[int] = ()


def remark(values: Sequence[str], counts: Counter[str]) -> Remark:
    """What repeats or is missing in a column of ids; nothing for other columns."""
    if len(values) < _MIN_ROWS or len(counts) < (1 - _MAX_GAPS) * len(values):
        return Remark("")
    repeated = [value for value, count in counts.items() if count > 1]
    steps = _long_steps(values) if len(repeated) <= _NAMED else ()
    if steps:
        return _remark_steps(values, steps)
    numbers = {value: int(value) for value in counts if _is_whole(value)}
    missing: list[int] | None = []
    if len(numbers) >= _MIN_DISTINCT * len(counts):
        missing = _missing(numbers.values())
        if missing is None:
            return Remark("")
    elif len(counts) >= _MIN_DISTINCT * len(values) and _are_ids(counts):
        numbers = _numbers_in_names(list(counts))
        missing = _missing(numbers.values()) or []
    else:
        return Remark("")
    rows = [row for row, value in enumerate(values) if counts[value] > 1]
    told = [_list([f"{value} {times(counts[value])}" for value in repeated], "repeated")]
    told.append(_list([str(number) for number in missing], "missing"))
    beside = _beside([numbers.get(value) for value in values], missing) if missing else []
    return Remark(", ".join(part for part in told if part), rows, beside)


def _numbers_in_names(names: Sequence[str]) -> dict[str, int]:
    """The number in each name where that is all they differ by: part-0041.gz; else nothing."""
    head = _shared_head(names).rstrip("0123456789")
    tail = _shared_head([name[::-1] for name in names])[::-1].lstrip("0123456789")
    inner = [name[len(head) : len(name) - len(tail)] for name in names]
    if not (head or tail) or not all(map(_PLAIN_NUMBER.fullmatch, inner)):
        return {}
    return {name: int(number) for name, number in zip(names, inner, strict=True)}


def _shared_head(names: Sequence[str]) -> str:
    # What the first and the last in order share, all between them share.
    first, last = min(names), max(names)
    pairs = enumerate(zip(first, last, strict=False))
    end = next((at for at, (one, other) in pairs if one != other), min(len(first), len(last)))
    return first[:end]


def _are_ids(values: Collection[str]) -> bool:
    """True for short words with digits, unless all are measures: those repeat by chance."""
    return all(map(_ID.fullmatch, values)) and not all(map(_MEASURE.fullmatch, values))


def _long_steps(values: Sequence[str]) -> list[int]:
    """Rows that come after a longer step than nearly all others; none where no rhythm is."""
    moments = _rising(values)
    if len(moments) < len(values):
        return []
    steps = [later - earlier for earlier, later in itertools.pairwise(moments)]
    usual, count = Counter(steps).most_common(1)[0]
    # Numbers one after the other are told by those that are missing.
    if count < _STEADY * len(steps) or (usual <= 1 and as_moment(values[0]) is None):
        return []
    long = [row for row, step in enumerate(steps, 1) if step >= _MIN_STEPS * usual]
    return long if len(long) <= _NAMED else []


def _rising(values: Sequence[str]) -> list[float]:
    """The values as numbers or seconds, up to where they are none or do not rise."""
    read = float if _is_whole(values[0]) else as_moment
    moments: list[float] = []
    for value in values:
        moment = read(value) if read is as_moment or _is_whole(value) else None
        if moment is None or (moments and moment <= moments[-1]):
            break
        moments.append(moment)
    return moments


def _remark_steps(values: Sequence[str], rows: Sequence[int]) -> Remark:
    told = [f"{values[row - 1]} to {values[row]}" for row in rows]
    text = f"{'gaps' if len(told) > 1 else 'gap'}: {', '.join(told)}"
    return Remark(text, (), [at for row in rows for at in (row - 1, row)])


def _is_whole(value: str) -> bool:
    if value.isdecimal():
        return len(value) <= _MAX_DIGITS
    return value[:1] == "-" and value[1:].isdecimal() and len(value) <= _MAX_DIGITS + 1


def _missing(numbers: Collection[int]) -> list[int] | None:
    """Numbers left out of a run; None where the numbers are no run."""
    if not numbers:
        return None
    first, last = min(numbers), max(numbers)
    if last - first + 1 > (1 + _MAX_GAPS) * len(numbers):
        return None
    return sorted(set(range(first, last + 1)).difference(numbers))


def _beside(numbers: Sequence[int | None], missing: Sequence[int]) -> list[int]:
    """Rows between which numbers are missing that stand in order, unless these gaps are many."""
    absent = set(missing)
    ends = [number for number in missing if number + 1 not in absent]
    if not 0 < len(ends) <= _NAMED:
        return []
    behind = {number + 1 for number in ends}
    found = [row for row in range(1, len(numbers)) if numbers[row] in behind]
    starts = {number - 1 for number in missing if number - 1 not in absent}
    return [at for row in found if numbers[row - 1] in starts for at in (row - 1, row)]


def _list(items: Sequence[str], what: str) -> str:
    if not items:
        return ""
    if len(items) > _NAMED:
        return f"{len(items)} {what}"
    return ", ".join(items) if what == "repeated" else f"{', '.join(items)} {what}"


def times(count: int) -> str:
    """How often something stands: "once", "twice", "3 times"."""
    return {1: "once", 2: "twice"}.get(count) or f"{count} times"
