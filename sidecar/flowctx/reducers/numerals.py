"""The numbers of a column: how its values read as such, and what stands among them."""

import re
from collections import Counter
from collections.abc import Collection, Sequence

from flowctx.reducers.sequences import times
from flowctx.reducers.values import as_moment, as_numbers

_MAX_OTHERS = 3
_DECIMALS, _LEAST = re.compile(r"\s*-?\d*\.(\d+)%?\s*"), 1e-9
_PROBED, _PROBED_SHARE, _MIN_SHARE = 20, 0.8, 0.9
# What is written where a calculation came to no number, and the part of a column they may be.
_NO_NUMBERS, _MAX_NONE = frozenset({"nan", "inf", "-inf", "+inf", "infinity", "-nan"}), 0.7
# Where it does more than this often it is told where that begins.
_FEW_SHARE = 0.1


def read_numbers(values: Sequence[str]) -> list[float | None] | None:
    """The values as numbers, or else as moments; None where too few are either."""
    for read in (as_numbers, _as_moments):
        probe = read(values[:_PROBED])
        if sum(number is not None for number in probe) < _PROBED_SHARE * len(probe):
            continue
        counted = dict.fromkeys(values)
        known = dict(zip(counted, read(counted), strict=True))
        numbers = list(map(known.__getitem__, values))
        none = [value for value, number in zip(values, numbers, strict=True) if number is None]
        unread = [value for value in none if value.strip().lower() not in _NO_NUMBERS]
        if len(unread) <= (1 - _MIN_SHARE) * len(values) and len(none) <= _MAX_NONE * len(values):
            return numbers
    return None


def _as_moments(values: Collection[str]) -> list[float | None]:
    return list(map(as_moment, values))


def resolution(values: Sequence[str]) -> float:
    """The least difference that the decimals of a column can tell; hardly any without such."""
    decimals = [_DECIMALS.fullmatch(value) for value in values[:_PROBED]]
    found = [len(match.group(1)) for match in decimals if match]
    return float(10.0 ** -max(found)) if len(found) == len(decimals) else _LEAST


def where_none(numbers: Sequence[float | None]) -> list[int]:
    """Rows with no number; where they are many, those that stand behind one with a number."""
    rows = [row for row, number in enumerate(numbers) if number is None]
    if len(rows) <= _FEW_SHARE * len(numbers):
        return rows
    return [row for row in rows if row and numbers[row - 1] is not None][:_MAX_OTHERS]


def extremes(numbers: Sequence[float | None]) -> tuple[int, int]:
    """The first rows with the smallest and with the largest number."""
    known = [number for number in numbers if number is not None]
    return numbers.index(min(known)), numbers.index(max(known))


def other_values(values: Sequence[str], numbers: Sequence[float | None]) -> str:
    """What stands among the numbers and is none: "N/A twice"."""
    found = Counter(value for value, number in zip(values, numbers, strict=True) if number is None)
    if len(found) > _MAX_OTHERS:
        return f"{sum(found.values())} no numbers"
    return ", ".join(f"{short_value(value).strip('()')} {times(n)}" for value, n in found.items())


def short_value(value: str) -> str:
    """A value on one line, of a long one the beginning."""
    flat = " ".join(value.split()) or '""'
    return flat if len(flat) <= 40 else f"{flat[:39]}…"
