"""XML: elements of one build as rows, failures of JUnit reports first, long texts clipped.

Read by expat, without entity declarations: a document that has any is left to
the reducers of lines.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple
from xml.parsers import expat

from flowctx.reducers.case import Case, remembered
from flowctx.reducers.document import Document
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import ALL_LINES, Family
from flowctx.reducers.families.json_document import draft_members
from flowctx.reducers.leaves import flatten
from flowctx.reducers.nodes import Node, make_node

_OPENING = re.compile(r"\s*(?:<\?xml\b|<[A-Za-z_][\w:.-]*[\s/>])")
_TAG = re.compile(r"<[^<>\"']*(?:\"[^\"]*\"[^<>\"']*|'[^']*'[^<>\"']*)*>")
_HTML = re.compile(r"<!DOCTYPE html|<html[\s>]|<body[\s>]|<div[\s>]", re.IGNORECASE)
_PROBED_CHARS = 4000
# What tells its column by its place alone, in tables of HTML, DocBook and spreadsheets.
_CELLS = frozenset(("td", "th", "entry", "cell", "Cell", "c"))
_MAX_DEPTH, _MAX_VALUE_DEPTH = 500, 8


@dataclass(slots=True)
class _Element:
    """An element while it is read; names and values of its attributes by turns."""

    tag: str
    start: int
    attributes: list[str]
    end: int = 0
    # Most elements hold either, and some neither.
    texts: list[str] | None = None
    children: list["_Element"] | None = None

    @property
    def text(self) -> str:
        """What it holds where it has no children."""
        return "".join(self.texts or ()).strip()

    def take(self, child: "_Element") -> None:
        """Hold another child."""
        if self.children:
            self.children.append(child)
        else:
            self.children = [child]

    def say(self, data: str) -> None:
        """Hold more text, where there are no children."""
        if self.texts:
            self.texts.append(data)
        elif not self.children:
            self.texts = [data]

    def repeated(self) -> Iterator[str]:
        """Tags that several of its children have."""
        counts = Counter(child.tag for child in self.children or ())
        yield from (name for name, count in counts.items() if count > 1)


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
        children = by_start[node.start].children or ()
        by_start.update(zip([child.start for child in children], children, strict=True))
        return list(_nodes(children, tree.repeated))

    whole = Node(0, len(case.document.text), root.start, "element")
    kind = "junit" if root.tag in ("testsuites", "testsuite") else root.tag.rsplit(":", 1)[-1]
    return draft_members(case, whole, f"xml/{kind}"[:40], members)


def _read(case: Case) -> _Tree | None:
    """The tree of elements; None where the text is no well-formed document."""
    parser = expat.ParserCreate()
    parser.buffer_text = parser.ordered_attributes = True
    stack: list[_Element] = []
    roots: list[_Element] = []
    repeated: set[str] = set()
    text, place = case.document.text, _place_of(parser, case.document)

    def start(tag: str, attributes: list[str]) -> None:
        element = _Element(tag, place(), attributes)
        if stack:
            stack[-1].take(element)
        else:
            roots.append(element)
        if len(stack) > _MAX_DEPTH:
            raise ValueError("nested too deeply")
        stack.append(element)

    def end(tag: str) -> None:
        del tag
        element = stack.pop()
        if element.children:
            repeated.update(element.repeated())
        at = place()
        is_closing = text.startswith("</", at)
        element.end = text.find(">", at) + 1 if is_closing else _tag_end(text, at)

    def characters(data: str) -> None:
        if stack:
            stack[-1].say(data)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    try:
        parser.Parse(text, True)
    except (expat.ExpatError, IndexError, ValueError):
        return None
    return _Tree(roots[0], frozenset(repeated)) if roots else None


def _place_of(parser: expat.XMLParserType, document: Document) -> Callable[[], int]:
    """A function that tells where in the text a parser is."""
    if document.text.isascii():
        return lambda: parser.CurrentByteIndex
    starts = document.starts
    return lambda: starts[parser.CurrentLineNumber - 1] + parser.CurrentColumnNumber


def _tag_end(text: str, at: int) -> int:
    match = _TAG.match(text, at)
    return match.end() if match else at


def _nodes(elements: Sequence[_Element], repeated: Set[str]) -> Iterator[Node]:
    tags = {element.tag for element in elements}
    rows = {tag: partial(_row, tag) for tag in tags}
    steps = {tag: f"{tag}[]" if tag in repeated else tag for tag in tags}
    for element in elements:
        value, start, tag = _value(element, repeated, 0), element.start, element.tag
        held = value if isinstance(value, dict) else {"text": value}
        kind = "element" if element.children else "string"
        yield make_node((start, element.end, start, kind, rows[tag], held, "", steps[tag]))


def _row(tag: str, held: Mapping[str, Any]) -> dict[str, str]:
    fields = {"element": tag, **flatten(held)}
    fields.pop("", None)
    return fields


@lru_cache(maxsize=1024)
def _attribute(name: str) -> str:
    return f"@{name}"


def _value(element: _Element, repeated: Set[str], depth: int) -> Any:
    """What an element holds, as a JSON document would: tags that repeat hold lists."""
    given = element.attributes
    held: dict[str, Any] = dict(zip(map(_attribute, given[::2]), given[1::2], strict=True))
    if not element.children:
        text = element.text
        if held and text:
            held["text"] = text
        return held or text or "(element)"
    for at, child in enumerate(element.children if depth < _MAX_VALUE_DEPTH else (), 1):
        value = _value(child, repeated, depth + 1)
        if child.tag in _CELLS:
            held[f"#{at}"] = value
        elif child.tag in repeated:
            held.setdefault(child.tag, []).append(value)
        else:
            held[child.tag] = value
    return held or "(element)"


FAMILY = Family("xml", _find, _draft, looks_for="one XML document", whole_up_to=ALL_LINES)
