"""HTML pages: headings, paragraphs and tables of the content; menus, scripts and styles counted.

Blocks of text are shown with the tags they have in the page, so that links
and emphasis stay what they are.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft, Omitted, Piece, Shown
from flowctx.reducers.families.family import ALL_LINES, Family
from flowctx.reducers.languages import load_grammar
from flowctx.reducers.select import CLIP_CHARS, clip_span
from flowctx.reducers.sentences import Sentence, rank_sentences

_PAGE = re.compile(r"<!DOCTYPE html|<html[\s>]|<body[\s>]|<head[\s>]", re.IGNORECASE)
_ANY_TAG = re.compile(
    r"</?(?:div|p|span|a|li|ul|h[1-6]|td|tr|table|section|article)\b", re.IGNORECASE
)
_PROBED_CHARS = 4000
_MIN_TAGS = 20
# Tags that nest: not those of elements that are void or that HTML closes by itself.
_NESTING_TAG = re.compile(
    r"<(/?)(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|option"
    r"|tr|td|th|thead|tbody|tfoot|colgroup)\b)[a-z][\w-]*",
    re.IGNORECASE,
)
_MAX_DEPTH = 400
_HEADINGS = ("title", "h1", "h2", "h3", "h4", "h5", "h6")
_CELLS = ("tr", "td", "th", "caption", "li", "dt", "dd", "legend", "label", "button", "option")
_TEXTS = ("p", "pre", "blockquote", "figcaption", "summary")
_BLOCKS = frozenset([*_HEADINGS, *_CELLS, *_TEXTS])
_CHROME = frozenset(["nav", "header", "footer", "aside", "form", "noscript", "menu"])
_SKIPPED = frozenset(["script_element", "style_element", "comment", "doctype"])
_TAG_RANKS = {"title": 90.0, "h1": 88.0, "h2": 84.0, "h3": 78.0, "h4": 70.0, "h5": 60.0}
_TEXT_RANK, _CHROME_FACTOR, _LINK_FACTOR = 10.0, 0.15, 0.4
_GAP_CHARS = 120
_PAIR_CHARS = 160
# Layout tables have rows of whole pages.
_MAX_ROW_BYTES = 1500
# Menus and bare markup below this are not worth their room.
_FLOOR = 4.0
_MARK_CHARS = 28


class _Block(NamedTuple):
    """A block of text of a page: characters [start, end), its tag, and whether it is a menu's."""

    start: int
    end: int
    tag: str
    is_chrome: bool
    link_share: float


def _find(case: Case) -> "list[_Block] | None":
    text = case.document.text
    if text.lstrip()[:1] != "<":
        return None
    if (
        not _PAGE.search(text, 0, _PROBED_CHARS)
        and len(_ANY_TAG.findall(text[:20_000])) < _MIN_TAGS
    ):
        return None
    return None if _is_deep(text) else list(_blocks(text)) or None


def _is_deep(text: str) -> bool:
    """True for a page nested like none that people write: the parser's time grows with depth."""
    depth = 0
    for match in _NESTING_TAG.finditer(text):
        depth = max(depth + (-1 if match.group(1) else 1), 0)
        if depth > _MAX_DEPTH:
            return True
    return False


def _draft(case: Case, blocks: "list[_Block]") -> Draft | None:
    text = case.document.text
    ranks = _rank(text, blocks)
    chosen: set[int] = set()
    left = case.room
    for at in sorted(range(len(blocks)), key=lambda each: (-ranks[each], each)):
        neighbours = (at - 1 in chosen) + (at + 1 in chosen)
        size = min(blocks[at].end - blocks[at].start, CLIP_CHARS + _MARK_CHARS)
        cost = size + 1 + (1 - neighbours) * _MARK_CHARS
        if cost <= left and ranks[at] > _FLOOR:
            chosen.add(at)
            left -= cost
    pieces = tuple(_pieces(case, blocks, chosen))
    totals = (("blocks", len(blocks)), ("characters", len(text)))
    return Draft("html", pieces, totals)


