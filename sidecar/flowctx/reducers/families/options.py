"""What a program takes, as its help lists it: every option by name, the telling ones with words.

What goes on below an option is shown with it or not at all.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.document import indent_of
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.names import names_room, tell_names
from flowctx.reducers.select import MUST, Layout, choose_lines, draft_lines
from flowctx.reducers.telling import tell_worth

_OPTION = re.compile(r"[ \t]{1,12}(?:-\w[ ,/|]{1,3})?(-{1,2}[A-Za-z][\w-]*)")
_MIN_OPTIONS, _MIN_SHARE, _MIN_TAKEN = 12, 0.25, 0.5
_OPTION_RANK, _MAX_WORTH, _CONTINUED_COST = 40.0, 20.0, 25.0
# Lines beside the options: commands, and what stands before and behind them.
_BESIDE_RANK = 50.0


class _Entry(NamedTuple):
    """An option on lines [start, end)."""

    name: str
    start: int
    end: int


def _find(case: Case) -> list[_Entry] | None:
    if case.sampled_share(_OPTION) < _MIN_SHARE:
        return None
    entries = list(_entries(case.document.lines))
    taken = sum(entry.end - entry.start for entry in entries)
    is_help = len(entries) >= _MIN_OPTIONS and taken >= _MIN_TAKEN * len(case.filled)
    return entries if is_help else None


def _entries(lines: Sequence[str]) -> Iterator[_Entry]:
    """Each option with the lines that are indented deeper below it."""
    at = 0
    while at < len(lines):
        match = _OPTION.match(lines[at])
        start, at = at, at + 1
        if match:
            while (
                at < len(lines)
                and indent_of(lines[at]) > indent_of(lines[start])
                and not (_OPTION.match(lines[at]))
            ):
                at += 1
            yield _Entry(match.group(1), start, at)


def _draft(case: Case, entries: list[_Entry]) -> Draft | None:
    document = case.document
    ranks = _rank(case, entries)
    room = names_room([entry.name for entry in entries], case.room)
    chosen = choose_lines(document, ranks, case.room - room)
    for entry in entries:
        if entry.start not in chosen:
            chosen -= set(range(entry.start, entry.end))
    hidden = [entry for entry in entries if entry.start not in chosen]
    told = tell_names([entry.name for entry in hidden], room) if hidden else ""
    layout = Layout({hidden[0].start: told} if told else {})
    return draft_lines(document, "options", chosen, layout)


def _rank(case: Case, entries: Sequence[_Entry]) -> dict[int, float]:
    """Options by what is said of them, what goes on below them after the options."""
    document = case.document
    ranks = dict.fromkeys(case.filled, _BESIDE_RANK)
    ranks |= {at: MUST for at in case.filled if not document.lines[at][0].isspace()}
    spans = [(document.starts[each.start], document.line_end(each.end - 1)) for each in entries]
    for entry, worth in zip(entries, tell_worth(case.words, spans), strict=True):
        rank = _OPTION_RANK + min(worth, _MAX_WORTH)
        ranks[entry.start] = rank
        for at in range(entry.start + 1, entry.end):
            if at in ranks:
                ranks[at] = rank - _CONTINUED_COST
    return ranks


FAMILY = Family("options", _find, _draft, looks_for="at least 12 options of a program, indented")
