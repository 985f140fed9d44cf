"""Headings in text without markup, as manuals and standards have them, and their options."""

import re
from collections.abc import Sequence

_MAX_HEADING, _MAX_OPTION = 70, 90
# Sections stand out to the left of what most lines are.
_INDENTED_SHARE = 0.7
_NUMBERED = re.compile(r"(?:\d{1,2}\.){1,4}\d{0,2}\s{1,3}[^\W\d_]")
# Lines in columns are titles of pages and tables.
_COLUMNS = re.compile(r"\S(?: {3}| ?\t)\s*\S")
_GOES_ON = re.compile(r"[.,;:!?]\s*\Z")
_OPTION = re.compile(r"\s{2,}-{1,2}[\w?][\w-]*")
_MIN_OPTIONS = 3
_OPENING_SECTIONS, _OPENING_LINES = 2, 6


def plain_headings(lines: Sequence[str]) -> list[int]:
    """Lines that head a section: numbered, or to the left of an indented text."""
    filled = [line for line in lines if line.strip()]
    indented = sum(1 for line in filled if line[0].isspace())
    has_margin = indented >= _INDENTED_SHARE * len(filled)
    return [
        at
        for at, line in enumerate(lines)
        if (has_margin or _NUMBERED.match(line))
        and line[:1].strip()
        and len(line) <= _MAX_HEADING
        and (at == 0 or not lines[at - 1].strip())
        and not _COLUMNS.search(line)
        and not _GOES_ON.search(line)
    ]


def opening_lines(lines: Sequence[str], headings: Sequence[int]) -> list[int]:
    """What stands under the first headings, where it is short: the name, the call, the summary."""
    found: list[int] = []
    for head in headings[:_OPENING_SECTIONS]:
        for at in range(head + 1, min(head + 1 + _OPENING_LINES, len(lines))):
            if not lines[at].strip() and at > head + 1:
                break
            found.append(at)
    return found


def option_lines(lines: Sequence[str]) -> list[int]:
    """Lines that name an option, which what is indented below them explains."""
    found = [
        at
        for at, line in enumerate(lines[:-1])
        if _OPTION.match(line)
        and len(line) <= _MAX_OPTION
        and _indent(lines[at + 1]) > _indent(line)
    ]
    return found if len(found) >= _MIN_OPTIONS else []


def _indent(line: str) -> int:
    body = line.lstrip()
    return len(line[: len(line) - len(body)].expandtabs()) if body else 0
