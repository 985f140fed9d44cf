"""Titles between the outputs of several commands: "=== disk ===", "$ make", "==> a.log <=="."""

import re
from collections.abc import Sequence

_FRAMED = re.compile(
    r"(={2,}|-{3,}|#{3,}|\*{3,}|>{3,}|==>) ?(\S.{0,160}?) ?(={2,}|-{3,}|#{3,}|\*{3,}|<{3,}|<==)\s*$"
)
_FILE = re.compile(r"==> (\S.{0,300}?) <==\s*$")
_PROMPTED = re.compile(r"([$+]) (\S.{0,300})$")
_STARTS = ("=", "-", "#", "*", ">", "$", "+")
# What test runners print between their own parts.
_OF_REPORTS = re.compile(
    r"\d+\. row|test session starts|FAILURES|ERRORS|warnings summary|short test summary"
    r"|Captured (?:log|std)|RUN\b|PASS|FAIL"
)
_FIRST_LINES, _MIN_TITLES, _MAX_TITLES = 3, 2, 20
# On average an output has so many lines.
_MIN_LINES = 6


def find_titles(lines: Sequence[str]) -> list[int]:
    """The lines that are titles, where a text begins with one and has others like it; or none."""
    style = next(filter(None, (_style(line) for line in lines[:_FIRST_LINES])), "")
    if not style:
        return []
    found = [at for at, line in enumerate(lines) if line[:1] == style[0] and _style(line) == style]
    few = _MIN_TITLES <= len(found) <= _MAX_TITLES
    differ = len({lines[at] for at in found}) == len(found)
    return found if few and differ and len(lines) >= _MIN_LINES * len(found) else []


def file_of(title: str) -> str:
    """The file that a title of `head` or `tail` names; empty for other lines."""
    named = _FILE.match(title)
    return named.group(1) if named else ""


def _style(line: str) -> str:
    """How a title is set, by its marks; empty for a line that is none."""
    if line[:1] not in _STARTS:
        return ""
    title = _FRAMED.match(line) or _PROMPTED.match(line)
    return title.group(1) if title and not is_of_report(line) else ""


def is_of_report(title: str) -> bool:
    """True for a title that a test runner prints between its own parts."""
    return _OF_REPORTS.search(title) is not None
