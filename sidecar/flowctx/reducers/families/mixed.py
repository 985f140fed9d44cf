"""Mixed output, also of several commands: segments, each reduced by the family it fits.

The room is shared so that small segments stay whole and the large ones get
equal parts of the rest.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft, Note, Omitted, Piece, Shown, render_draft
from flowctx.reducers.embedded import find_documents
from flowctx.reducers.families.changing import is_document, split_changing
from flowctx.reducers.families.family import ALL_LINES, Family
from flowctx.reducers.families.parts import Part, fit_part
from flowctx.reducers.host_lines import stated_exit_code
from flowctx.reducers.programs import prints_several
from flowctx.reducers.segments import (
    Segment,
    between,
    split_framed,
    split_outputs,
    split_text,
    split_titled,
    split_unannounced,
)
from flowctx.reducers.select import water_level
from flowctx.reducers.titles import file_of

_MIN_SEGMENT_ROOM = 160
_MAX_SEGMENTS = 60
# A segment that takes so much of its room could use more.
_FILLED = 0.7
# Up to so many lines all are looked at for where an output begins.
_WHOLE_UP_TO = 20_000


def family(families: Sequence[Family[Any]]) -> Family[list[Segment]]:
    """The family of mixed texts, over the families its segments may fit."""

    def draft(case: Case, segments: list[Segment]) -> Draft | None:
        return draft_segments(case, segments, families)

    return Family("mixed", _find, draft, looks_for="parts of different kinds")


def compound(
    families: Sequence[Family[Any]], certain: Sequence[Family[Any]] = ()
) -> Family[list[Segment]]:
    """The family of what several commands printed one after the other.

    Args:
        families: what each output may be.
        certain: those of them that a text either is from its first to its last line or is not.
    """

    def find(case: Case) -> list[Segment] | None:
        return _find_compound(case, families, certain)

    def draft(case: Case, segments: list[Segment]) -> Draft | None:
        # A file that one command names says nothing of what another prints.
        return draft_segments(case.without_command(), segments, families)

    return Family(
        "commands",
        find,
        draft,
        whole_up_to=_WHOLE_UP_TO,
        looks_for="several commands that print",
    )


def beside_documents(families: Sequence[Family[Any]]) -> Family[list[Segment]]:
    """The family of texts that hold large documents among other things."""

    def draft(case: Case, segments: list[Segment]) -> Draft | None:
        return draft_segments(case.without_command(), segments, families)

    return Family(
        "documents",
        _find_documents,
        draft,
        whole_up_to=ALL_LINES,
        looks_for="JSON or XML of a good part of the text, with other lines around it",
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


def _find_compound(
    case: Case, families: Sequence[Family[Any]], certain: Sequence[Family[Any]]
) -> list[Segment] | None:
    command = case.output.command
    is_told = bool(command.strip())
    titled = split_titled(case.document)
    of_files = bool(titled) and bool(file_of(case.document.lines[titled[0].start]))
    if is_told and not of_files and not prints_several(command):
        return None
    if not is_told and is_document(case, certain):
        return None
    split = split_outputs if is_told else split_unannounced
    segments = titled or split(case) or [Segment(0, len(case.document.lines))]
    parts = [
        part for segment in segments for part in split_changing(case, segment, families, certain)
    ]
    return parts if 2 <= len(parts) <= _MAX_SEGMENTS else None


def _find_documents(case: Case) -> list[Segment] | None:
    document = case.document
    borders = [border for each in find_documents(document) for border in each]
    return between({0, len(document.lines), *borders}) if borders else None


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
    large = [s for s, size in zip(segments, sizes, strict=True) if size > level]
    small = sum(size + 1 for size in sizes if size <= level)
    parts = _fill(case.room - small, [_fit(case, segment, level, families) for segment in large])
    drafts = dict(zip(large, parts, strict=True))
    pieces: list[Piece] = []
    totals: Counter[str] = Counter()
    for segment, size in zip(segments, sizes, strict=True):
        start, draft = document.starts[segment.start], drafts.get(segment)
        pieces += [_moved(piece, start) for piece in (draft.pieces if draft else [Shown(0, size)])]
        totals.update(dict(draft.totals if draft else ()))
    exceeds = any(draft.may_exceed for draft in parts if draft)
    types = [draft.type for draft in parts if draft] if is_one else []
    # A cut leaves two kinds of JSON; of JSON and a log it leaves none that tells both.
    of_one_kind = len({each.split("/")[0] for each in types}) == 1
    content_type = types[0] if of_one_kind else "mixed"
    return Draft(content_type, tuple(pieces), tuple(totals.items()), exceeds)


class _Fitted(NamedTuple):
    """A segment as a case of its own, and what fits it, if anything does."""

    case: Case
    part: Part | None


def _fit(case: Case, segment: Segment, room: int, families: Sequence[Family[Any]]) -> _Fitted:
    document = case.document.lines_between(segment.start, segment.end)
    part = case.of_part(document, room)
    if segment.start and (name := file_of(case.document.lines[segment.start - 1])):
        part = part.with_command(f"cat {name}")
    return _Fitted(part, fit_part(part, families))


def _fill(room: int, fitted: Sequence[_Fitted]) -> list[Draft | None]:
    """The drafts of segments; what some leave of the room goes to those that could use more."""
    drafts = [each.part.draft if each.part else None for each in fitted]
    sizes = [_size(each.case, draft) for each, draft in zip(fitted, drafts, strict=True)]
    left = room - sum(sizes)
    wanting = [
        at
        for at, (each, size) in enumerate(zip(fitted, sizes, strict=True))
        if each.part and size >= _FILLED * each.case.room
    ]
    if left < _MIN_SEGMENT_ROOM * max(len(wanting), 1):
        return drafts
    for at in wanting:
        part, room = fitted[at].part, fitted[at].case.room + left // len(wanting)
        case = fitted[at].case.with_room(room)
        more = part.again(case) if part else None
        # Where there is room for all of it, there is nothing to leave out.
        if _size(case, more) <= room:
            drafts[at] = more
    return drafts


def _size(case: Case, draft: Draft | None) -> int:
    return len(render_draft(case.document, draft)) if draft else len(case.document.text)


def _moved(piece: Piece, by: int) -> Piece:
    """The piece of a segment as a piece of the whole text."""
    if isinstance(piece, Note):
        return piece
    if isinstance(piece, Omitted):
        return piece._replace(start=piece.start + by, end=piece.end + by)
    return Shown(piece.start + by, piece.end + by)
