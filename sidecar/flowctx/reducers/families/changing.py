"""Splitting a text where it changes, as far as what stands on both sides is of different kinds."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.changes import find_change
from flowctx.reducers.embedded import is_closed
from flowctx.reducers.families.code import LIKELY, Outline
from flowctx.reducers.families.family import Family
from flowctx.reducers.languages import Language
from flowctx.reducers.reports import ReportRule, speaks_of
from flowctx.reducers.segments import Segment

_MAX_CHANGES = 6
_LINES_TOLD = 100
# Traces are mostly of the program whose lines stand before or behind them.
_ONE_PROGRAM = ({"traces", "text"}, {"traces", "log"})
_DOCUMENT_STARTS = ("{", "[", "<")


def split_changing(
    case: Case, segment: Segment, families: Sequence[Family[Any]], certain: Sequence[Family[Any]]
) -> list[Segment]:
    """The segments of a segment; itself alone where it is of one kind.

    Args:
        case: the whole text.
        segment: lines of it.
        families: what a segment may be.
        certain: those of them that a text either is from its first to its last line or is not.
    """
    done: list[Segment] = []
    pending = [segment]
    while pending:
        part = pending.pop()
        at = _change(case, part, families, certain) if len(done) < _MAX_CHANGES else None
        if at is None:
            done.append(part)
        else:
            pending += (Segment(at, part.end), Segment(part.start, at))
    return done


def _change(
    case: Case, segment: Segment, families: Sequence[Family[Any]], certain: Sequence[Family[Any]]
) -> int | None:
    """Where a segment changes from one kind to another."""
    part = _part(case, segment)
    told = replace(part, output=replace(part.output, command=case.output.command))
    found = None if is_closed(part.document.text) else find_change(told)
    if found is None or is_document(part, certain) or _is_source(part):
        return None
    at = segment.start + found
    # What is near the change tells the kinds, whatever the length of both.
    before = Segment(max(segment.start, at - _LINES_TOLD), at)
    behind = Segment(at, min(segment.end, at + _LINES_TOLD))
    sides = _part(case, before), _part(case, behind)
    kinds = tuple(_kind(side, families) for side in sides)
    if _are_alike(sides, kinds) or _is_one_file(part, kinds, families):
        return None
    return at


def _is_source(case: Case) -> bool:
    """True where a grammar reads all of a part as one source file."""
    file = LIKELY.find(case)
    return file is not None and bool(file.language.grammar)


def is_document(case: Case, certain: Sequence[Family[Any]]) -> bool:
    """True for one document from the first to the last line, as certain families tell."""
    begins_like_one = case.document.text.lstrip()[:1] in _DOCUMENT_STARTS
    return begins_like_one and any(family.find(case) is not None for family in certain)


def _part(case: Case, segment: Segment) -> Case:
    if segment == (0, len(case.document.lines)):
        return case
    document = case.document.lines_between(segment.start, segment.end)
    return case.of_part(document, case.room).without_command()


class _Kind(NamedTuple):
    """The first family that fits, and what it found; `id` is the language or program of that."""

    family: str
    id: str
    found: Any


def _are_alike(sides: Sequence[Case], kinds: Sequence[_Kind]) -> bool:
    """True where both are of one kind, or one is more of what a program printed that knows it."""
    if kinds[0][:2] == kinds[1][:2] or {kind.family for kind in kinds} in _ONE_PROGRAM:
        return True
    return any(
        isinstance(kind.found, ReportRule) and speaks_of(kind.found, side)
        for kind, side in zip(kinds, reversed(sides), strict=True)
    )


def _is_one_file(case: Case, kinds: Sequence[_Kind], families: Sequence[Family[Any]]) -> bool:
    """True where a grammar reads both sides together as one source file."""
    files = [kind.found for kind in kinds if isinstance(kind.found, Outline)]
    if not any(file.language.grammar for file in files):
        return False
    whole = _kind(case, families).found
    return isinstance(whole, Outline) and any(whole.language == file.language for file in files)


def _kind(case: Case, families: Sequence[Family[Any]]) -> _Kind:
    for family in families:
        found = family.find(case)
        if found is not None:
            told = found.language if isinstance(found, Outline) else found
            name = told.id if isinstance(told, Language | ReportRule) else ""
            return _Kind(family.name, name, found)
    return _Kind("", "", None)
