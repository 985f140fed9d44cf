"""Source code: imports, every signature with its line, the first line of its documentation.

Bodies are left out with the lines they take, so the number of every shown line
can be told. Listings with line numbers in front are read without them.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from flowctx.reducers.case import Case, remembered
from flowctx.reducers.definitions import definitions
from flowctx.reducers.document import indent_of
from flowctx.reducers.draft import Draft, one_line
from flowctx.reducers.families.family import ALL_LINES, Family
from flowctx.reducers.indentation import odd_values, read_rows
from flowctx.reducers.languages import Language, likely_languages, named_language
from flowctx.reducers.like_blocks import LikeBlocks, read_like_blocks
from flowctx.reducers.programs import is_timed
from flowctx.reducers.rarity import excess, shape_rarity, word_rarity
from flowctx.reducers.remarks import telling_remarks
from flowctx.reducers.select import (
    MUST,
    VITAL,
    Budget,
    Layout,
    choose_facts,
    choose_lines,
    draft_lines,
)
from flowctx.reducers.signatures import Telling, tell_signatures
from flowctx.reducers.syntax import Entry, EntryKind, outline, outline_of_piece

_MIN_SIGNATURES = 2
# What a note may say at its end.
_LEFT_OUT_CHARS = 32
_TITLE_LINES = 4
# So many constants are facts; of more, some are shown where there is room.
_FEW = 12
# What defines something without a pair of brackets.
_DEFINING = frozenset(
    {"class", "interface", "struct", "enum", "trait", "module", "type", "message", "object"}
    | {"protocol", "record", "namespace", "defmodule", "data", "union", "func", "def", "impl"}
)
# Blocks of code that a page sets apart.
_FENCE, _MIN_FENCES = "\n```", 2
# The share of a text a grammar may fail to read, with and without a file name to go by.
_NAMED_ERRORS, _LIKELY_ERRORS = 0.25, 0.02
_RANKS: dict[EntryKind, float] = {
    "signature": VITAL + 40,
    "import": VITAL + 50,
    "constant": 40.0,
    "attribute": MUST - 6.0,
    "doc": 30.0,
}
_TELLING_COST: dict[EntryKind, float] = {
    "signature": 0.0,
    "import": 0.0,
    "constant": 1.0,
    "attribute": 1.5,
    "doc": 2.0,
}
_DEPTH_COST = 10.0
# Signatures nested deeper than methods are shown where there is room.
_VITAL_DEPTH = 1
_NESTED_RANK = 50.0
# Imports come before signatures as far as they take this part of the room.
_IMPORT_SHARE, _FURTHER_IMPORT_RANK = 0.15, 62.0
# What stands beside signatures that are told by number, imports for one, takes this part.
_FACT_SHARE = 0.3
_MAX_BITS, _SHAPE_WEIGHT = 8.0, 0.7
# An entry is odd from this part of the bits on that one with words of its own has.
_ODD_SHARE = 0.5
# Many signatures may stand on one endless line; each is judged by no more of it.
_HEAD_CHARS = 400
# Code whose lines begin with times has a log behind it.
_MAX_TIMED = 0.1
_MAX_ODD_SETTINGS = 6
# Declarations of which so many are alike are shown where there is room, behind what is odd.
_MIN_ALIKE, _ALIKE_RANK, _CONTEXT_COST = 10, MUST - 10.0, 0.5


class Outline(NamedTuple):
    """What was read of a source file."""

    language: Language
    entries: Sequence[Entry]


def _find_named(case: Case) -> Outline | None:
    lines = case.plain_lines
    language = named_language(lines, case.output.command)
    if language is None and case.is_listing:
        # A numbered listing under lines that say which file it is from.
        language = named_language(lines, f"cat {' '.join(case.document.lines[:_TITLE_LINES])}")
    return _read(lines, language, _NAMED_ERRORS) if language else None


@remembered
def _find_likely(case: Case) -> Outline | None:
    lines = case.plain_lines
    if not _may_define(case) or case.document.text.count(_FENCE) >= _MIN_FENCES:
        return None
    languages = likely_languages(lines, case.words.vocabulary)
    if languages and sum(map(is_timed, case.sample)) > _MAX_TIMED * len(case.sample):
        return None
    read = (_read(lines, language, _LIKELY_ERRORS) for language in languages)
    return next(filter(None, read), None)


def _may_define(case: Case) -> bool:
    """False where nothing can be a definition: lines that only set values."""
    calls = case.document.text.count("(") >= _MIN_SIGNATURES
    return calls or not _DEFINING.isdisjoint(case.words.vocabulary)


def _read(lines: Sequence[str], language: Language, max_errors: float) -> Outline | None:
    entries = outline(lines, language, max_errors)
    if entries is None and max_errors > _LIKELY_ERRORS:
        entries = _read_fragment(lines, language)
    signatures = sum(1 for entry in entries or () if entry.kind == "signature")
    return Outline(language, entries) if entries and signatures >= _MIN_SIGNATURES else None


def _read_fragment(lines: Sequence[str], language: Language) -> list[Entry]:
    """Definitions in a piece of a file that no grammar takes as a whole."""
    strong = definitions().strong
    read = outline_of_piece(lines, language)
    known = {row for entry in read for row in range(entry.start, entry.end + 1)}
    found = (
        (row, indent_of(line))
        for row, line in enumerate(lines)
        if row not in known and strong.match(line.lstrip())
    )
    return read + [Entry(row, row, "signature", min(indent // 4, 2)) for row, indent in found]


def _draft(case: Case, found: Outline) -> Draft:
    heads = _heads(case.document.lines, found.entries)
    bits = excess(word_rarity(heads))
    ranks = _rank(case, found.entries, bits)
    note = _describe(found.entries)
    if found.language.sets_values:
        if blocks := read_like_blocks(case.plain_lines):
            note = one_line([note, _rank_blocks(found.entries, blocks, ranks)])
        else:
            ranks |= _odd_settings(case)
    room, lines = case.room - len(note) - 3, case.document.lines
    vital = sum(len(lines[row]) + 1 for row, rank in ranks.items() if rank >= VITAL)
    chosen, exceeds = choose_facts(case.document, ranks, room) if vital <= room else ((), True)
    if exceeds:
        tellings = _tellings(found.entries, bits, shape_rarity(heads))
        return _draft_told(case, found, ranks, list(tellings))
    if _left_out(found.entries, chosen):
        chosen, _ = choose_facts(case.document, ranks, room - _LEFT_OUT_CHARS)
        note = one_line([note, _left_out(found.entries, chosen)])
    return draft_lines(case.document, f"code/{found.language.id}", chosen, Layout({-1: note}))


def _left_out(entries: Sequence[Entry], chosen: Collection[int]) -> str:
    """How many of the signatures are not shown, where some are not."""
    hidden = sum(1 for each in entries if each.kind == "signature" and each.start not in chosen)
    return f"{hidden} of the signatures too" if hidden else ""


def _draft_told(
    case: Case, found: Outline, ranks: Mapping[int, float], tellings: Sequence[Telling]
) -> Draft:
    """Signatures by the numbers of their lines: as raw lines they need more room than there is."""
    aside = {row for each in tellings for row in range(each.start, each.end + 1)}
    others = {row: rank for row, rank in ranks.items() if row not in aside}
    note = f"{_describe(found.entries)}, signatures by line number"
    budget = Budget(case.document, case.room - len(note) - 3)
    facts = choose_lines(case.document, others, int(budget.room * _FACT_SHARE), floor=MUST - 1)
    # What is told is no raw line, and without one nothing is shown.
    kept = facts or frozenset((max(ranks, key=ranks.__getitem__),))
    left = budget.left(kept) - budget.mark_chars
    tellings = [each for each in tellings if each.start not in kept]
    layout = Layout({-1: note, **tell_signatures(case, tellings, sorted(kept), left)})
    return draft_lines(case.document, f"code/{found.language.id}", kept, layout).exceeding()


def _tellings(
    entries: Sequence[Entry], by_words: Sequence[float], by_shape: Sequence[float]
) -> Iterator[Telling]:
    """What is odd first, of any kind; then signatures and constants, then documentation."""
    least = _ODD_SHARE * math.log2(len(entries))
    for entry, words, shape in zip(entries, by_words, excess(by_shape), strict=True):
        bits = max(words, _SHAPE_WEIGHT * shape)
        rank = (bits if bits >= least else 0.0) - _TELLING_COST[entry.kind]
        is_vital = entry.kind == "signature" and entry.depth <= _VITAL_DEPTH
        if entry.kind != "import":
            yield Telling(entry.start, entry.end, rank, is_vital)


def _heads(lines: Sequence[str], entries: Sequence[Entry]) -> list[str]:
    heads = (lines[entry.start : entry.end + 1] for entry in entries)
    return [" ".join(line[:_HEAD_CHARS] for line in head) for head in heads]


def _rank(case: Case, entries: Sequence[Entry], bits: Sequence[float]) -> dict[int, float]:
    """Ranks by kind and depth; odd names a little higher, later lines of an entry below."""
    ranks: dict[int, float] = {}
    lines, total = case.document.lines, len(case.document.lines)
    constants = sum(1 for entry in entries if entry.kind == "constant")
    import_room = int(case.room * _IMPORT_SHARE)
    for entry, over in zip(entries, bits, strict=True):
        rank = _RANKS[entry.kind] - _DEPTH_COST * entry.depth + min(over, _MAX_BITS)
        if entry.kind == "import":
            import_room -= sum(len(line) + 1 for line in lines[entry.start : entry.end + 1])
            rank = rank if import_room >= 0 else _FURTHER_IMPORT_RANK
        if entry.kind == "constant" and constants <= _FEW:
            rank = MUST + _MAX_BITS + min(over, _MAX_BITS) - entry.depth
        if entry.kind == "signature" and entry.depth > _VITAL_DEPTH:
            rank = _NESTED_RANK - entry.depth
        for row in range(entry.start, min(entry.end + 1, total)):
            worth = rank - 0.5 * (row - entry.start) - entry.start / total
            ranks[row] = max(ranks.get(row, 0.0), worth)
    ranks |= telling_remarks(case, ranks) | _beside_listing(case)
    return {row: ranks[row] for row in case.filled if row in ranks}


def _beside_listing(case: Case) -> dict[int, float]:
    """What a tool says around the numbered lines it lists: that an edit failed, and why."""
    if not case.is_listing:
        return {}
    beside = [row for row in case.filled if not case.plain_lines[row]]
    beside = [row for row in beside if not case.document.lines[row].strip()[:1].isdigit()]
    told = beside if len(beside) <= _FEW else [row for row in beside if row in case.cue_lines]
    return dict.fromkeys(told[:_FEW], MUST)


def _odd_settings(case: Case) -> dict[int, float]:
    """The oddest values in a language that mostly sets them, as one for infrastructure does."""
    odd = odd_values(read_rows(case.plain_lines))
    oddest = sorted(odd, key=lambda at: (-odd[at], at))[:_MAX_ODD_SETTINGS]
    return {at: MUST + odd[at] for at in oddest}


def _rank_blocks(entries: Sequence[Entry], blocks: LikeBlocks, ranks: dict[int, float]) -> str:
    """Rank what few blocks say above the heads of like ones; says how many of those there are."""
    heads = [entry.start for entry in entries if entry.kind == "signature"]
    alike = [at for at in heads if blocks.alike.get(at, 0) >= _MIN_ALIKE]
    for at in alike:
        ranks[at] = min(ranks[at], _ALIKE_RANK + ranks[at] / VITAL)
    for at, bits in blocks.odd.items():
        for line in blocks.context[at]:
            ranks[line] = max(ranks.get(line, 0.0), MUST + bits - _CONTEXT_COST)
        ranks[at] = max(ranks.get(at, 0.0), MUST + bits)
    return f"{len(alike)} of them like others" if alike else ""


def _describe(entries: Sequence[Entry]) -> str:
    signatures = sum(1 for entry in entries if entry.kind == "signature")
    imports = sum(1 for entry in entries if entry.kind == "import")
    return f"outline: {signatures} signatures, {imports} imports; bodies left out"


NAMED = Family(
    "code, by its name",
    _find_named,
    _draft,
    looks_for="a path of source code, and 2 signatures",
    whole_up_to=ALL_LINES,
)
LIKELY = Family(
    "code, by its looks",
    _find_likely,
    _draft,
    looks_for="2 signatures that a parser finds",
    whole_up_to=ALL_LINES,
)
