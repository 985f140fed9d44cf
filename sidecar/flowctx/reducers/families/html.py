"""HTML pages: headings, paragraphs and tables of the content; menus, scripts and styles counted.

Blocks of text are shown with the tags they have in the page, so that links
and emphasis stay what they are.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from flowctx.reducers.case import Case, remembered
from flowctx.reducers.draft import Draft, Note, Omitted, Piece, Shown
from flowctx.reducers.families.family import ALL_LINES, Family
from flowctx.reducers.oddity import oddest
from flowctx.reducers.page_blocks import TEXTS, Block, is_deep, read_blocks
from flowctx.reducers.page_parts import notices
from flowctx.reducers.select import CLIP_CHARS, Window, clip_span
from flowctx.reducers.sentences import gist, split_line
from flowctx.reducers.telling import tell_worth

_PAGE = re.compile(r"<!DOCTYPE html|<html[\s>]|<body[\s>]|<head[\s>]", re.IGNORECASE)
_ANY_TAG = re.compile(
    r"</?(?:div|p|span|a|li|ul|h[1-6]|td|tr|table|section|article)\b", re.IGNORECASE
)
_PROBED_CHARS = 4000
_MIN_TAGS, _MIN_HEADINGS = 20, 2
_TAG_RANKS = {"title": 90.0, "h1": 88.0, "h2": 84.0, "h3": 78.0, "h4": 70.0, "h5": 60.0}
# What a page can be asked to do, and what stands in most pages.
_FORM_RANK, _LICENSING_FACTOR = 46.0, 0.2
_TEXT_RANK, _CHROME_FACTOR, _LINK_FACTOR = 10.0, 0.15, 0.4
# What is shown of a long block is the best of it, so that its length costs little.
_LENGTH_COST, _MAX_LENGTH_COST = 2.0, 8.0
# What sentences say is one thing of many on a page; what code seems to say is less.
_WORTH_SHARE, _CODE_SHARE, _REPEATED_SHARE, _LINKED_SHARE, _END_RANK = 0.7, 0.3, 0.05, 0.6, 8.0
_MARKUP = re.compile(r"<[^<>]*>")
# Shorter text outside of any block is a label of the page.
_MIN_BARE_CHARS, _GAP_CHARS, _PAIR_CHARS = 40, 120, 160
# A link right behind a paragraph is of it.
_LINK = re.compile(r"<a\s[^>]*\bhref\b", re.IGNORECASE)
_LINK_CHARS, _LINK_COST = 240, 2.0
# Menus and bare markup below this are not worth their room.
_FLOOR = 4.0
_HEADING_SHARE = 0.5
# Of blocks of more characters so many are looked at; so much of them is a sample of all.
_MAX_TOLD_CHARS, _TOLD_CHARS, _SAMPLE_SHARE = 100_000, 50_000, 0.4
_MARK_CHARS = 28


@remembered
def _find(case: Case) -> list[Block] | None:
    text = case.document.text
    if text.lstrip()[:1] != "<":
        return None
    if not _PAGE.search(text, 0, _PROBED_CHARS) and not _is_fragment(text):
        return None
    return None if is_deep(text) else list(read_blocks(text)) or None


def _is_fragment(text: str) -> bool:
    """True for a part of a page: many tags, and no headings as Markdown has them."""
    is_markdown = text.count("\n## ") + text.count("\n# ") >= _MIN_HEADINGS
    return not is_markdown and len(_ANY_TAG.findall(text[:20_000])) >= _MIN_TAGS


def _draft(case: Case, blocks: list[Block]) -> Draft | None:
    text = case.document.text
    looked, told = _looked_at(text, blocks), tuple[Note, ...]()
    held = [blocks[at] for at in looked]
    worth, windows = _tell(case, held)
    ranks = _rank(text, held, worth)
    if len(held) < len(blocks):
        told = (Note(f"{len(held)} of {len(blocks)} blocks looked at, odd ones and a sample"),)
    room = case.room - sum(len(note.text) + _MARK_CHARS for note in told)
    chosen = {looked[at] for at in _choose(room, held, ranks)}
    pieces = (*told, *_pieces(case, blocks, chosen, windows))
    totals = (("blocks", len(blocks)), ("characters", len(text)))
    return Draft("html", pieces, totals)


def _looked_at(text: str, blocks: Sequence[Block]) -> Sequence[int]:
    """All blocks, or of very long ones together the headings, the oddest and a sample."""
    chars = sum(block.end - block.start for block in blocks)
    if chars <= _MAX_TOLD_CHARS:
        return range(len(blocks))
    count = len(blocks) * _TOLD_CHARS // chars + 1
    lines = [text[block.start : block.end].replace("\n", " ") for block in blocks]
    headings = [at for at, block in enumerate(blocks) if block.tag in _TAG_RANKS]
    return sorted({*oddest(lines, count, _SAMPLE_SHARE), *headings[:count]})


def _choose(room: int, blocks: Sequence[Block], ranks: Sequence[float]) -> set[int]:
    """Blocks that fit, the highest ranks first; headings only up to a part of the room."""
    chosen: set[int] = set()
    left, for_headings = room, int(room * _HEADING_SHARE)
    for at in sorted(range(len(blocks)), key=lambda each: (-ranks[each], each)):
        neighbours = (at - 1 in chosen) + (at + 1 in chosen)
        size = min(blocks[at].end - blocks[at].start, CLIP_CHARS + _MARK_CHARS)
        cost = size + 1 + (1 - neighbours) * _MARK_CHARS
        is_heading = blocks[at].tag in _TAG_RANKS
        if ranks[at] > _FLOOR and cost <= (min(left, for_headings) if is_heading else left):
            chosen.add(at)
            left -= cost
            for_headings -= cost if is_heading else 0
    return chosen


def _tell(case: Case, blocks: Sequence[Block]) -> tuple[list[float], list[Window]]:
    """What each block says, by its best sentence; and that sentence of long ones."""
    text = case.document.text
    sentences = [
        (at, each)
        for at, block in enumerate(blocks)
        for each in split_line(text[block.start : block.end], block.start)
    ]
    worth = tell_worth(case.words, [(each.start, each.end) for _, each in sentences])
    best = [0.0] * len(blocks)
    windows: dict[int, Window] = {}
    for (at, each), value in zip(sentences, worth, strict=True):
        told = value * (_CODE_SHARE if blocks[at].tag == "pre" else _WORTH_SHARE)
        if told > best[at]:
            best[at] = told
            windows[at] = Window(each.start, min(each.end, each.start + CLIP_CHARS))
    return best, [windows[at] for at in sorted(windows)]


def _rank(text: str, blocks: Sequence[Block], worth: Sequence[float]) -> list[float]:
    gists = [_gist(text, block) for block in blocks]
    said, told = Counter(gists), set[str]()
    ranks, is_licensing = [], notices(text)
    for at, block in enumerate(blocks):
        length = min((block.end - block.start) / 100 * _LENGTH_COST, _MAX_LENGTH_COST)
        rank = max(_TEXT_RANK + worth[at] - length, _TAG_RANKS.get(block.tag, 0.0))
        if block.tag == "form":
            rank = max(rank, _FORM_RANK)
        elif said[gists[at]] > 1 and (block.tag not in _TAG_RANKS or gists[at] in told):
            # A title that its page says again is told once.
            rank *= _REPEATED_SHARE
        told.add(gists[at])
        rank *= _LICENSING_FACTOR if is_licensing(block.start, block.end) else 1.0
        is_bare = not block.tag and block.end - block.start < _MIN_BARE_CHARS
        is_linked = block.link_share > _LINKED_SHARE and block.tag not in _TAG_RANKS
        if is_bare or is_linked:
            rank *= _LINK_FACTOR
        ranks.append(rank * (_CHROME_FACTOR if block.is_chrome else 1.0))
    ranks[-1] += _END_RANK
    return _with_links(text, blocks, _with_neighbours(blocks, ranks))


def _gist(text: str, block: Block) -> str:
    """What a block says; headings that differ by a number say different things."""
    said = _MARKUP.sub("", text[block.start : block.end])
    return said if block.tag in _TAG_RANKS else gist(said)


def _with_links(text: str, blocks: Sequence[Block], ranks: Sequence[float]) -> list[float]:
    """A short paragraph with a link goes with the paragraph before it."""
    raised = list(ranks)
    for at, (before, block) in enumerate(pairwise(blocks), 1):
        is_text = before.tag in TEXTS and block.tag in TEXTS and not block.is_chrome
        is_short = block.end - block.start <= _LINK_CHARS
        if is_text and is_short and _LINK.search(text, block.start, block.end):
            raised[at] = max(ranks[at], ranks[at - 1] - _LINK_COST)
    return raised


def _with_neighbours(blocks: Sequence[Block], ranks: Sequence[float]) -> list[float]:
    """Short texts set side by side belong together: a name and its state, a term and its text."""
    raised = list(ranks)
    for at in range(1, len(blocks)):
        before, behind = blocks[at - 1], blocks[at]
        is_pair = (before.tag, behind.tag) in (("", ""), ("dt", "dd"))
        if is_pair and behind.end - before.start <= _PAIR_CHARS:
            raised[at - 1] = max(raised[at - 1], ranks[at] - 0.5)
            raised[at] = max(raised[at], ranks[at - 1] - 0.5)
    return raised


def _pieces(
    case: Case, blocks: Sequence[Block], chosen: set[int], windows: Sequence[Window]
) -> Iterable[Piece]:
    """Chosen blocks, and between them what was left out: blocks, or markup alone."""
    at = hidden = 0
    for order, block in enumerate(blocks):
        if order not in chosen:
            hidden += 1
            continue
        yield from _gap(case.document.text, at, block.start, hidden)
        if block.end - block.start > CLIP_CHARS * 2:
            yield from clip_span(case.document, block.start, block.end, windows)
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
