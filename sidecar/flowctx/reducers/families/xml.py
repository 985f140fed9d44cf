"""XML: elements of one build as rows, failures of JUnit reports first, long texts clipped.

Read by expat, without entity declarations: a document that has any is left to
the reducers of lines.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from flowctx.reducers.case import Case
from flowctx.reducers.document import Document
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import ALL_LINES, Family
from flowctx.reducers.families.json_document import draft_members
from flowctx.reducers.leaves import flatten
from flowctx.reducers.nodes import Node, NodeKind

_OPENING = re.compile(r"\s*(?:<\?xml\b|<[A-Za-z_][\w:.-]*[\s/>])")
_TAG = re.compile(r"<[^<>\"']*(?:\"[^\"]*\"[^<>\"']*|'[^']*'[^<>\"']*)*>")
_HTML = re.compile(r"<!DOCTYPE html|<html[\s>]|<body[\s>]|<div[\s>]", re.IGNORECASE)
_PROBED_CHARS = 4000
_MAX_DEPTH = 400
# The text of an element, as XPath names it.
_TEXT = "text()"


@dataclass(slots=True)
class _Element:
    """An element while it is read.

    Attributes:
        texts: the parts of its own text.
        value: what it holds, once it was asked for.
    """

    tag: str
    start: int
    attributes: dict[str, str]
    end: int = 0
    texts: list[str] = field(default_factory=list)
    children: list["_Element"] = field(default_factory=list)
    value: Any = None


@dataclass(frozen=True, slots=True)
class _Tree:
    """The elements of a document.

    Attributes:
        root: the outermost.
        repeated: names of elements of which some element has several, with its name before.
    """

    root: _Element
    repeated: frozenset[tuple[str, str]]

    def node(self, element: _Element, above: str) -> Node:
        """An element as a member of one of a name."""
        value = self._value(element)
        fields = value if isinstance(value, dict) else {_TEXT: value} if value else {}
        kind: NodeKind = "element" if element.children else "string"
        step = element.tag + "[]" * ((above, element.tag) in self.repeated)
        told = flatten({"element": element.tag, **fields})
        return Node(element.start, element.end, element.start, kind, told, value, step=step)

    def _value(self, element: _Element) -> Any:
        """Attributes, text and children by name: a list where some element has several of it."""
        if element.value is not None:
            return element.value
        text = "".join(element.texts).strip()
        if not element.attributes and not element.children:
            element.value = text
            return text
        held: dict[str, Any] = {f"@{name}": value for name, value in element.attributes.items()}
        if text:
            held[_TEXT] = text
        for child in element.children:
            value = self._value(child)
            if (element.tag, child.tag) in self.repeated:
                held.setdefault(child.tag, []).append(value)
            else:
                held[child.tag] = value
        element.value = held
        return held


def _find(case: Case) -> _Tree | None:
    text = case.document.text
    if text[:1] != "<" or not _OPENING.match(text) or text[-1:] != ">" or "<!ENTITY" in text:
        return None
    return None if _HTML.search(text, 0, _PROBED_CHARS) else _read(case)


def _draft(case: Case, tree: _Tree) -> Draft | None:
    root = tree.root
    by_start = {root.start: root, 0: root}

    def members(node: Node) -> Sequence[Node]:
        element = by_start[node.start]
        by_start.update((child.start, child) for child in element.children)
        return [tree.node(child, element.tag) for child in element.children]

    whole = Node(0, len(case.document.text), root.start, "element")
    kind = "junit" if root.tag in ("testsuites", "testsuite") else root.tag.rsplit(":", 1)[-1]
    return draft_members(case, whole, f"xml/{kind}"[:40], members)


def _read(case: Case) -> _Tree | None:
    """The tree of elements; None where the text is no well-formed document."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    reader = _Reader(case.document, parser)
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.characters
    try:
        parser.Parse(case.document.text, True)
    except (expat.ExpatError, IndexError, ValueError):
        return None
    return _Tree(reader.top.children[0], frozenset(reader.repeated))


class _Reader:
    """Builds the tree while a document is parsed."""

    def __init__(self, document: Document, parser: expat.XMLParserType) -> None:
        self.top = _Element("", 0, {})
        self.repeated: set[tuple[str, str]] = set()
        self._text, self._starts, self._parser = document.text, document.starts, parser
        self._stack = [self.top]

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        element = _Element(tag, self._at(), attributes)
        self._stack[-1].children.append(element)
        if len(self._stack) > _MAX_DEPTH:
            raise ValueError("nested too deeply")
        self._stack.append(element)

    def end(self, tag: str) -> None:
        element, at = self._stack.pop(), self._at()
        is_closing = self._text.startswith("</", at)
        element.end = self._text.find(">", at) + 1 if is_closing else _tag_end(self._text, at)
        if len(element.children) > 1:
            counts = Counter([child.tag for child in element.children])
            if len(counts) < len(element.children):
                self.repeated.update((tag, name) for name, count in counts.items() if count > 1)

    def characters(self, data: str) -> None:
        self._stack[-1].texts.append(data)

    def _at(self) -> int:
        parser = self._parser
        return self._starts[parser.CurrentLineNumber - 1] + parser.CurrentColumnNumber


def _tag_end(text: str, at: int) -> int:
    match = _TAG.match(text, at)
    return match.end() if match else at


FAMILY = Family("xml", _find, _draft, looks_for="one XML document", whole_up_to=ALL_LINES)
