"""What source code says beyond what it does: tasks left open, warnings, and how it is called."""

import re
from collections.abc import Iterator, Mapping, Sequence

from flowctx.reducers.case import Case
from flowctx.reducers.cues import Cue, cues_in
from flowctx.reducers.select import MUST

_OPEN_TASKS = ("TO" + "DO", "FIX" + "ME", "XXX", "HACK", "BUG")
_ALARMS: tuple[str, ...] = (
    "DANGER",
    "WARNING",
    "CAUTION",
    "IMPORTANT",
    "SECURITY",
    "UNSAFE",
    "BEWARE",
    "DEPRECATED",
)
_ALARMS += ("Danger", "Warning", "Caution", "Beware", "deadlock", "deadlocks")
_USAGES, _USAGE = ("usage", "Usage"), re.compile(r"\b[Uu]sage: ?[\w$%{<]")
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
    tasks = dict(_places(case, _OPEN_TASKS))
    usages = [row for row, _ in _places(case, _USAGES) if _USAGE.search(case.document.lines[row])]
    for rows in (tasks, list(_warnings(case)), usages):
        rank = MUST if len(rows) <= _FEW else _FURTHER_RANK
        found |= {row: max(ranks.get(row, 0.0), found.get(row, 0.0), rank) for row in rows}
    return found


def _places(case: Case, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Lines that hold one of some words by itself, and where in the line."""
    present = [word for word in words if word in case.words.vocabulary]
    if not present:
        return
    pattern = re.compile(rf"\b(?:{'|'.join(present)})\b")
    for row in case.readable:
        line = case.document.lines[row]
        if any(map(line.__contains__, present)) and (found := pattern.search(line)):
            yield row, found.start()


def _warnings(case: Case) -> Iterator[int]:
    """Lines whose remark holds an alarm or a ban."""
    document, lines = case.document, case.document.lines
    cues = (cue for cue in cues_in(case.words, ("ban",)) if _bans(document.text, cue))
    found = {(at := document.line_at(cue.start)): cue.start - document.starts[at] for cue in cues}
    found |= dict(_places(case, _ALARMS))
    yield from (row for row, at in sorted(found.items()) if _is_remark(lines[row], at))


def _bans(text: str, cue: Cue) -> bool:
    said = text[cue.start : cue.end]
    return said[0].isupper() or said not in _MILD


def _is_remark(line: str, at: int) -> bool:
    """True where a place of a line is in a remark."""
    begun = _REMARK.search(line, 0, at + 1)
    return begun is not None or _WORDS.match(line) is not None
