"""XML: elements of one build as rows, failures of JUnit reports first, long texts clipped.

Read by expat, without entity declarations: a document that has any is left to
the reducers of lines.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple
from xml.parsers import expat

from flowctx.reducers.case import Case, remembered
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import ALL_LINES, Family
from flowctx.reducers.families.json_document import draft_members
from flowctx.reducers.leaves import flatten
from flowctx.reducers.nodes import Node, NodeKind

_OPENING = re.compile(r"\s*(?:<\?xml\b|<[A-Za-z_][\w:.-]*[\s/>])")
_TAG = re.compile(r"<[^<>\"']*(?:\"[^\"]*\"[^<>\"']*|'[^']*'[^<>\"']*)*>")
_HTML = re.compile(r"<!DOCTYPE html|<html[\s>]|<body[\s>]|<div[\s>]", re.IGNORECASE)
_PROBED_CHARS = 4000
# What tells its column by its place alone, in tables of HTML, DocBook and spreadsheets.
_CELLS = frozenset(("td", "th", "entry", "cell", "Cell", "c"))
_MAX_DEPTH, _MAX_VALUE_DEPTH = 500, 8


@dataclass(slots=True)
class _Element:
    """An element while it is read."""

    tag: str
    start: int
    attributes: dict[str, str]
    end: int = 0
    texts: list[str] = field(default_factory=list)
    children: list["_Element"] = field(default_factory=list)


class _Tree(NamedTuple):
    """A document: its outermost element, and the tags that stand more than once in one."""

    root: _Element
    repeated: frozenset[str]


@remembered
def _find(case: Case) -> _Tree | None:
    text = case.document.text
    if not _OPENING.match(text) or text.rstrip()[-1:] != ">" or "<!ENTITY" in text:
        return None
    return None if _HTML.search(text, 0, _PROBED_CHARS) else _read(case)


def _draft(case: Case, tree: _Tree) -> Draft | None:
    root = tree.root
    by_start = {root.start: root, 0: root}

    def members(node: Node) -> Sequence[Node]:
        children = by_start[node.start].children
        by_start.update((child.start, child) for child in children)
        return [_node(child, tree.repeated) for child in children]

    whole = Node(0, len(case.document.text), root.start, "element")
    kind = "junit" if root.tag in ("testsuites", "testsuite") else root.tag.rsplit(":", 1)[-1]
    return draft_members(case, whole, f"xml/{kind}"[:40], members)


def _read(case: Case) -> _Tree | None:
    """The tree of elements; None where the text is no well-formed document."""
    document = case.document
    parser = expat.ParserCreate()
    parser.buffer_text = True
    stack: list[_Element] = []
    roots: list[_Element] = []
    repeated: set[str] = set()

    starts, text = document.starts, document.text

    def start(tag: str, attributes: dict[str, str]) -> None:
        at = starts[parser.CurrentLineNumber - 1] + parser.CurrentColumnNumber
        element = _Element(tag, at, attributes)
        (stack[-1].children if stack else roots).append(element)
        if len(stack) > _MAX_DEPTH:
            raise ValueError("nested too deeply")
        stack.append(element)

    def end(tag: str) -> None:
        del tag
        element = stack.pop()
        if len(element.children) > 1:
            counts = Counter(child.tag for child in element.children)
            repeated.update(name for name, count in counts.items() if count > 1)
        at = starts[parser.CurrentLineNumber - 1] + parser.CurrentColumnNumber
        is_closing = text.startswith("</", at)
        element.end = text.find(">", at) + 1 if is_closing else _tag_end(text, at)

    def characters(data: str) -> None:
        if stack and not stack[-1].children:
            stack[-1].texts.append(data)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    try:
        parser.Parse(text, True)
    except (expat.ExpatError, IndexError, ValueError):
        return None
    return _Tree(roots[0], frozenset(repeated)) if roots else None


def _tag_end(text: str, at: int) -> int:
    match = _TAG.match(text, at)
    return match.end() if match else at


def _node(element: _Element, repeated: Set[str]) -> Node:
    value = _value(element, repeated, 0)
    held = value if isinstance(value, dict) else {"text": value}
    kind: NodeKind = "element" if element.children else "string"
    step = f"{element.tag}[]" if element.tag in repeated else element.tag
    row = partial(_row, element.tag)
    return Node(element.start, element.end, element.start, kind, row, held, step=step)


def _row(tag: str, held: Mapping[str, Any]) -> dict[str, str]:
    fields = {"element": tag, **flatten(held)}
    fields.pop("", None)
    return fields


def _value(element: _Element, repeated: Set[str], depth: int) -> Any:
    """What an element holds, as a JSON document would: tags that repeat hold lists."""
    if not element.children and not element.attributes:
        return "".join(element.texts).strip() or "(element)"
    held: dict[str, Any] = {f"@{name}": value for name, value in element.attributes.items()}
    for at, child in enumerate(element.children if depth < _MAX_VALUE_DEPTH else (), 1):
        value = _value(child, repeated, depth + 1)
        if child.tag in _CELLS:
            held[f"#{at}"] = value
        elif child.tag in repeated:
            held.setdefault(child.tag, []).append(value)
        else:
            held[child.tag] = value
    text = "" if element.children else "".join(element.texts).strip()
    if held:
        return {**held, "text": text} if text else held
    return text or "(element)"


FAMILY = Family("xml", _find, _draft, looks_for="one XML document", whole_up_to=ALL_LINES)
