"""JSON whose beginning is missing: what the host kept of the end, or a program of a stream.

The members are read from where the first whole one begins; what stands before it is the
rest of one, and what follows the last is shown, too: the totals of a page stand there.
"""

from itertools import islice
from typing import NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families import json_document
from flowctx.reducers.families.family import ALL_LINES, Family
from flowctx.reducers.json_tree import expand, next_members
from flowctx.reducers.nodes import Node

_KEY = '":'
_MIN_KEYS, _MIN_MEMBERS = 6, 3
# A member may hold lists of its own, so that several places look like its end.
_TRIES = 24
# All tries together read no more than this many times the text.
_MAX_READ = 1.0
_MIN_SHARE = 0.6
# What is longer than this at the ends is a member itself, so that it may be shortened.
_LONG_REST = 200


class Fragment(NamedTuple):
    """The members of a container whose beginning is missing, and what is left at its ends."""

    whole: Node
    members: list[Node]


def _find(case: Case) -> Fragment | None:
    text = case.document.text
    if case.glance.count(_KEY) < _MIN_KEYS:
        return None
    read = _read(text)
    if len(read) < _MIN_MEMBERS:
        return None
    before, behind = Node(0, read[0].start, 0, "string"), read[-1].end
    rest = Node(behind, len(text), behind, "string")
    members = [
        *([before] if before.size > _LONG_REST else []),
        *read,
        *([rest] if rest.size > _LONG_REST else []),
    ]
    first, last = members[0].start, members[-1].end
    return Fragment(Node(first, last, first, "array"), members)


def _read(text: str) -> list[Node]:
    """The members from the first place on from which they make up most of the text; or none."""
    left = _MAX_READ * len(text)
    for opened in islice(next_members(text, 0), _TRIES):
        members = expand(text, opened)
        if _span(members) >= _MIN_SHARE * len(text):
            return members
        left -= _span(members)
        if left < 0:
            break
    return []


def _span(members: list[Node]) -> int:
    """Characters from the first member to the last, which may be cut off."""
    return members[-1].end - members[0].start if members else 0


def _draft(case: Case, found: Fragment) -> Draft | None:
    return json_document.draft_json(case, found.whole, "json/fragment", found.members)


FAMILY = Family(
    "json/fragment",
    _find,
    _draft,
    looks_for="members of a JSON document whose beginning is missing",
    whole_up_to=ALL_LINES,
)
