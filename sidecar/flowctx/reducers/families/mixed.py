"""Mixed output, also of several commands: segments, each reduced by the family it fits.

The room is shared so that small segments stay whole and the large ones get
equal parts of the rest.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft, Note, Omitted, Piece, Shown
from flowctx.reducers.families.family import ALL_LINES, Family
from flowctx.reducers.families.parts import draft_part
from flowctx.reducers.host_lines import stated_exit_code
from flowctx.reducers.programs import prints_several
from flowctx.reducers.segments import (
    Segment,
    split_framed,
    split_outputs,
    split_text,
    split_unannounced,
)
from flowctx.reducers.select import water_level

_MIN_SEGMENT_ROOM = 160
_MAX_SEGMENTS = 60
# Up to so many lines all are looked at for where an output begins.
_WHOLE_UP_TO = 20_000


def family(families: Sequence[Family[Any]]) -> Family[list[Segment]]:
    """The family of mixed texts, over the families its segments may fit."""

    def draft(case: Case, segments: list[Segment]) -> Draft | None:
        return draft_segments(case, segments, families)

    return Family("mixed", _find, draft, is_report=True, looks_for="parts of different kinds")


def compound(families: Sequence[Family[Any]]) -> Family[list[Segment]]:
    """The family of what several commands printed one after the other."""

    def draft(case: Case, segments: list[Segment]) -> Draft | None:
        # A file that one command names says nothing of what another prints.
        plain = replace(case, output=replace(case.output, command=""))
        return draft_segments(plain, segments, families)

    return Family(
        "commands",
        _find_compound,
        draft,
        whole_up_to=_WHOLE_UP_TO,
        looks_for="several commands that print",
    )


def framed_by_host(families: Sequence[Family[Any]]) -> Family[list[Segment]]:
    """The family of outputs with lines of the host's around them or in their middle.

    What stands between them is of one kind, but not always a whole text of it.
    """

    def draft(case: Case, segments: list[Segment]) -> Draft | None:
        return draft_segments(_with_stated_code(case, segments), segments, families, is_one=True)

    return Family(
        "framed by the host",
        _find_framed,
        draft,
        whole_up_to=ALL_LINES,
        looks_for="lines in which the host says how it ended, or what it left out",
    )


def _find_framed(case: Case) -> list[Segment] | None:
    return split_framed(case.document) or None


def _with_stated_code(case: Case, segments: Sequence[Segment]) -> Case:
    """The case with the exit code that its first or last line names."""
    if case.output.exit_code is not None:
        return case
    lines = (case.document.lines[at] for at in (segments[-1].end - 1, segments[0].start))
    codes = map(stated_exit_code, lines)
    return case.with_exit_code(next((code for code in codes if code is not None), None))


def _find_compound(case: Case) -> list[Segment] | None:
    command = case.output.command
    if command.strip() and not prints_several(command):
        return None
    split = split_outputs if command.strip() else split_unannounced
    segments = split(case)
    return segments if 2 <= len(segments) <= _MAX_SEGMENTS else None


def _find(case: Case) -> list[Segment] | None:
    segments = split_text(case.document, case.filled)
    return segments if 2 <= len(segments) <= _MAX_SEGMENTS else None


def draft_segments(
    case: Case, segments: list[Segment], families: Sequence[Family[Any]], *, is_one: bool = False
) -> Draft | None:
    """A draft of each segment; of one kind, which the first tells, or mixed."""
    document = case.document
    sizes = [document.line_end(s.end - 1) - document.starts[s.start] for s in segments]
    level = water_level([size + 1 for size in sizes], case.room)
    if level < _MIN_SEGMENT_ROOM:
        return None
    pieces: list[Piece] = []
    totals: dict[str, int] = {}
    exceeds, content_type = False, ""
    for segment, size in zip(segments, sizes, strict=True):
        start = document.starts[segment.start]
        part = _reduce_segment(case, segment, level, families) if size > level else None
        if part is None:
            pieces.append(Shown(start, start + size))
            continue
        pieces += [_moved(piece, start) for piece in part.pieces]
        exceeds = exceeds or part.may_exceed
        content_type = content_type or part.type
        for unit, total in part.totals:
            totals[unit] = totals.get(unit, 0) + total
    content_type = content_type if is_one else ""
    return Draft(content_type or "mixed", tuple(pieces), tuple(totals.items()), exceeds)


def _reduce_segment(
    case: Case, segment: Segment, room: int, families: Sequence[Family[Any]]
) -> Draft | None:
    part = case.document.lines_between(segment.start, segment.end)
    return draft_part(Case(replace(case.output, text=part.text), part, room), families)


def _moved(piece: Piece, by: int) -> Piece:
    """The piece of a segment as a piece of the whole text."""
    if isinstance(piece, Note):
        return piece
    if isinstance(piece, Omitted):
        return replace(piece, start=piece.start + by, end=piece.end + by)
    return Shown(piece.start + by, piece.end + by)
