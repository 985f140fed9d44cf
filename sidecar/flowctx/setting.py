"""One setting: its key, default and range, and how a raw value is read.

Bad values never stop anything: numbers are clamped, wrong types fall back to
the default. What was not taken as written is told in words.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Value = bool | int | float | str | tuple[str, ...]

_WANTED: Mapping[str, str] = {
    "bool": "true or false",
    "number": "a number",
    "word": "a word",
    "list of texts": "a list of texts",
}
# Characters of a text that are quoted in a message.
_QUOTED_CHARS = 40


@dataclass(frozen=True, slots=True)
class Setting:
    """One key of `plugins.entries.flowctx.config`.

    Attributes:
        key: name as users write it.
        default: value when absent; its type is the type the key takes.
        low, high: range of numbers, inclusive; None for others.
        choices: allowed words; empty for others.
        unit: what a number counts.
        effect: one line for the table in the README.
    """

    key: str
    default: Value
    effect: str
    low: float | None = None
    high: float | None = None
    unit: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """A key whose value was not taken as written."""

    key: str
    message: str


def attribute_of(key: str) -> str:
    """Name of a key's attribute in `Settings`: camel case to snake case."""
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in key)


def read_value(setting: Setting, value: Any) -> tuple[Any, str]:
    """A setting's value as it is used, and why it is not the one written; empty if it is."""
    kind = _kind(setting.default)
    if kind == "bool":
        if isinstance(value, bool):
            return value, ""
    elif kind == "number":
        if _is_finite_number(value):
            return _clamp(setting, value)
    elif kind == "list of texts":
        if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
            return tuple(value), ""
    elif isinstance(value, str) and (value in setting.choices or not setting.choices):
        return value, ""
    wanted = f"one of {', '.join(setting.choices)}" if setting.choices else _WANTED[kind]
    return setting.default, f"{_written(value)} is not {wanted}; using {_show(setting.default)}"


def _is_finite_number(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


def _clamp(setting: Setting, value: float) -> tuple[float, str]:
    whole = isinstance(setting.default, int)
    low, high = setting.low, setting.high
    assert low is not None and high is not None
    clamped = min(max(value, low), high)
    result = math.floor(clamped) if whole else float(clamped)
    if clamped != value:
        range_ = f"{_show(low)}–{_show(high)}"
        return result, f"{_written(value)} is outside {range_}; using {_show(result)}"
    if result != value:
        return result, f"{_written(value)} is not a whole number; using {result}"
    return result, ""


def _kind(default: Value) -> Literal["bool", "number", "word", "list of texts"]:
    if isinstance(default, bool):
        return "bool"
    if isinstance(default, tuple):
        return "list of texts"
    return "word" if isinstance(default, str) else "number"


def _written(value: Any) -> str:
    """A value as JSON writes it, in a few words, however long or deep it is."""
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, str):
        return json.dumps(_cut(value), ensure_ascii=False)
    try:
        return _cut(json.dumps(value))
    except TypeError:
        return "a value JSON does not know"
    except ValueError:
        # Python does not write integers of more than some thousand digits.
        return "a number of too many digits"


def _cut(text: str) -> str:
    return text if len(text) <= _QUOTED_CHARS else f"{text[: _QUOTED_CHARS - 1]}…"


def _show(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "none" if not value else ", ".join(value)
    if value == "":
        return "none"
    return f"{value:g}" if isinstance(value, float) else str(value)
