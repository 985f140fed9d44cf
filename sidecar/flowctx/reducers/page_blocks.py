"""The blocks of text of an HTML page, in order."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from flowctx.reducers.languages import load_grammar
from flowctx.reducers.page_parts import sends

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
# Tags that nest: not those of elements that are void or that HTML closes by itself.
_NESTING_TAG = re.compile(
    r"<(/?)(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|option"
    r"|tr|td|th|thead|tbody|tfoot|colgroup)\b)[a-z][\w-]*",
    re.IGNORECASE,
)
_TAG_BEGUN = re.compile(r"</?[A-Za-z][\w-]*")
_MAX_DEPTH = 400
_TAG_NAME = re.compile(rb"<\s*([\w:-]+)")
_HEADINGS = ("title", "h1", "h2", "h3", "h4", "h5", "h6")
_CELLS = ("tr", "td", "th", "caption", "li", "dt", "dd", "legend", "label", "button", "option")
TEXTS = ("p", "pre", "blockquote", "figcaption", "summary")
_BLOCKS = frozenset([*_HEADINGS, *_CELLS, *TEXTS])
_CHROME = frozenset(["nav", "header", "footer", "aside", "form", "noscript", "menu"])
# What holds no text of the page.
_SKIPPED = frozenset(
    (
        *("script_element", "style_element", "comment", "doctype"),
        *("start_tag", "end_tag", "self_closing_tag", "erroneous_end_tag"),
    )
)
# Layout tables have rows of whole pages.
_MAX_ROW_BYTES = 1500


class Block(NamedTuple):
    """A block of text of a page: characters [start, end), its tag, and whether it is a menu's."""

    start: int
    end: int
    tag: str
    is_chrome: bool
    link_share: float


def read_blocks(text: str) -> Iterator[Block]:
    """Innermost elements that hold running text, in order."""
    from tree_sitter import Parser

    source = text.encode("utf-8", "replace")
    offsets = byte_offsets(text, source)
    root = Parser(load_grammar("tree_sitter_html", "language")).parse(source).root_node
    pending: list[tuple[Any, bool]] = [(root, False)]
    while pending:
        node, is_chrome = pending.pop()
        if node.type in _SKIPPED:
            continue
        tag = _tag(node, source)
        is_chrome = is_chrome or tag in _CHROME
        if tag == "form" and sends(text[offsets(node.start_byte) : offsets(node.end_byte)]):
            yield Block(offsets(node.start_byte), offsets(node.end_byte), tag, False, 0.0)
        elif tag in _BLOCKS and _is_whole(tag, node, children := node.children, source):
            start, end = offsets(node.start_byte), offsets(node.end_byte)
            yield Block(start, end, tag, is_chrome, _link_share(node, children, source))
        elif node.type == "text":
            yield Block(offsets(node.start_byte), offsets(node.end_byte), "", is_chrome, 0.0)
        else:
            pending.extend((child, is_chrome) for child in reversed(node.children))


def _is_whole(tag: str, node: Any, children: Sequence[Any], source: bytes) -> bool:
    """True for a block that holds no others; the cells of a row are nothing without each other."""
    if tag == "tr":
        return bool(node.end_byte - node.start_byte <= _MAX_ROW_BYTES)
    return not any(_tag(child, source) in _BLOCKS for child in children)


def byte_offsets(text: str, source: bytes) -> Callable[[int], int]:
    """A function from byte offsets to offsets of code points."""
    if len(source) == len(text):
        return int
    # Runs of characters beyond ASCII: where they begin and end in the bytes and in the text.
    begun, runs, shift = [0], [(0, 0, 0)], 0
    for run in _BEYOND_ASCII.finditer(text):
        begun.append(run.start() + shift)
        shift += len(run.group().encode("utf-8", "replace")) - len(run.group())
        runs.append((run.end() + shift, run.start(), run.end()))

    def offset(at: int) -> int:
        run = bisect_right(begun, at) - 1
        stop, start, end = runs[run]
        if at >= stop:
            return end + at - stop
        return start + len(source[begun[run] : at].decode("utf-8", "ignore"))

    return offset


def _tag(node: Any, source: bytes) -> str:
    opening = _TAG_NAME.match(source, node.start_byte) if node.type == "element" else None
    return opening[1].decode("ascii", "replace").lower() if opening else ""


def _link_share(node: Any, children: Sequence[Any], source: bytes) -> float:
    """Which part of a block lies within links."""
    linked = sum(
        child.end_byte - child.start_byte for child in children if _tag(child, source) == "a"
    )
    return float(linked / max(node.end_byte - node.start_byte, 1))


def is_deep(text: str) -> bool:
    """True for a page nested like none that people write: the parser's time grows with depth."""
    depth, tags = 0, _TAG_BEGUN.findall(text)
    steps = {tag: _step(tag) for tag in set(tags)}
    for step in map(steps.__getitem__, tags):
        depth = max(depth + step, 0) if step else depth
        if depth > _MAX_DEPTH:
            return True
    return False


def _step(tag: str) -> int:
    nesting = _NESTING_TAG.match(tag)
    return 0 if nesting is None else -1 if nesting[1] else 1
