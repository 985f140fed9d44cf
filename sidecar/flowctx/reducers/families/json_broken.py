"""A JSON document with lines in it that are no JSON: a warning of a program, a mark of a cut.

What stands before such a line is JSON that breaks off, and what stands behind it is JSON
whose beginning is missing; each is reduced as that, and the line itself is shown.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from flowctx.reducers.case import Case
from flowctx.reducers.document import Document
from flowctx.reducers.draft import Draft
from flowctx.reducers.families import mixed
from flowctx.reducers.families.family import ALL_LINES, Family
from flowctx.reducers.families.json_document import whole_value
from flowctx.reducers.json_tree import break_of, expand, next_members, skip_space
from flowctx.reducers.segments import Segment, set_apart

_MAX_LINES, _MIN_HEAD = 6, 120
# Places looked at for a member of the container that goes on behind a line.
_TRIES = 12
_CLOSING = re.compile(r"[\s\]},]*")


def family(families: Sequence[Family[Any]]) -> Family[list[Segment]]:
    """The family of such documents, over the families that its parts may fit."""

    def draft(case: Case, segments: list[Segment]) -> Draft | None:
        return mixed.draft_segments(case, segments, families, is_one=True)

    return Family(
        "broken JSON",
        _find,
        draft,
        whole_up_to=ALL_LINES,
        looks_for="a JSON document with lines in it that are none",
    )


def _find(case: Case) -> list[Segment] | None:
    if whole_value(case):
        return None
    document = case.document
    foreign = list(islice(_foreign_lines(document), _MAX_LINES + 1))
    if not foreign or len(foreign) > _MAX_LINES:
        return None
    return set_apart(document, foreign)


def _foreign_lines(document: Document) -> Iterator[int]:
    text = document.text
    start = skip_space(text, 0)
    broken = break_of(text, start) if text[start : start + 1] in ("{", "[") else None
    while broken is not None and broken < len(text):
        line = document.line_at(broken)
        if document.starts[line] < max(start, _MIN_HEAD) or line + 1 >= len(document.lines):
            return
        yield line
        start = document.starts[line + 1]
        broken = _break_behind(text, start)


def _break_behind(text: str, start: int) -> int | None:
    """Where JSON breaks whose beginning is missing, told by the container that reaches farthest."""
    reached = [
        members[-1].end
        for opened in islice(next_members(text, start), _TRIES)
        if (members := expand(text, opened))
    ]
    closed = _CLOSING.match(text, max(reached)) if reached else None
    if closed is None or closed.end() == len(text):
        return None
    goes_on = "," in closed.group() and text[closed.end()] in '{["'
    return break_of(text, closed.end()) if goes_on else closed.end()
