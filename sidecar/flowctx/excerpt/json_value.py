"""JSON read so that it can be written as it was: numbers as spelled, names that repeat."""

import json
from collections.abc import Iterable
from typing import Any


class Number(str):
    """A number as the text spells it, of any size and precision."""

    __slots__ = ()


class Repeating(dict[str, Any]):
    """An object in which a name stands more than once; as a mapping it has the last of each."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


def read_json(text: str) -> Any:
    """The value of a JSON text, or the list of those of JSON lines.

    Raises:
        ValueError: it is neither.
    """
    text = text.removeprefix("\ufeff")
    try:
        return _DECODER.decode(text)
    except ValueError:
        values = [_DECODER.decode(line) for line in text.splitlines() if line.strip()]
        if not values:
            raise
        return values


def write_json(value: Any, *, is_indented: bool) -> str:
    """A value as JSON, on lines of their own or without any space."""
    return _written(value, "\n" if is_indented else "")


def members(value: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    """Names and values of an object, all that its text has."""
    return value.pairs if isinstance(value, Repeating) else value.items()


def _written(value: Any, line: str) -> str:
    if isinstance(value, Number):
        return str(value)
    if not value or not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    inner = f"{line}  " if line else ""
    if isinstance(value, list):
        return f"[{inner}{f',{inner}'.join(_written(each, inner) for each in value)}{line}]"
    colon = ": " if line else ":"
    parts = (
        f"{json.dumps(name, ensure_ascii=False)}{colon}{_written(each, inner)}"
        for name, each in members(value)
    )
    return f"{{{inner}{f',{inner}'.join(parts)}{line}}}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    return plain if len(plain) == len(pairs) else Repeating(pairs)


_DECODER = json.JSONDecoder(
    parse_float=Number, parse_int=Number, parse_constant=Number, object_pairs_hook=_object
)
