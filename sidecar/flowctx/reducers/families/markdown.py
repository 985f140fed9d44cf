"""Markdown: every heading, then first sentences, decisions, numbers, tables and code by their heads."""

import re
from collections.abc import Sequence
from typing import Literal

from flowctx.reducers.case import Case
from flowctx.reducers.cues import find_cues
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.rarity import excess, word_rarity
from flowctx.reducers.select import MUST, Layout, choose_facts, draft_lines

LineKind = Literal["heading", "fence", "code", "table", "rule", "item", "text", "front", "blank"]

_HEADING = re.compile(r"(?:>\s*)?(#{1,6}) +\S|(?:<h([1-6])[ >])", re.IGNORECASE)
_MAY_HEAD = re.compile(r"^#{1,6} +\S|^<h[1-6][ >]|^(?:===|---)", re.IGNORECASE | re.MULTILINE)
_UNDERLINE = re.compile(r"(?:=+|-{3,})\s*$")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+\S")
_TABLE = re.compile(r"\s*\|.*\|\s*$")
_LINK = re.compile(r"\[[^\]]+\]\([^)]+\)|\*\*[^*]+\*\*|`[^`]+`")
_MIN_HEADINGS = 2
_RANKS: dict[LineKind, float] = {
    "text": 12.0, "item": 11.0, "table": 13.0, "code": 6.0, "fence": 5.0, "rule": 3.0, "front": 14.0, "blank": 0.0,
}  # fmt: skip
_FIRST_BONUS, _DECISION_BONUS, _NUMBER_BONUS, _TABLE_HEAD_BONUS = 14.0, 16.0, 4.0, 10.0
_CODE_HEAD_BONUS = 8.0
_BITS_WEIGHT = 4.0


def _find(case: Case) -> list[LineKind] | None:
    lines = case.document.lines
    if not _MAY_HEAD.search(case.document.text):
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
    ranks = _rank(case, kinds)
    note = _describe(kinds)
    chosen, exceeds = choose_facts(case.document, ranks, case.room - len(note) - 3)
    draft = draft_lines(case.document, "markdown", chosen, Layout({-1: note}))
    return draft.exceeding() if exceeds else draft


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
    lines, total = case.document.lines, len(kinds)
    bits = excess(word_rarity(lines))
    decided = {
        case.document.line_at(cue.start) for cue in find_cues(case.document.text, ("decision",))
    }
    crowd = max(len(decided) / max(total * 0.1, 1.0), 1.0)
    ranks: dict[int, float] = {}
    before: LineKind = "heading"
    for at, kind in enumerate(kinds):
        if kind == "blank":
            continue
        if kind == "heading":
            ranks[at] = _heading_rank(lines[at]) - at / total
        else:
            rank = _RANKS[kind] + _BITS_WEIGHT * bits[at]
            rank += _DECISION_BONUS / crowd if at in decided and kind != "code" else 0.0
            rank += _NUMBER_BONUS if any(map(str.isdigit, lines[at])) else 0.0
            rank += _opening_bonus(kind, before)
            ranks[at] = rank + 2.0 * (1 - at / total)
        before = kind
    return ranks


def _opening_bonus(kind: LineKind, before: LineKind) -> float:
    """What opens a section, a table or a block of code tells what the rest is about."""
    if before == "heading":
        return _FIRST_BONUS
    if kind == "table" and before != "table":
        return _TABLE_HEAD_BONUS
    return _CODE_HEAD_BONUS if kind == "code" and before == "fence" else 0.0


def _heading_rank(line: str) -> float:
    match = _HEADING.match(line)
    level = (
        len(match.group(1)) if match and match.group(1) else int((match and match.group(2)) or 1)
    )
    return MUST * 2 + 70 - 10 * level


def _describe(kinds: Sequence[LineKind]) -> str:
    counted = (
        ("headings", kinds.count("heading")),
        ("list items", kinds.count("item")),
        ("table lines", kinds.count("table")),
        ("code blocks", kinds.count("fence")),
    )
    return "; ".join(f"{count} {name}" for name, count in counted if count)


FAMILY = Family("markdown", _find, _draft)
