"""Findings that say how severe they are in a line of their own, as scanners list them.

A finding is a paragraph: what it is, its severity, its place, and perhaps the code there.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from flowctx.reducers.case import Case, remembered

_SEVERITY = re.compile(r"\bseverity\b[\"']?\s{0,3}[:=]\s{0,3}[\"']?(\w+)", re.IGNORECASE)
_LEVELS = {"critical": 3, "blocker": 3, "severe": 2, "high": 2, "important": 2, "error": 2}
_OTHER_LEVELS = {"medium": 1, "moderate": 1, "warning": 1, "low": 0, "info": 0, "note": 0}
# A line that counts findings of a level, below one that says so.
_COUNTED = re.compile(
    r"\s*(critical|blocker|severe|high)\b[\"']?\s*[:=]?\s+[1-9]\d*\s*\Z", re.IGNORECASE
)
_PLACE = re.compile(
    r"\s*(?:location|file|path|at|where|package|resource|module|line)\b[^:]{0,20}:"
    r"|.*\S:\d+(?::\d+)?\s*\Z",
    re.IGNORECASE,
)
# The code of a finding, with numbers in front of its lines.
_QUOTED = re.compile(r"\s*\d+\s*[\t|:>]|\s*\d+\t")
# Milder ones are told, too, where they are few.
_FEW_SHARE = 0.25
_MIN_FINDINGS, _MAX_SEVERE_SHARE, _MAX_LINES = 3, 0.5, 12
# What of a severe finding is told: what it is, how severe, where; and the rest of it.
_HEAD, _STATED, _PLACED, _REST = 8.0, 6.0, 7.0, -40.0


class _Finding(NamedTuple):
    """Lines [start, end) of a finding, with the line that states its level."""

    start: int
    end: int
    stated: int
    level: int


@remembered
def severe_lines(case: Case) -> dict[int, float]:
    """Lines of the findings more severe than most, with how much each adds to a fact's rank."""
    if "severity" not in case.words.known:
        return {}
    findings = list(_findings(case))
    levels = [finding.level for finding in findings]
    severe = [finding for finding in findings if finding.level >= 2]
    if len(findings) < _MIN_FINDINGS or not severe:
        return {}
    if len(severe) > _MAX_SEVERE_SHARE * len(findings):
        severe = [finding for finding in severe if finding.level == max(levels) > min(levels)]
    few = [finding for finding in findings if finding.level == 1]
    if len(few) <= _FEW_SHARE * len(findings):
        severe += few
    ranks = {line: rank for finding in severe for line, rank in _told(case, finding)}
    return ranks | _counts(case)


def _findings(case: Case) -> Iterator[_Finding]:
    lines = case.document.lines
    known = _LEVELS | _OTHER_LEVELS
    end = 0
    for at in case.readable:
        match = _SEVERITY.search(lines[at]) if at >= end else None
        if match is None or match.group(1).lower() not in known:
            continue
        start = at
        while start > end and lines[start - 1].strip() and at - start < _MAX_LINES:
            start -= 1
        end = at + 1
        while end < len(lines) and lines[end].strip() and end - at < _MAX_LINES:
            end += 1
        yield _Finding(start, end, at, known[match.group(1).lower()])


def _told(case: Case, finding: _Finding) -> Iterator[tuple[int, float]]:
    lines = case.document.lines
    said = [at for at in range(finding.start, finding.end) if any(map(str.isalnum, lines[at]))]
    for at in said:
        if at == said[0]:
            yield at, _HEAD
        elif at == finding.stated:
            yield at, _STATED
        else:
            is_place = _PLACE.match(lines[at]) and not _QUOTED.match(lines[at])
            yield at, _PLACED if is_place and "://" not in lines[at] else _REST


def _counts(case: Case) -> dict[int, float]:
    """The first count of each severe level."""
    found: dict[str, int] = {}
    for at in case.readable:
        if match := _COUNTED.match(case.document.lines[at]):
            found.setdefault(match.group(1).lower(), at)
    return dict.fromkeys(found.values(), _STATED)