def _blocks(text: str) -> Iterator[_Block]:
    """Innermost elements that hold running text, in order."""
    from tree_sitter import Parser

    source = text.encode("utf-8", "replace")
    offsets = _offsets(text, source)
    root = Parser(load_grammar("tree_sitter_html", "language")).parse(source).root_node
    pending: list[tuple[Any, bool]] = [(root, False)]
    while pending:
        node, is_chrome = pending.pop()
        if node.type in _SKIPPED:
            continue
        tag = _tag(node, source)
        is_chrome = is_chrome or tag in _CHROME
        children = node.named_children
        if tag in _BLOCKS and _is_whole(tag, node, source):
            start, end = offsets(node.start_byte), offsets(node.end_byte)
            yield _Block(start, end, tag, is_chrome, _link_share(node, source))
        elif node.type == "text":
            yield _Block(offsets(node.start_byte), offsets(node.end_byte), "", is_chrome, 0.0)
        else:
            pending.extend((child, is_chrome) for child in reversed(children))


def _is_whole(tag: str, node: Any, source: bytes) -> bool:
    """True for a block that holds no others; the cells of a row are nothing without each other."""
    if tag == "tr":
        return bool(node.end_byte - node.start_byte <= _MAX_ROW_BYTES)
    return not any(_tag(child, source) in _BLOCKS for child in node.named_children)


def _offsets(text: str, source: bytes) -> Any:
    """A function from byte offsets to offsets of code points."""
    if len(source) == len(text):
        return int
    table: list[int] = []
    for at, character in enumerate(text):
        table.extend([at] * len(character.encode("utf-8", "replace")))
    table.append(len(text))
    return table.__getitem__


def _tag(node: Any, source: bytes) -> str:
    if node.type != "element" or not node.named_children:
        return ""
    opening = node.named_children[0]
    if opening.type not in ("start_tag", "self_closing_tag") or not opening.named_children:
        return ""
    name = opening.named_children[0]
    return source[name.start_byte : name.end_byte].decode("ascii", "replace").lower()


def _link_share(node: Any, source: bytes) -> float:
    """Which part of a block lies within links."""
    linked = sum(
        child.end_byte - child.start_byte
        for child in node.named_children
        if _tag(child, source) == "a"
    )
    return float(linked / max(node.end_byte - node.start_byte, 1))


def _rank(text: str, blocks: Sequence[_Block]) -> list[float]:
    told = rank_sentences(text, [Sentence(block.start, block.end, True) for block in blocks])
    ranks = []
    for block, rank in zip(blocks, told, strict=True):
        rank = max(rank, _TAG_RANKS.get(block.tag, 0.0))
        if not block.tag or block.link_share > 0.6:
            rank *= _LINK_FACTOR
        ranks.append(rank * (_CHROME_FACTOR if block.is_chrome else 1.0))
    return _with_neighbours(blocks, ranks)


def _with_neighbours(blocks: Sequence[_Block], ranks: Sequence[float]) -> list[float]:
    """Short texts set side by side belong together: a name and its state, a term and its text."""
    raised = list(ranks)
    for at in range(1, len(blocks)):
        before, behind = blocks[at - 1], blocks[at]
        is_pair = (before.tag, behind.tag) in (("", ""), ("dt", "dd"))
        if is_pair and behind.end - before.start <= _PAIR_CHARS:
            raised[at - 1] = max(raised[at - 1], ranks[at] - 0.5)
            raised[at] = max(raised[at], ranks[at - 1] - 0.5)
    return raised


def _pieces(case: Case, blocks: Sequence[_Block], chosen: set[int]) -> Iterable[Piece]:
    """Chosen blocks, and between them what was left out: blocks, or markup alone."""
    at = hidden = 0
    for order, block in enumerate(blocks):
        if order not in chosen:
            hidden += 1
            continue
        yield from _gap(case.document.text, at, block.start, hidden)
        if block.end - block.start > CLIP_CHARS * 2:
            yield from clip_span(case.document, block.start, block.end)
        else:
            yield Shown(block.start, block.end)
        at, hidden = block.end, 0
    yield from _gap(case.document.text, at, len(case.document.text), hidden)


def _gap(text: str, start: int, end: int, hidden: int) -> Iterable[Piece]:
    if not text[start:end].strip():
        return
    if hidden:
        yield Omitted(start, end, hidden, "blocks")
    elif end - start <= _GAP_CHARS:
        yield Shown(start, end)
    else:
        yield Omitted(start, end, end - start, "characters")


FAMILY = Family(
    "html", _find, _draft, looks_for="at least 20 tags of a page", whole_up_to=ALL_LINES
)
