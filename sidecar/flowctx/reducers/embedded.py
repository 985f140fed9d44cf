"""Whole documents of JSON or XML in a text: what stands before and behind one is something else."""

import re
from collections.abc import Iterator, Sequence
from itertools import compress

from flowctx.reducers.document import Document
from flowctx.reducers.json_tree import as_node
from flowctx.reducers.segments import Segment

# Tags of pages and components are no documents, but for that of a whole page.
_ROOT = re.compile(
    r"(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!DOCTYPE[^>]{0,200}>\s*)?(?:<!--.{0,400}?-->\s*)?"
    r"<(?!(?:[abpq]|br|h\d|div|span|table|details|summary|center|img|picture|[uod]l|pre|code|section"
    r"|script|style|template|form|nav|main|svg)[\s>])([A-Za-z_][\w:.-]{0,80})[\s>]",
    re.DOTALL | re.IGNORECASE,
)
_JSON = re.compile(r"[{\[]\s*[{\[\"]")
# A document in one line, behind a label, or a time and a level.
_LABELLED = re.compile(r"[^{}\[\]\"'<>\n]{1,120}(?=[{\[]\s*[{\[\"])")
_OPENERS = ("\n{", "\n[", "\n<")
_OPENER = re.compile(r"\n[{\[<]")
_CLOSERS = {"{": "}", "[": "]", "<": ">"}
_FENCES = ("```", "~~~")
_MIN_CHARS, _MIN_SHARE, _FENCED_SHARE = 1000, 0.1, 0.5
# More documents, or small ones, are those of a stream; and there are only so many tries.
_MAX_DOCUMENTS, _MAX_SMALL, _MAX_TRIES = 4, 4, 16


def find_documents(document: Document) -> list[Segment]:
    """The lines of each large document in a text; none where the text is one, or a stream."""
    if is_closed(document.text) and not any(opener in document.text for opener in _OPENERS):
        return []
    needed = int(max(_MIN_CHARS, _MIN_SHARE * len(document.text)))
    found = _on_lines_of_their_own(document, needed)
    found += _behind_labels(document, needed, found)
    is_whole = found == [Segment(0, len(document.lines))] and not label_end(document.text)
    return [] if is_whole or len(found) > _MAX_DOCUMENTS else sorted(found)


def is_closed(text: str) -> bool:
    """True where a text ends with what closes a document that begins with its first character."""
    closer = _CLOSERS.get(text[:1])
    return closer is not None and text.endswith(closer)


def label_end(line: str) -> int:
    """Where JSON begins behind a label and goes on to the end of a line; 0 where it does not."""
    label = _LABELLED.match(line)
    if label is None or line[-1:] not in ("}", "]"):
        return 0
    node = as_node(line, label.end())
    return label.end() if node and node.end == len(line) else 0


def _behind_labels(document: Document, needed: int, found: Sequence[Segment]) -> Iterator[Segment]:
    if "{" not in document.text and "[" not in document.text:
        return
    long = map(needed.__le__, map(len, document.lines))
    for at in compress(range(len(document.lines)), long):
        is_taken = any(segment.start <= at < segment.end for segment in found)
        if not is_taken and label_end(document.lines[at]):
            yield Segment(at, at + 1)


def _on_lines_of_their_own(document: Document, needed: int) -> list[Segment]:
    text = document.text
    found: list[Segment] = []
    small = tries = behind = 0
    for at in _beginnings(text):
        if at < behind or not (_JSON.match(text, at) or _begins_markup(text, at)):
            continue
        end, tries = _end_of(text, at), tries + 1
        small += 0 < end - at < needed
        if small > _MAX_SMALL:
            return []
        if end - at >= needed and not _is_in_fence(text, at, end):
            found.append(Segment(document.line_at(at), document.line_at(end - 1) + 1))
        behind = end
        if tries == _MAX_TRIES:
            break
    return found


def _beginnings(text: str) -> Iterator[int]:
    """Where lines begin that may begin a document."""
    if text[:1] in _CLOSERS:
        yield 0
    yield from (match.start() + 1 for match in _OPENER.finditer(text))


def _end_of(text: str, at: int) -> int:
    """Behind the document that begins at a place; the place itself where none does."""
    end = at
    if text[at] == "<":
        root = _ROOT.match(text, at)
        close = f"</{root.group(1)}>" if root else ""
        closed = text.find(f"\n{close}", at) if root else -1
        closed = closed + 1 if closed >= 0 else text.find(close, at) if root else -1
        end = closed + len(close) if closed >= 0 else at
    else:
        node = as_node(text, at)
        end = node.end if node else at
    behind = text.find("\n", end)
    rest = text[end : behind if behind >= 0 else len(text)]
    return at if rest.strip() else end


def _begins_markup(text: str, at: int) -> bool:
    """True for a tag that stands behind no other, as one below a prolog does."""
    return text[at] == "<" and text[max(at - _MIN_CHARS, 0) : at].rstrip()[-1:] != ">"


def _is_in_fence(text: str, start: int, end: int) -> bool:
    before = text.rfind("\n", 0, max(start - 1, 0)) + 1
    is_fenced = text.startswith(_FENCES, before) and before < start
    return is_fenced and end - start < _FENCED_SHARE * len(text)
