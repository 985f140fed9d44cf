"""Values in JSON by a path: `$.orders[0].id`, `$..id`, `orders[*].total`, `[2:5]`, `['a b']`.

The part of RFC 9535 that takes no expressions: names, indices, slices,
wildcards and descendants. It never runs longer than the document is.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from flowctx.excerpt.json_value import Repeating, members, read_json, write_json
from flowctx.excerpt.parts import UnusablePartError

# Descendants hold each other, so values may be written many times as long as the document.
_MOST_TIMES_LONGER, _LEAST_CHARS = 8, 1_000_000
_MOST_STEPS = 50
_STEP = re.compile(
    r"""(?P<deep>\.\.)?\.?(?:
        (?P<name>[^\s.\[\]'"*$@()]+) | (?P<all>\*)
      | \[\s*(?:
            (?P<all2>\*) | '(?P<single>[^']*)' | "(?P<double>[^"]*)"
          | (?P<from>-?\d{1,9})?\s*(?P<colon>:)\s*(?P<to>-?\d{1,9})? | (?P<index>-?\d{1,9})
        )\s*\])""",
    re.VERBOSE,
)

Step = tuple[bool, str | int | slice | None]


def select_values(text: str, path: str) -> str:
    """The values at a path, each as indented JSON, joined by line ends.

    Raises:
        UnusablePartError: the text is no JSON, the path is none, or nothing is there.
    """
    steps = _read_path(path)
    try:
        return _select(_load(text), steps, path, max(_MOST_TIMES_LONGER * len(text), _LEAST_CHARS))
    except RecursionError:
        message = "The document is nested too deep for a path: use lines or grep instead."
        raise UnusablePartError(message) from None


def _select(document: Any, steps: Sequence[Step], path: str, room: int) -> str:
    values = _values([document], steps)
    if not values:
        message = f"Nothing is at {path[:120]}. {_top(document)}"
        raise UnusablePartError(message)
    shown: list[str] = []
    for value in values:
        if room < 0:
            break
        shown.append(write_json(value, is_indented=True))
        room -= len(shown[-1])
    more = len(values) - len(shown)
    return "\n".join([*shown, f"[… {more:,} values more]"] if more else shown)


def _read_path(path: str) -> list[Step]:
    rest = path.strip().removeprefix("$")
    steps: list[Step] = []
    at = 0
    while at < len(rest):
        match = _STEP.match(rest, at)
        if match is None or match.end() == at or len(steps) == _MOST_STEPS:
            message = (
                f"{path[:120]!r} is no path: write $.orders[0].id, $..id or $.orders[*].total."
            )
            raise UnusablePartError(message)
        steps.append((bool(match["deep"]), _selector(match)))
        at = match.end()
    return steps


def _selector(match: re.Match[str]) -> str | int | slice | None:
    """A name, an index, a slice, or None for all."""
    if match["all"] or match["all2"]:
        return None
    if match["index"] is not None:
        return int(match["index"])
    if match["colon"]:
        first, last = match["from"], match["to"]
        return slice(int(first) if first else None, int(last) if last else None)
    return next(match[key] for key in ("name", "single", "double") if match[key] is not None)


def _load(text: str) -> Any:
    try:
        return read_json(text)
    except ValueError:
        message = "The original is neither JSON nor JSON lines: use lines or grep instead."
        raise UnusablePartError(message) from None


def _values(values: Sequence[Any], steps: Sequence[Step]) -> list[Any]:
    found = list(values)
    for deep, selector in steps:
        places = (
            _distinct(part for value in found for part in _descendants(value)) if deep else found
        )
        found = [part for place in places for part in _pick(place, selector)]
    return found


def _distinct(places: Iterator[Any]) -> list[Any]:
    """Each place of the document once, however often `..` reaches it."""
    return list({id(place): place for place in places}.values())


def _descendants(value: Any) -> Iterator[Any]:
    waiting = [value]
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, dict | list):
            inner = _all_of(part) if isinstance(part, dict) else part
            waiting.extend(reversed([each for each in inner if isinstance(each, dict | list)]))


def _all_of(value: dict[str, Any]) -> list[Any]:
    return [each for _, each in members(value)]


def _pick(value: Any, selector: str | int | slice | None) -> list[Any]:
    if isinstance(value, dict):
        if selector is None:
            return _all_of(value)
        if isinstance(value, Repeating):
            return [each for name, each in value.pairs if name == selector]
        return [value[selector]] if isinstance(selector, str) and selector in value else []
    if not isinstance(value, list):
        return []
    if selector is None:
        return value
    if isinstance(selector, slice):
        return value[selector]
    if isinstance(selector, int):
        return value[selector:][:1] if -len(value) <= selector < len(value) else []
    return []


def _top(value: Any) -> str:
    if isinstance(value, dict):
        return f"Its keys: {', '.join(list(value)[:40])}."[:400]
    return f"It is a list of {len(value):,}." if isinstance(value, list) else "It is one value."
