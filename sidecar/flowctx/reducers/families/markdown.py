"""Markdown: headings, then first sentences, decisions, numbers, heads of tables and code."""

import re
from collections.abc import Sequence
from typing import Literal

from flowctx.reducers.case import Case
from flowctx.reducers.cues import cues_in
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.rarity import excess, word_rarity
from flowctx.reducers.select import MUST, Budget, Layout, choose_lines, draft_lines

LineKind = Literal["heading", "fence", "code", "table", "rule", "item", "text", "front", "blank"]

_HEADING = re.compile(r"(?:>\s*)?(#{1,6}) +\S|(?:<h([1-6])[ >])", re.IGNORECASE)
_MAY_HEAD = re.compile(r"^#{1,6} +\S|^<h[1-6][ >]|^(?:===|---)", re.IGNORECASE | re.MULTILINE)
_UNDERLINE = re.compile(r"(?:=+|-{3,})\s*$")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+\S")
_TABLE = re.compile(r"\s*\|.*\|\s*$")
_LINK = re.compile(r"\[[^\]]+\]\([^)]+\)|\*\*[^*]+\*\*|`[^`]+`")
_DIGIT = re.compile(r"\d")
_MIN_HEADINGS = 2
_RANKS: dict[LineKind, float] = {
    "text": 12.0,
    "item": 11.0,
    "table": 13.0,
    "code": 6.0,
    "fence": 5.0,
    "rule": 3.0,
    "front": 14.0,
}
_FIRST_BONUS, _CUE_BONUS, _NUMBER_BONUS, _TABLE_HEAD_BONUS = 14.0, 16.0, 4.0, 10.0
# Cues tell lines apart while at most this share has them.
_CUED_SHARE = 0.1
_MAX_BITS = 8.0
_CODE_HEAD_BONUS = 8.0
# Headings are chosen first, in this part of the room.
_HEADING_SHARE = 0.6
_BITS_WEIGHT = 4.0


def _find(case: Case) -> list[LineKind] | None:
    lines = case.plain_lines
    if not case.is_listing and not _MAY_HEAD.search(case.document.text):
        return None
    kinds = classify(lines)
    headings = kinds.count("heading")
    if headings < _MIN_HEADINGS:
        return None
    marked = kinds.count("item") + kinds.count("fence") + kinds.count("table")
    marked = marked or sum(1 for line in lines if _LINK.search(line))
    # Comments in shell scripts and settings look like headings; a page has blank lines around them.
    set_off = sum(
        1
        for at, kind in enumerate(kinds)
        if kind == "heading" and "blank" in (*kinds[max(at - 1, 0) : at], *kinds[at + 1 : at + 2])
    )
    is_page = set_off >= 0.7 * headings and headings <= 0.5 * len(case.filled)
    return kinds if is_page and (marked > 0 or headings > 3) else None


def _draft(case: Case, kinds: list[LineKind]) -> Draft | None:
    """Headings first, the outer before the inner, then what stands under them."""
    ranks = _rank(case, kinds)
    note = _describe(kinds)
    room = case.room - len(note) - 3
    headings = {at: ranks[at] for at, kind in enumerate(kinds) if kind == "heading"}
    chosen = choose_lines(case.document, headings, int(room * _HEADING_SHARE))
    chosen = Budget(case.document, room).choose(ranks, kept=chosen)
    return draft_lines(case.document, "markdown", chosen, Layout({-1: note}))


def classify(lines: Sequence[str]) -> list[LineKind]:
    """What each line of a Markdown text is."""
    kinds: list[LineKind] = []
    fence = ""
    in_front = bool(lines) and lines[0].strip() == "---"
    for at, line in enumerate(lines):
        stripped = line.strip()
        if in_front:
            kinds.append("front")
            in_front = not (at > 0 and stripped in ("---", "..."))
        elif fence:
            kinds.append("code")
            if stripped.startswith(fence) and not stripped.strip(fence[0]):
                kinds[-1], fence = "rule", ""
        elif _FENCE.match(line):
            fence = stripped[:3]
            kinds.append("fence")
        else:
            kinds.append(_kind(line, kinds))
    return kinds


def _kind(line: str, before: list[LineKind]) -> LineKind:
    if not line.strip():
        return "blank"
    if _HEADING.match(line):
        return "heading"
    if _UNDERLINE.match(line):
        if before and before[-1] == "text" and (len(before) < 2 or before[-2] in ("blank", "rule")):
            before[-1] = "heading"
        return "rule"
    if _TABLE.match(line):
        return "table"
    return "item" if _ITEM.match(line) else "text"


def _rank(case: Case, kinds: Sequence[LineKind]) -> dict[int, float]:
    lines, total = case.plain_lines, len(kinds)
    bits = excess(word_rarity(lines))
    cued = _cued(case)
    ranks: dict[int, float] = {}
    before: LineKind = "heading"
    for at, kind in enumerate(kinds):
        if kind == "blank":
            continue
        if kind == "heading":
            ranks[at] = _heading_rank(lines, at) + min(bits[at], _MAX_BITS) - at / total
        else:
            rank = _RANKS[kind] + _BITS_WEIGHT * bits[at]
            rank += cued.get(at, 0.0) if kind != "code" else 0.0
            rank += _NUMBER_BONUS if _DIGIT.search(lines[at]) else 0.0
            rank += _opening_bonus(kind, before)
            ranks[at] = rank + 2.0 * (1 - at / total)
        before = kind
    return ranks


def _cued(case: Case) -> dict[int, float]:
    """Bonus of lines that speak of decisions or trouble, less where many do."""
    document = case.document
    found = [*case.cues, *cues_in(case.words, ("decision",))]
    lines = {document.line_at(cue.start) for cue in found}
    crowd = max(len(lines) / max(len(document.lines) * _CUED_SHARE, 1.0), 1.0)
    return dict.fromkeys(lines, _CUE_BONUS / crowd)


def _opening_bonus(kind: LineKind, before: LineKind) -> float:
    """What opens a section, a table or a block of code tells what the rest is about."""
    if before == "heading":
        return _FIRST_BONUS
    if kind == "table" and before != "table":
        return _TABLE_HEAD_BONUS
    return _CODE_HEAD_BONUS if kind == "code" and before == "fence" else 0.0


def _heading_rank(lines: Sequence[str], at: int) -> float:
    """The outer levels above the inner ones; underlined headings are of the first or second."""
    match = _HEADING.match(lines[at])
    if match:
        level = int(match.group(2) or len(match.group(1)))
    else:
        level = 1 if at + 1 < len(lines) and lines[at + 1].startswith("=") else 2
    return MUST - 12.0 * level


def _describe(kinds: Sequence[LineKind]) -> str:
    counted = (
        ("headings", kinds.count("heading")),
        ("list items", kinds.count("item")),
        ("table lines", kinds.count("table")),
        ("code blocks", kinds.count("fence")),
    )
    return "; ".join(f"{count} {name}" for name, count in counted if count)


FAMILY = Family("markdown", _find, _draft, looks_for="at least 2 headings")
