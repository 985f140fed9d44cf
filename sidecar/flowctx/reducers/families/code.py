"""Source code: imports, every signature with its line, the first line of its documentation.

Bodies are left out with the lines they take, so the number of every shown line
can be told. Listings with line numbers in front are read without them.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.definitions import definitions
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import ALL_LINES, Family
from flowctx.reducers.indentation import odd_values, read_rows
from flowctx.reducers.languages import Language, likely_language, named_language
from flowctx.reducers.programs import is_timed
from flowctx.reducers.rarity import excess, word_rarity
from flowctx.reducers.select import MUST, VITAL, Layout, choose_facts, draft_lines
from flowctx.reducers.syntax import Entry, EntryKind, outline, outline_of_piece

_MIN_SIGNATURES = 2
_TITLE_LINES = 4
_OPEN_TASK = re.compile(r"\b(?:TO[D]O|FIX[M]E|X{3}|HACK|BUG)\b")
_OPEN_TASK_RANK = 35.0
# So many constants or open tasks are facts; of more, some are shown where there is room.
_FEW = 12
# Blocks of code that a page sets apart.
_FENCE, _MIN_FENCES = "\n```", 2
# The share of a text a grammar may fail to read, with and without a file name to go by.
_NAMED_ERRORS, _LIKELY_ERRORS = 0.25, 0.02
_RANKS: dict[EntryKind, float] = {
    "signature": VITAL + 40,
    "import": VITAL + 50,
    "constant": 40.0,
    "doc": 30.0,
}
_DEPTH_COST = 10.0
# Signatures nested deeper than methods are shown where there is room.
_VITAL_DEPTH = 1
_NESTED_RANK = 50.0
# Imports come before signatures as far as they take this part of the room.
_IMPORT_SHARE, _FURTHER_IMPORT_RANK = 0.15, 62.0
_MAX_BITS = 8.0
# Many signatures may stand on one endless line; each is judged by no more of it.
_HEAD_CHARS = 400
# Code whose lines begin with times has a log behind it.
_MAX_TIMED = 0.1
_MAX_ODD_SETTINGS = 6


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


def _find_likely(case: Case) -> Outline | None:
    lines = case.plain_lines
    if case.document.text.count(_FENCE) >= _MIN_FENCES:
        return None
    language = likely_language(lines, case.words.vocabulary)
    if language and sum(map(is_timed, case.sample)) > _MAX_TIMED * len(case.sample):
        return None
    return _read(lines, language, _LIKELY_ERRORS) if language else None


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
        (row, len(line) - len(line.lstrip()))
        for row, line in enumerate(lines)
        if row not in known and strong.match(line.lstrip())
    )
    return read + [Entry(row, row, "signature", min(indent // 4, 2)) for row, indent in found]


def _draft(case: Case, found: Outline) -> Draft:
    ranks = _rank(case, found.entries)
    if found.language.sets_values:
        ranks |= _odd_settings(case)
    note = _describe(found.entries)
    chosen, exceeds = choose_facts(case.document, ranks, case.room - len(note) - 3)
    layout = Layout({-1: note})
    draft = draft_lines(case.document, f"code/{found.language.id}", chosen, layout)
    return draft.exceeding() if exceeds else draft


def _rank(case: Case, entries: Sequence[Entry]) -> dict[int, float]:
    """Ranks by kind and depth; odd names a little higher, later lines of an entry below."""
    ranks: dict[int, float] = {}
    lines, total = case.document.lines, len(case.document.lines)
    constants = sum(1 for entry in entries if entry.kind == "constant")
    heads = [
        " ".join(line[:_HEAD_CHARS] for line in lines[entry.start : entry.end + 1])
        for entry in entries
    ]
    bits = excess(word_rarity(heads))
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
    has_tasks = _OPEN_TASK.search(" ".join(case.words.vocabulary))
    tasks = [row for row in case.filled if _OPEN_TASK.search(lines[row])] if has_tasks else []
    for row in tasks:
        ranks[row] = max(ranks.get(row, 0.0), MUST if len(tasks) <= _FEW else _OPEN_TASK_RANK)
    ranks |= _beside_listing(case)
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
