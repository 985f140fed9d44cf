"""What the fields of rows are: numbers, moments, and types where the content has them."""

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime

# No value at all.
ABSENT = "(absent)"
_NUMBER = re.compile(
    r"\s*[$€£¥<>~≈]?([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][-+]\d+)?)"
    r"\s?(?:%|[munµ]?s|m|h|d|x|([kKMGTP]?)(i?)[bB]?)\s*"
)
_PLAIN_NUMBERS = re.compile(r"(?:[-+]?[0-9]{1,15}(?:\.[0-9]{1,15})?\n)*+")
_SIZES = {"k": 1, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}
# A moment of the ISO kind; what follows the seconds does not matter here.
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?")
_MAX_MOMENT_CHARS = 40
# Values of another type are told apart while at most this share are such.
_MINORITY_SHARE = 0.1


class Spelled(str):
    """A value that is no string in the content, as it is spelled there: 17, true, null."""

    __slots__ = ()


def as_number(value: str) -> float | None:
    """A field as a number, thousands separators aside, sizes in bytes; None when it is none."""
    if value.isdecimal():
        whole = float(value)
        return whole if math.isfinite(whole) else None
    # Letters stand behind a number only, as its unit or exponent.
    match = None if value[:1].isalpha() else _NUMBER.fullmatch(value)
    # A unit, a sign or an exponent alone is no number.
    if match is None or match.group(1).lstrip("+-")[:1] in ("", "e", "E"):
        return None
    number = float(match.group(1).replace(",", ""))
    if match.group(2):
        number *= (1024.0 if match.group(3) else 1000.0) ** _SIZES[match.group(2)]
    return number if math.isfinite(number) else None


def as_numbers(values: Collection[str]) -> list[float | None]:
    """Fields as numbers; the same as one by one, and faster where all are plain ones."""
    text = "\n".join(values) + "\n"
    if _PLAIN_NUMBERS.fullmatch(text) and text.count("\n") == len(values):
        return list(map(float, values))
    return list(map(as_number, values))


def as_moment(value: str) -> float | None:
    """A date, with or without a time, as seconds; None when it is none."""
    match = _MOMENT.match(value) if len(value) <= _MAX_MOMENT_CHARS else None
    if match is None:
        return None
    try:
        moment = datetime.fromisoformat(match.group())
    except ValueError:
        return None
    return (moment - datetime(1970, 1, 1)).total_seconds()


def minority_types(values: Sequence[str]) -> list[int]:
    """Rows whose value is of another type than those of nearly all rows."""
    if set(map(type, values)) == {str}:
        return []
    types = [_type(value) for value in values]
    counts = Counter(each for each in types if each)
    if len(counts) < 2:
        return []
    (usual, _), *others = counts.most_common()
    if sum(count for _, count in others) > max(1, _MINORITY_SHARE * len(values)):
        return []
    return [row for row, each in enumerate(types) if each and each != usual]


def quote_minority(values: Sequence[str], rows: Collection[int]) -> Sequence[str]:
    """The values, strings of those rows in quotes so that none reads like a number or a word."""
    if not rows:
        return values
    quoted = [row for row in rows if not isinstance(values[row], Spelled)]
    told = list(values)
    for row in quoted:
        told[row] = f'"{values[row]}"'
    return told


def _type(value: str) -> str:
    """The type of a value of JSON; empty for what tells none."""
    if not isinstance(value, Spelled):
        return "" if value == ABSENT else "string"
    if value == "null":
        return ""
    return {"t": "boolean", "f": "boolean", "[": "array", "{": "object"}.get(value[:1], "number")
