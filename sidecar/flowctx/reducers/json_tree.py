"""JSON as a tree of nodes that know where they stand in the text, cut off or whole."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, chain, repeat
from operator import add, sub
from typing import Any

from flowctx.reducers.leaves import CONTAINERS, as_leaf, flatten
from flowctx.reducers.nodes import Node, NodeKind, make_node
from flowctx.reducers.values import Spelled

SPACE = " \t\n\r"
_SPACES = re.compile(r"[ \t\n\r]+")
_SEPARATOR = re.compile(r"[ \t\n\r]*+,?[ \t\n\r]*+")
# The comma between members without white space.
_DIRECTLY_NEXT = frozenset(f",{sign}" for sign in '{["0123456789')
# A key without escapes, up to its value.
_PLAIN_KEY = re.compile(r'"([^"\\]*+)"[ \t\n\r]*+:[ \t\n\r]*+')
# A member that begins behind the comma of another.
_NEXT_MEMBER = re.compile(r',(?<=[\]}"\w],)\s*(?=[{\[]|"(?:[^"\\\n]|\\.){0,200}":)')
_MEMBER = re.compile(r'\s*(?=[{\[]|"(?:[^"\\\n]|\\.){0,200}":)')
_TRIED_CHARS = 20_000
# Where a text ends within a literal or an escape, reading breaks so many characters before; a
# string that never ends holds so many line ends at most.
_CUT_CHARS, _CUT_LINES = 12, 2
_MAX_PLACES = 40

_KINDS: dict[type, NodeKind] = {dict: "object", list: "array", str: "string"}


class Number(Spelled):
    """A number as the document spells it, so that none is rounded."""

    __slots__ = ()


def parse_at(text: str, at: int) -> tuple[Any, int]:
    """The JSON value that begins at an offset, and where it ends.

    Raises:
        ValueError: there is none.
        RecursionError: it is nested too deeply.
    """
    return _decoder().raw_decode(text, at)


def as_node(text: str, at: int) -> Node | None:
    """The JSON value that begins at an offset, as a tree; None where there is none."""
    try:
        value, end = parse_at(text, at)
    except (ValueError, RecursionError):
        return None
    return Node(at, end, at, _kind(value), _setting, value)


def break_of(text: str, at: int) -> int | None:
    """Where the JSON value that begins at an offset breaks; None where it is whole."""
    try:
        parse_at(text, at)
    except (ValueError, RecursionError) as error:
        return _place_of(error, text)
    return None


def expand(text: str, node: Node) -> list[Node]:
    """The members of an object or array; of one that was cut off, as far as it goes.

    What is no JSON ends it, and so does a member without the comma before it.
    """
    is_object, end_of_all = node.kind == "object", node.end
    if not is_object and (numbers := _numbers(text, node)):
        return numbers
    scan: Callable[[str, int], tuple[Any, int]] = _decoder().scan_once  # type: ignore[attr-defined]
    kind_of, key_of, behind = _KINDS.get, _PLAIN_KEY.match, _SEPARATOR.match
    read = _setting if is_object else _row
    members: list[Node] = []
    at = skip_space(text, node.open + 1)
    while at < end_of_all and text[at] not in "]}":
        start, key = at, ""
        try:
            if is_object and (plain := key_of(text, at)):
                key, at = plain[1], plain.end()
            elif is_object:
                key, at = _read_key(text, at, scan)
            value, end = scan(text, at)
        except (ValueError, RecursionError, StopIteration) as error:
            if _place_of(error, text) >= end_of_all - _CUT_CHARS:
                members.append(_unfinished(text, start, at, end_of_all))
            break
        kind = kind_of(type(value), "scalar")
        members.append(make_node((start, end, at, kind, read, value, key, "")))
        if text[end : end + 2] in _DIRECTLY_NEXT:
            at = end + 1
            continue
        separator = behind(text, end)
        at = separator.end() if separator else end
        if "," not in text[end:at]:
            break
    return members


def _place_of(error: Exception, text: str) -> int:
    """Where reading broke off; the end of the text where it ends within a value."""
    if isinstance(error, StopIteration):
        return int(error.value)
    if not isinstance(error, json.JSONDecodeError):
        return len(text)
    is_open = error.msg.startswith("Unterminated string")
    return len(text) if is_open and text.count("\n", error.pos) <= _CUT_LINES else error.pos


def next_members(text: str, start: int) -> Iterator[Node]:
    """The containers whose next member may begin behind an offset, their own beginning missing."""
    first = _MEMBER.match(text, start)
    behind = (match.end() for match in _NEXT_MEMBER.finditer(text, start, start + _TRIED_CHARS))
    for at in chain((first.end(),) if first else (), behind):
        kind: NodeKind = "object" if text[at] == '"' else "array"
        yield Node(at - 1, len(text), at - 1, kind)


def _read_key(text: str, at: int, scan: Callable[[str, int], tuple[Any, int]]) -> tuple[str, int]:
    """The key that begins at an offset, escapes in it, and where its value does.

    Raises:
        ValueError, RecursionError, StopIteration: there is no whole key.
    """
    key, at = scan(text, at)
    return str(key), skip_space(text, skip_space(text, at) + 1)


def _numbers(text: str, node: Node) -> list[Node]:
    """The members of an array of nothing but numbers, told by the commas between; else none."""
    values = node.value
    if not isinstance(values, list) or set(map(type, values)) != {Number}:
        return []
    sizes, first = list(map(len, values)), node.open + 1
    if sum(sizes) + len(values) == node.end - first:
        # Nothing stands between but the commas.
        starts = list(map(add, accumulate(sizes, initial=first), range(len(values))))
    else:
        # What stands before a number is white, so that it ends the part of its left-stripped rest.
        parts = text[first : node.end - 1].split(",")
        begun = map(add, accumulate(map(len, parts), initial=first), range(len(parts)))
        filled = (len(part.rstrip(SPACE)) for part in parts)
        starts = list(map(sub, map(add, begun, filled), sizes))
    kinds: Iterable[NodeKind] = repeat("scalar", len(values))
    nothing = repeat("")
    columns = zip(
        starts, map(add, starts, sizes), starts, kinds, repeat(_row), values, nothing, nothing
    )
    return list(map(make_node, columns))


def _row(value: Any) -> dict[str, str]:
    """What a member of an array holds as a row; values without names are told by their places."""
    if isinstance(value, dict):
        return flatten(value)
    if isinstance(value, list):
        is_row = CONTAINERS.isdisjoint(map(type, value))
        places = enumerate(value[:_MAX_PLACES]) if is_row else ()
        return {f"#{at}": as_leaf(part) for at, part in places}
    return {"value": as_leaf(value)}


def _setting(value: Any) -> dict[str, str]:
    """What a member of an object holds as a row, where it holds several values with names."""
    return flatten(value) if isinstance(value, dict) else {}


def _unfinished(text: str, start: int, at: int, end: int) -> Node:
    """The member in which a document breaks off; it reaches to the end."""
    kinds: dict[str, NodeKind] = {"{": "object", "[": "array", '"': "string"}
    at = min(at, end - 1)
    return Node(start, end, at, kinds.get(text[at], "scalar"))


def skip_space(text: str, at: int) -> int:
    """Where what follows white space begins."""
    if text[at : at + 1] not in SPACE:
        return at
    spaces = _SPACES.match(text, at)
    return spaces.end() if spaces else at


def skip_separator(text: str, at: int) -> int:
    """Where what follows a member, and the comma behind it, begins."""
    after = skip_space(text, at)
    return skip_space(text, after + 1) if text[after : after + 1] == "," else after


def _kind(value: Any) -> NodeKind:
    return _KINDS.get(type(value), "scalar")


@cache
def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(
        parse_float=Number, parse_int=Number, parse_constant=Number, strict=False
    )


def is_json_text(text: str, opening: Sequence[str] = ("{", "[")) -> bool:
    """True for a text that is one JSON value of some kinds."""
    body = text.strip(SPACE)
    node = as_node(body, 0) if body.startswith(tuple(opening)) else None
    return node is not None and node.end == len(body)
