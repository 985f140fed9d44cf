"""A JSON document: rows of arrays that stand out, scalars whole, large strings clipped.

Integers, key order and repeated keys stay exact, because only raw spans of
the document are shown.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from flowctx.reducers.case import Case, remembered
from flowctx.reducers.document import Document
from flowctx.reducers.draft import Draft, Note, Piece, Shown
from flowctx.reducers.families.family import ALL_LINES, Family
from flowctx.reducers.json_tree import SPACE, as_node, expand, skip_separator, skip_space
from flowctx.reducers.nodes import Cut, Node
from flowctx.reducers.sayings import lone_sentences
from flowctx.reducers.trees import Judged, Shrinker, fit

# A text that breaks off counts as JSON when this many members before the break are whole.
_MIN_FINISHED = 3
_MAX_CUT_DEPTH = 6


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


@remembered
def whole_value(case: Case) -> Node | None:
    """The object or array that the text begins with, where it is whole."""
    text = case.document.text
    at = skip_space(text, 0)
    return as_node(text, at) if text[at : at + 1] in ("{", "[") else None


@remembered
def _find(case: Case) -> _Found | None:
    """The value that is the whole text, or that the text breaks off in."""
    text = case.document.text
    at, end = skip_space(text, 0), len(text.rstrip(SPACE))
    if text[at : at + 1] not in ("{", "["):
        return None
    node = whole_value(case)
    if node is not None:
        return _Found(node, ()) if node.end == end else None
    root = Node(at, end, at, "object" if text[at] == "{" else "array")
    members = expand(text, root)
    if not members or skip_separator(text, members[-1].end) < end:
        return None
    is_json = len(members) > _MIN_FINISHED or _is_deep(text, root)
    return _Found(root, members) if is_json else None


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
    said = lone_sentences(case.document.text)
    cues = sorted({*said, *(cue.start for cue in case.cues)})
    opened: dict[tuple[int, int], Sequence[Node]] = {}
    judged: dict[int, Judged] = {}

    def expand_once(node: Node) -> Sequence[Node]:
        place = (node.start, node.end)
        if place not in opened:
            opened[place] = members(node)
        return opened[place]

    def shrink(room: int) -> Draft | None:
        cut = Cut()
        Shrinker(expand_once, cues, cut, judged, case.document.text, said).shrink(root, room)
        return draft_tree(case.document, content_type, cut) if cut.omitted else None

    return fit(shrink, case.document, case.room)


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
    if not text[line:start].strip(SPACE):
        start = line
    while end > start and text[end - 1] in SPACE:
        end -= 1
    if text[start:end].strip(SPACE):
        yield Shown(start, end)


FAMILY = Family(
    "json", _find, _draft, looks_for="one JSON document, whole or cut", whole_up_to=ALL_LINES
)
