"""A JSON document: rows of arrays that stand out, scalars whole, large strings clipped.

Integers, key order and repeated keys stay exact, because only raw spans of
the document are shown.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import accumulate, repeat
from operator import sub
from typing import Any, NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.document import Document
from flowctx.reducers.draft import Draft, Note, Omitted, Piece, Shown
from flowctx.reducers.families.family import ALL_LINES, Family
from flowctx.reducers.leaves import as_leaf, flatten
from flowctx.reducers.nodes import Cut, Node, NodeKind
from flowctx.reducers.trees import Judged, Shrinker, fit
from flowctx.reducers.values import Spelled

_SPACE = " \t\n\r"
_SPACES = re.compile(r"[ \t\n\r]+")
_SEPARATOR = re.compile(r"[ \t\n\r]*+,?[ \t\n\r]*+")
# A key without escapes, up to its value.
_PLAIN_KEY = re.compile(r'"([^"\\]*+)"[ \t\n\r]*+:[ \t\n\r]*+')
# A text that breaks off counts as JSON when this many members before the break are whole.
_MIN_FINISHED = 3
_MAX_CUT_DEPTH = 6
# Where a text ends within a literal or an escape, reading breaks so many characters before; a
# string that never ends holds so many line ends at most.
_CUT_CHARS, _CUT_LINES = 12, 2
_MAX_PLACES = 40
_CONTAINERS = frozenset((dict, list))


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
    kind_of, behind, read = _KINDS.get, _SEPARATOR.match, _setting if is_object else _row
    members: list[Node] = []
    at = skip_space(text, node.open + 1)
    while at < end_of_all and text[at] not in "]}":
        start, key = at, ""
        try:
            if is_object:
                key, at = _read_key(text, at, scan)
            value, end = scan(text, at)
        except (ValueError, RecursionError, StopIteration) as error:
            if _place_of(error, text) >= end_of_all - _CUT_CHARS:
                members.append(_unfinished(text, start, at, end_of_all))
            break
        kind: NodeKind = kind_of(type(value), "scalar")
        members.append(Node(start, end, at, kind, read, value, key))
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


def _read_key(text: str, at: int, scan: Callable[[str, int], tuple[Any, int]]) -> tuple[str, int]:
    """The key that begins at an offset, and where its value does.

    Raises:
        ValueError, RecursionError, StopIteration: there is no whole key.
    """
    plain = _PLAIN_KEY.match(text, at)
    if plain:
        return plain.group(1), plain.end()
    key, at = scan(text, at)
    return str(key), skip_space(text, skip_space(text, at) + 1)


def _numbers(text: str, node: Node) -> list[Node]:
    """The members of an array of nothing but numbers, told by the commas between; else none."""
    values = node.value
    if not isinstance(values, list) or set(map(type, values)) != {Number}:
        return []
    parts = text[node.open + 1 : node.end - 1].split(",")
    behind = accumulate(map(len, parts), lambda at, length: at + length + 1, initial=node.open + 1)
    # What stands before a number is white, so that it ends the part of its left-stripped rest.
    ends = [
        at - 1 - len(part) + len(part.rstrip(_SPACE))
        for part, at in zip(parts, [*behind][1:], strict=True)
    ]
    starts = list(map(sub, ends, map(len, values)))
    kinds: Iterable[NodeKind] = repeat("scalar", len(values))
    nothing = repeat("")
    columns = zip(starts, ends, starts, kinds, repeat(_row), values, nothing, nothing)
    return list(map(Node._make, columns))


def _row(value: Any) -> dict[str, str]:
    """What a member of an array holds as a row; values without names are told by their places."""
    if isinstance(value, dict):
        return flatten(value)
    if isinstance(value, list):
        is_row = _CONTAINERS.isdisjoint(map(type, value))
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


def draft_tree(document: Document, content_type: str, cut: Cut) -> Draft:
    """The draft that shows a document but for what was cut from it."""
    text, at = document.text, 0
    pieces: list[Piece] = []
    notes = dict(sorted(cut.notes.items()))
    for omitted in sorted(cut.omitted, key=lambda piece: piece.start):
        pieces += _show(text, at, omitted.start, notes)
        at = omitted.end if omitted.unit == "characters" else skip_separator(text, omitted.end)
        pieces.append(omitted)
    pieces += _show(text, at, len(text), notes)
    totals = dict(cut.totals)
    if "characters" in totals:
        totals["characters"] = len(text)
    return Draft(content_type, tuple(pieces), tuple(totals.items()))


class _Found(NamedTuple):
    """The value that is the whole text, and its members where they have been read."""

    root: Node
    members: Sequence[Node]


def _find(case: Case) -> _Found | None:
    return _read(case.document.text)


def _draft(case: Case, found: _Found) -> Draft | None:
    return draft_json(case, found.root, f"json/{found.root.kind}", found.members)


def draft_json(
    case: Case, root: Node, content_type: str, known: Sequence[Node] = ()
) -> Draft | None:
    """A draft of a JSON tree; the members of its root are known where they have been read."""

    def members(node: Node) -> Sequence[Node]:
        return known if known and node is root else expand(case.document.text, node)

    return draft_members(case, root, content_type, members)


def draft_members(
    case: Case, root: Node, content_type: str, members: Callable[[Node], Sequence[Node]]
) -> Draft | None:
    """A draft of a tree whose containers are opened by a function."""
    cues = [cue.start for cue in case.cues]
    opened: dict[tuple[int, int], Sequence[Node]] = {}
    judged: dict[int, Judged] = {}

    def expand_once(node: Node) -> Sequence[Node]:
        place = (node.start, node.end)
        if place not in opened:
            opened[place] = members(node)
        return opened[place]

    def shrink(room: int) -> Draft | None:
        cut = Cut()
        Shrinker(expand_once, cues, cut, judged, case.document.text).shrink(root, room)
        return draft_tree(case.document, content_type, cut) if cut.omitted else None

    return fit(shrink, case.document, case.room)


def _read(text: str) -> _Found | None:
    """The value that is the whole text, or that the text breaks off in."""
    at, end = skip_space(text, 0), len(text.rstrip(_SPACE))
    if text[at : at + 1] not in ("{", "["):
        return None
    node = as_node(text, at)
    if node is not None:
        return _Found(node, ()) if node.end == end else None
    root = Node(at, end, at, "object" if text[at] == "{" else "array")
    members = expand(text, root)
    if not members or skip_separator(text, members[-1].end) < end:
        return None
    is_json = len(members) > _MIN_FINISHED or _is_deep(text, root)
    return _Found(root, members) if is_json else None


def _is_deep(text: str, root: Node) -> bool:
    """True where the cut lies a few levels down, with whole members there."""
    node = root
    for _ in range(_MAX_CUT_DEPTH):
        members = expand(text, node)
        if len(members) > _MIN_FINISHED:
            return True
        if not members or members[-1].kind not in ("object", "array"):
            return False
        node = members[-1]
    return False


def _show(text: str, start: int, end: int, notes: dict[int, Note]) -> Iterable[Piece]:
    """Characters [start, end) as pieces of whole lines where they are such, notes between."""
    for at in [offset for offset in notes if start <= offset <= end]:
        yield from _trimmed(text, start, at)
        yield notes.pop(at)
        start = at
    yield from _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> Iterable[Piece]:
    line = text.rfind("\n", 0, start) + 1
    if not text[line:start].strip(_SPACE):
        start = line
    while end > start and text[end - 1] in _SPACE:
        end -= 1
    if text[start:end].strip(_SPACE):
        yield Shown(start, end)


def skip_space(text: str, at: int) -> int:
    """Where what follows white space begins."""
    if text[at : at + 1] not in _SPACE:
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
    body = text.strip(_SPACE)
    node = as_node(body, 0) if body.startswith(tuple(opening)) else None
    return node is not None and node.end == len(body)


FAMILY = Family(
    "json", _find, _draft, looks_for="one JSON document, whole or cut", whole_up_to=ALL_LINES
)
__all__ = [
    "FAMILY",
    "Number",
    "Omitted",
    "as_node",
    "draft_tree",
    "expand",
    "is_json_text",
    "parse_at",
]
