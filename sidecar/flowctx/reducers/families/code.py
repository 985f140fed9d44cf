"""Source code: imports, every signature with its line, the first line of its documentation.

Bodies are left out with the lines they take, so the number of every shown line
can be told. Listings with line numbers in front are read without them.
"""

import re
from collections.abc import Sequence

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.languages import Language, likely_language, named_language
from flowctx.reducers.select import VITAL, choose_facts, draft_lines
from flowctx.reducers.syntax import Entry, EntryKind, outline

_NUMBERED = re.compile(r"\s*\d+(?:→|\t| ?[|│:] ?)")
_NUMBERED_SHARE = 0.8
_MIN_SIGNATURES = 2
# The share of a text a grammar may fail to read, with and without a file name to go by.
_NAMED_ERRORS, _LIKELY_ERRORS = 0.25, 0.02
_RANKS: dict[EntryKind, float] = {
    "signature": VITAL + 40,
    "import": 62.0,
    "constant": 40.0,
    "doc": 30.0,
}
_DEPTH_COST = 10.0
# Signatures nested deeper than methods are shown where there is room.
_VITAL_DEPTH = 1
_NESTED_RANK = 50.0


def _fits_named(case: Case) -> bool:
    return _outline_named(case) is not None


def _fits_likely(case: Case) -> bool:
    return _outline_likely(case) is not None


def _reduce_named(case: Case) -> Draft | None:
    found = _outline_named(case)
    return _draft(case, *found) if found else None


def _reduce_likely(case: Case) -> Draft | None:
    found = _outline_likely(case)
    return _draft(case, *found) if found else None


def _draft(case: Case, language: Language, entries: Sequence[Entry]) -> Draft:
    ranks = _rank(case, entries)
    note = _describe(entries)
    chosen, exceeds = choose_facts(case.document, ranks, case.room - len(note) - 3)
    draft = draft_lines(case.document, f"code/{language.id}", chosen, notes={-1: note})
    return draft.exceeding() if exceeds else draft


def _outline_named(case: Case) -> tuple[Language, Sequence[Entry]] | None:
    lines = _code_lines(case)
    language = named_language(lines, case.output.command)
    entries = outline(lines, language, _NAMED_ERRORS) if language else None
    return (language, entries) if language and entries and _has_signatures(entries) else None


def _outline_likely(case: Case) -> tuple[Language, Sequence[Entry]] | None:
    lines = _code_lines(case)
    language = likely_language(lines)
    entries = outline(lines, language, _LIKELY_ERRORS) if language else None
    return (language, entries) if language and entries and _has_signatures(entries) else None


def _has_signatures(entries: Sequence[Entry]) -> bool:
    return sum(1 for entry in entries if entry.kind == "signature") >= _MIN_SIGNATURES


def _code_lines(case: Case) -> Sequence[str]:
    """The lines without the numbers a listing sets in front of them."""
    lines = case.document.lines
    numbered = [_NUMBERED.match(line) for line in lines]
    if sum(1 for match in numbered if match) < _NUMBERED_SHARE * len(lines):
        return lines
    return [
        line[match.end() :] if match else "" for line, match in zip(lines, numbered, strict=True)
    ]


def _rank(case: Case, entries: Sequence[Entry]) -> dict[int, float]:
    """Ranks by kind and depth; later lines of one entry a little below its first."""
    ranks: dict[int, float] = {}
    total = len(case.document.lines)
    for entry in entries:
        rank = _RANKS[entry.kind] - _DEPTH_COST * entry.depth
        if entry.kind == "signature" and entry.depth > _VITAL_DEPTH:
            rank = _NESTED_RANK - entry.depth
        for row in range(entry.start, min(entry.end + 1, total)):
            worth = rank - 0.5 * (row - entry.start) - entry.start / total
            ranks[row] = max(ranks.get(row, 0.0), worth)
    return {row: rank for row, rank in ranks.items() if case.document.lines[row].strip()}


def _describe(entries: Sequence[Entry]) -> str:
    signatures = sum(1 for entry in entries if entry.kind == "signature")
    imports = sum(1 for entry in entries if entry.kind == "import")
    return f"outline: {signatures} signatures, {imports} imports; bodies left out"


NAMED = Family("code, by its name", _fits_named, _reduce_named)
LIKELY = Family("code, by its looks", _fits_likely, _reduce_likely)
