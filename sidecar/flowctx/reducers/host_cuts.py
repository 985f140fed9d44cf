"""What the host had cut away of a text before we saw it, and where.

OpenClaw keeps the beginning of an output that is over its limit, and of one whose end
looks important, which JSON always does, also up to 4,000 characters of the end.
"""

import re
from collections.abc import Iterator

from flowctx.reducers.document import Document

_AT_AN_EDGE = (
    (re.compile(r"\A\s*\[earlier output (?:was discarded|is omitted)[^\]\n]*\]"), "its beginning"),
    (re.compile(r"\[(?:…|\.{3}) ?\d+ more characters truncated[^\]\n]*\]"), "its end"),
    (
        re.compile(r"\[(?:…|\.{3}) ?\d+ (?:bytes|chars|characters|lines) truncated[^\]\n]*\]"),
        "a part",
    ),
    (re.compile(r"\[Content truncated[^\]\n]*\]", re.IGNORECASE), "its end"),
)
_HINTS = ("truncated", "earlier output")
_WORDS = "middle content omitted"
_MIDDLE = re.compile(rf"^(?:⚠️? ?)?\[(?:…|\.{{3}}) {_WORDS}\b[^\]\n]*\]$", re.MULTILINE)
# The host's own marks stand at the edges of a text; a log that quotes them was not cut.
_EDGE_CHARS = 600


def host_cut(text: str) -> str:
    """A note on what the host itself had cut away; empty when it had cut nothing."""
    if _WORDS in text and _MIDDLE.search(text):
        # The mark behind such a text counts what is gone in its middle.
        return "the host had cut its middle before"
    edges = (text[:_EDGE_CHARS], text[-_EDGE_CHARS:])
    if not any(word in edge for word in _HINTS for edge in edges):
        return ""
    lost = [part for pattern, part in _AT_AN_EDGE if any(pattern.search(edge) for edge in edges)]
    return f"the host had cut {' and '.join(lost)} before" if lost else ""


def middle_cuts(document: Document) -> Iterator[int]:
    """Lines in which the host says that what stood there is gone."""
    if _WORDS in document.text:
        for mark in _MIDDLE.finditer(document.text):
            yield document.line_at(mark.start())
