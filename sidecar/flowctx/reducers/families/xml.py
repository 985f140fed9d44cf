"""XML: elements of one build as rows, failures of JUnit reports first, long texts clipped.

Read by expat, without entity declarations: a document that has any is left to
the reducers of lines.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.parsers import expat

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import ALL_LINES, Family
from flowctx.reducers.families.json_document import draft_members
from flowctx.reducers.trees import Node

_OPENING = re.compile(r"\s*(?:<\?xml\b|<[A-Za-z_][\w:.-]*[\s/>])")
_TAG = re.compile(r"<[^<>\"']*(?:\"[^\"]*\"[^<>\"']*|'[^']*'[^<>\"']*)*>")
_HTML = re.compile(r"<!DOCTYPE html|<html[\s>]|<body[\s>]|<div[\s>]", re.IGNORECASE)
_PROBED_CHARS = 4000
_MAX_FIELD_CHARS = 300
_MAX_DEPTH = 500


@dataclass(slots=True)
class _Element:
    """An element while it is read."""

    tag: str
    start: int
    fields: dict[str, str]
    end: int = 0
    text: str = ""
    children: list["_Element"] = field(default_factory=list)


def _find(case: Case) -> "_Element | None":
    text = case.document.text
    if text[:1] != "<" or not _OPENING.match(text) or text[-1:] != ">" or "<!ENTITY" in text:
        return None
    return None if _HTML.search(text, 0, _PROBED_CHARS) else _read(case)


def _draft(case: Case, root: "_Element") -> Draft | None:
    by_start = {root.start: root, 0: root}

    def members(node: Node) -> Sequence[Node]:
        children = by_start[node.start].children
        by_start.update((child.start, child) for child in children)
        return [_node(child) for child in children]

    whole = Node(0, len(case.document.text), root.start, "element")
    kind = "junit" if root.tag in ("testsuites", "testsuite") else root.tag.rsplit(":", 1)[-1]
    return draft_members(case, whole, f"xml/{kind}"[:40], members)


def _read(case: Case) -> _Element | None:
    """The tree of elements; None where the text is no well-formed document."""
    document = case.document
    parser = expat.ParserCreate()
    parser.buffer_text = True
    stack: list[_Element] = []
    roots: list[_Element] = []

    starts, text = document.starts, document.text

    def start(tag: str, attributes: dict[str, str]) -> None:
        at = starts[parser.CurrentLineNumber - 1] + parser.CurrentColumnNumber
        fields = {"element": tag}
        for name, value in attributes.items():
            fields[f"@{name}"] = value[:_MAX_FIELD_CHARS]
        element = _Element(tag, at, fields)
        (stack[-1].children if stack else roots).append(element)
        if len(stack) > _MAX_DEPTH:
            raise ValueError("nested too deeply")
        stack.append(element)

    def end(tag: str) -> None:
        del tag
        element = stack.pop()
        at = starts[parser.CurrentLineNumber - 1] + parser.CurrentColumnNumber
        is_closing = text.startswith("</", at)
        element.end = text.find(">", at) + 1 if is_closing else _tag_end(text, at)

    def characters(data: str) -> None:
        if stack and len(stack[-1].text) < _MAX_FIELD_CHARS:
            stack[-1].text += data

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    try:
        parser.Parse(text, True)
    except (expat.ExpatError, IndexError, ValueError):
        return None
    return roots[0] if roots else None


def _tag_end(text: str, at: int) -> int:
    match = _TAG.match(text, at)
    return match.end() if match else at


def _node(element: _Element) -> Node:
    fields = dict(element.fields)
    for child in element.children[:20]:
        fields[child.tag] = child.text.strip()[:_MAX_FIELD_CHARS] or "(element)"
        fields.update(
            (f"{child.tag}{name}", value)
            for name, value in child.fields.items()
            if name != "element"
        )
    if element.text.strip() and not element.children:
        fields["text"] = element.text.strip()
    kind = "element" if element.children else "string"
    return Node(element.start, element.end, element.start, kind, fields)  # type: ignore[arg-type]


FAMILY = Family("xml", _find, _draft, looks_for="one XML document", whole_up_to=ALL_LINES)
