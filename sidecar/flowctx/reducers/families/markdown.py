"""Markdown: headings, then first sentences, decisions, numbers, heads of tables and code."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from flowctx.reducers.case import Case, remembered
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.page_prose import draft_page, is_prose_page
from flowctx.reducers.paragraphs import Said, choose, long_paragraphs
from flowctx.reducers.rarity import excess, word_rarity
from flowctx.reducers.releases import release_heads, routine_lines
from flowctx.reducers.select import (
    MUST,
    Budget,
    Layout,
    choose_lines,
    draft_lines,
)
from flowctx.reducers.sentences import split_line
from flowctx.reducers.telling import tell_worth

LineKind = Literal["heading", "fence", "code", "table", "rule", "item", "text", "front", "blank"]

_HEADING = re.compile(r"(?:>\s*)?(#{1,6}) +\S|(?:<h([1-6])[ >])", re.IGNORECASE)
# What begins a line; searches run quickly from one line end to the next.
_MAY_HEAD = re.compile(r"\n(?:#{1,6} +\S|<[hH][1-6][ >]|===|---)")
_UNDERLINE = re.compile(r"(?:=+|-{3,})\s*$")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+\S")
_TABLE = re.compile(r"\s*\|.*\|\s*$")
_LINK = re.compile(r"\[[^\]]+\]\([^)]+\)|\*\*[^*]+\*\*|`[^`]+`")
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
# Lines of these kinds say something.
_TOLD = frozenset[LineKind](["text", "item", "table"])
# What a page ends with is often what it comes to.
_FIRST_BONUS, _LAST_BONUS, _TABLE_HEAD_BONUS = 14.0, 10.0, 10.0
# As GitHub, reStructuredText, MkDocs and Docusaurus write them.
_ADMONITION = re.compile(
    r"\s*(?:>\s*)?(?:\[!(?:WARNING|CAUTION|IMPORTANT)\]"
    r"|\.\. (?:warning|danger|attention|caution|important)::"
    r"|!!! ?(?:warning|danger)|:::+ ?(?:warning|danger|caution)"
    r"|(?:\*\*|__)?(?:Warning|WARNING|Caution|Danger|Achtung|Warnung|Attention|Advertencia"
    r"|Внимание|警告|注意|경고)(?:\*\*|__)?\s*[:!：])"
)
_ADMONITION_LINES, _ADMONITION_RANK = 4, 70.0
_MAX_BITS = 8.0
_BEST_BONUS = 14.0
_CODE_HEAD_BONUS = 8.0
# Headings are chosen first, in this part of the room; further ones beside what is under them.
_HEADING_SHARE, _FURTHER_RANK = 0.6, 34.0
_BITS_WEIGHT = 4.0


class _Told(NamedTuple):
    """What the lines of a page say.

    Attributes:
        ranks: of all lines.
        said: the sentences of long paragraphs.
    """

    ranks: Mapping[int, float]
    said: Sequence[Said]


def _find(case: Case) -> list[LineKind] | None:
    lines = case.plain_lines
    releases = _releases(case)
    if not (releases or case.is_listing or _MAY_HEAD.search(f"\n{case.document.text}")):
        return None
    kinds = _kinds(case)
    headings = kinds.count("heading")
    if headings < _MIN_HEADINGS:
        return None
    marked = kinds.count("item") + kinds.count("fence") + kinds.count("table")
    marked = marked or sum(1 for line in lines if _LINK.search(line))
    # Comments in shell scripts and settings look like headings; a page has blank lines around them.
    set_off = sum(
        1 for at, kind in enumerate(kinds) if kind == "heading" and _is_set_off(kinds, at)
    )
    # In lists of releases nearly each other line is a heading; comments have one sign, not two.
    inner = sum(1 for line in lines if line.startswith("##"))
    most = 0.5 if inner < 0.7 * headings else 0.8
    if releases:
        return kinds
    is_page = set_off >= 0.7 * headings and headings <= most * len(case.filled)
    return kinds if is_page and (marked > 0 or headings > 3) else None


def _is_set_off(kinds: Sequence[LineKind], at: int) -> bool:
    """True for a heading with a blank line beside it, or below what underlines it."""
    below = kinds[at + 1 : at + 2] if kinds[at + 1 : at + 2] != ["rule"] else kinds[at + 2 : at + 3]
    return "blank" in (*kinds[max(at - 1, 0) : at], *below)


def _draft(case: Case, kinds: list[LineKind]) -> Draft | None:
    """Headings first, the outer before the inner, then what stands under them."""
    if is_prose_page(case, kinds):
        routine = routine_lines(case.document.lines, _releases(case))
        raised = {at: rank for at, rank in _raised(case, kinds).items() if at not in routine}
        return draft_page(case, kinds, raised, routine)
    note = _describe(kinds)
    told = _told(case)
    budget = Budget(case.document, case.room - len(note) - 3)
    headings = {at: told.ranks[at] for at, kind in enumerate(kinds) if kind == "heading"}
    kept = choose_lines(case.document, headings, int(budget.room * _HEADING_SHARE))
    further = {at: min(rank, _FURTHER_RANK) for at, rank in headings.items() if at not in kept}
    ranks = {**told.ranks, **further}
    for each in told.said:
        ranks.pop(each.line, None)
    chosen = choose(budget, ranks, told.said, kept)
    layout = Layout({-1: note}, parts=chosen.parts)
    return draft_lines(case.document, "markdown", chosen.lines, layout)


@remembered
def _kinds(case: Case) -> list[LineKind]:
    kinds = classify(case.plain_lines)
    for at in _releases(case):
        kinds[at] = "heading"
    return kinds


@remembered
def _releases(case: Case) -> frozenset[int]:
    return release_heads(case.plain_lines)


@remembered
def _told(case: Case) -> _Told:
    """How lines rank, and the sentences of long ones; in every room the same."""
    document, kinds = case.document, _kinds(case)
    sentences = [
        (line, each)
        for line, kind in enumerate(kinds)
        if kind in _TOLD
        for each in split_line(document.lines[line], document.starts[line])
    ]
    values = tell_worth(case.words, [(each.start, each.end) for _, each in sentences])
    worth: dict[int, float] = {}
    for (line, _), value in zip(sentences, values, strict=True):
        worth[line] = max(worth.get(line, 0.0), value)
    ranks = _rank(case, kinds, worth)
    best = _best_of_sections(kinds, worth)
    ranked = [
        ranks[line] - worth[line] + value + (_BEST_BONUS if best.get(line) == value else 0.0)
        for (line, _), value in zip(sentences, values, strict=True)
    ]
    return _Told(ranks, long_paragraphs(document.lines, sentences, ranked))


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


def _rank(case: Case, kinds: Sequence[LineKind], worth: Mapping[int, float]) -> dict[int, float]:
    lines, total = case.plain_lines, len(kinds)
    bits = excess(word_rarity(lines))
    last = max((at for at, kind in enumerate(kinds) if kind == "heading"), default=0)
    ranks: dict[int, float] = {}
    before: LineKind = "heading"
    for at, kind in enumerate(kinds):
        if kind == "blank":
            continue
        if kind == "heading":
            ranks[at] = _heading_rank(lines, at) + min(bits[at], _MAX_BITS) - at / total
            ranks[at] += _LAST_BONUS if at == last else 0.0
        else:
            rank = _RANKS[kind] + _BITS_WEIGHT * bits[at] + worth.get(at, 0.0)
            rank += _opening_bonus(kind, before)
            rank += _LAST_BONUS if at > last and kind in _TOLD else 0.0
            ranks[at] = rank + 2.0 * (1 - at / total)
        before = kind
    for at in _admonitions(lines, kinds):
        ranks[at] = max(ranks[at], _ADMONITION_RANK)
    return ranks


def _raised(case: Case, kinds: Sequence[LineKind]) -> dict[int, float]:
    """Headings by their level, and warnings."""
    lines = case.document.lines
    headings = [at for at, kind in enumerate(kinds) if kind == "heading"]
    raised = {at: _heading_rank(lines, at) - at / len(kinds) for at in headings}
    raised[headings[-1]] += _LAST_BONUS
    return raised | dict.fromkeys(_admonitions(lines, kinds), _ADMONITION_RANK)


def _best_of_sections(kinds: Sequence[LineKind], worth: Mapping[int, float]) -> dict[int, float]:
    """Of every section the line that says most, and how much its best sentence is worth."""
    best: dict[int, int] = {}
    section = -1
    for at, kind in enumerate(kinds):
        section = at if kind == "heading" else section
        if worth.get(at, 0.0) > worth.get(best.get(section, -1), 0.0):
            best[section] = at
    return {at: worth[at] for at in best.values()}


def _admonitions(lines: Sequence[str], kinds: Sequence[LineKind]) -> Iterator[int]:
    """Warnings that a page sets apart, with the lines they hold."""
    for at, kind in enumerate(kinds):
        if kind in _TOLD and _ADMONITION.match(lines[at]):
            yield at
            for below in range(at + 1, min(at + 1 + _ADMONITION_LINES, len(lines))):
                if kinds[below] not in _TOLD:
                    break
                yield below


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
