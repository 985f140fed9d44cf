"""What source code says beyond what it does: tasks left open, warnings, and how it is called."""

import re
from collections.abc import Iterator, Mapping

from flowctx.reducers.case import Case
from flowctx.reducers.cues import Cue, cues_in
from flowctx.reducers.select import MUST

_OPEN_TASK = re.compile(r"\b(?:TO[D]O|FIX[M]E|X{3}|HACK|BUG)\b")
_USAGE = re.compile(r"\b[Uu]sage: ?[\w$%{<]")
_ALARM = re.compile(
    r"\b(?:DANGER|WARNING|CAUTION|IMPORTANT|SECURITY|UNSAFE|BEWARE|DEPRECATED|Danger|Warning|Caution|Beware"
    r"|deadlocks?|data race)\b"
)
# How remarks begin, at the beginning of a line or behind code; what stands in quotes is none.
_REMARK = re.compile(
    r"(?:^|(?<=\s))(?:#(?!!|include\b|define\b|if|el|end)|//+|/\*|\*(?=\s)|--+(?=\s)|;+(?=\s)|%(?=\s))"
)
# A line of a remark that goes on, or of documentation: words, and no sign of code.
_WORDS = re.compile(r"\s*[\"'`(]*(?:[^\W\d_][\w'’-]*[,:.]?[\"'`)]* +){3}[^={}<>;]*$")
# What bans only where it begins a sentence; elsewhere it mostly says how things are.
_MILD = frozenset(
    {"do not", "don't", "did not", "have not", "has not", "not yet", "no more", "nothing", "nobody"}
    | {"none of", "neither", "will not", "won't", "may not", "not until", "not before"}
)
# So many of a kind are facts; of more, some are shown where there is room.
_FEW = 12
_FURTHER_RANK = 35.0


def telling_remarks(case: Case, ranks: Mapping[int, float]) -> dict[int, float]:
    """Lines that say what is still to be done, what must not be, or how to call it; their ranks.

    Args:
        case: a source file.
        ranks: what its lines are worth by themselves.
    """
    found: dict[int, float] = {}
    for rows in (_lines_with(case, _OPEN_TASK), list(_warnings(case)), _lines_with(case, _USAGE)):
        rank = MUST if len(rows) <= _FEW else _FURTHER_RANK
        found |= {row: max(ranks.get(row, 0.0), found.get(row, 0.0), rank) for row in rows}
    return found


def _lines_with(case: Case, pattern: re.Pattern[str]) -> list[int]:
    if not pattern.search(case.document.text):
        return []
    return [row for row in case.readable if pattern.search(case.document.lines[row])]


def _warnings(case: Case) -> Iterator[int]:
    """Lines whose remark holds an alarm or a ban."""
    document, lines = case.document, case.document.lines
    cues = (cue for cue in cues_in(case.words, ("ban",)) if _bans(document.text, cue))
    found = {document.line_at(cue.start): cue.start for cue in cues}
    for row in _lines_with(case, _ALARM):
        alarm = _ALARM.search(lines[row])
        found[row] = document.starts[row] + (alarm.start() if alarm else 0)
    for row, at in sorted(found.items()):
        if _is_remark(lines[row], at - document.starts[row]):
            yield row


def _bans(text: str, cue: Cue) -> bool:
    said = text[cue.start : cue.end]
    return said[0].isupper() or said not in _MILD


def _is_remark(line: str, at: int) -> bool:
    """True where a place of a line is in a remark."""
    begun = _REMARK.search(line, 0, at + 1)
    return begun is not None or _WORDS.match(line) is not None
