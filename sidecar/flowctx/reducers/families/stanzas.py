"""Records between lines that are always the same: coverage, calendars, cards, references.

What a record has once are its fields, and the record is a row of a table; of
what it has many times only the number is told.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.rows import ODD_RANK, describe_rows, rank_rows, read_records
from flowctx.reducers.select import MUST, Layout, choose_lines, draft_lines

# DA:4,2 and DTSTART;TZID=Europe/Berlin:20261130T090000 and "AU  - Lovelace, Ada".
_FIELD = re.compile(r"([A-Z][A-Z0-9_-]{0,30})(?:;[^:]{0,80})?(?::|=|  - )(.*)")
_FIELD_SHARE = 0.7
_MIN_RECORDS, _MIN_FIELDS = 6, 2
# Lines at an end of the text among which the one between records is looked for.
_EDGE_LINES = 3
_SAME_BUILD = 0.6
_OUTSIDE_RANK, _DETAIL_COST, _CONSTANT_RANK = MUST, 12.0, 0.5
# Plain records take no more of the room than this, and less of theirs is shown.
_PLAIN_SHARE, _LEAST_RANK = 0.25, 1.0


class _Record(NamedTuple):
    """Lines [start, end) of a record, and its fields with the line of each."""

    start: int
    end: int
    fields: dict[str, str]
    lines: frozenset[int]


def _find(case: Case) -> list[_Record] | None:
    if case.sampled_share(_FIELD) < _FIELD_SHARE:
        return None
    lines = case.document.lines
    for borders in _borders(case):
        records = [_record(lines, start, end) for start, end in borders]
        held = sum(len(record.fields) for record in records)
        names = Counter(name for record in records for name in record.fields)
        shared = sum(count for count in names.values() if count >= _SAME_BUILD * len(records))
        if held >= _MIN_FIELDS * len(records) and shared >= _SAME_BUILD * held:
            return records
    return None


def _borders(case: Case) -> Iterable[list[tuple[int, int]]]:
    """Where records begin and end, by each line that may stand between them."""
    lines = case.document.lines
    counts = Counter(lines)
    first, last = case.filled[:_EDGE_LINES], case.filled[-_EDGE_LINES:]
    for line in dict.fromkeys(lines[at] for at in (*reversed(last), *first)):
        if counts[line] < _MIN_RECORDS:
            continue
        places = [at for at, other in enumerate(lines) if other == line]
        if line in {lines[at] for at in last}:
            yield [(before + 1, at + 1) for before, at in pairwise([-1, *places])]
        else:
            yield list(pairwise([*places, len(lines)]))


def _record(lines: Sequence[str], start: int, end: int) -> _Record:
    found = {at: match for at in range(start, end) if (match := _FIELD.match(lines[at]))}
    counts = Counter(match.group(1) for match in found.values())
    fields, single = {}, set()
    for at, match in found.items():
        name = match.group(1)
        if counts[name] == 1:
            fields[name] = match.group(2).strip()
            single.add(at)
        else:
            fields[f"number of {name}"] = str(counts[name])
    return _Record(start, end, fields, frozenset(single))


def _draft(case: Case, records: list[_Record]) -> Draft | None:
    rows = read_records([record.fields for record in records])
    cued = [
        at
        for at, record in enumerate(records)
        if any(line in case.cue_lines for line in range(record.start, record.end))
    ]
    note = describe_rows(rows, "records")
    ranks = _rank_lines(case, records, rank_rows(rows, cued))
    room = case.room - len(note) - 3
    odd = {line: rank for line, rank in ranks.items() if rank >= ODD_RANK - _DETAIL_COST}
    chosen = choose_lines(case.document, odd, room)
    if sum(len(case.document.lines[at]) for at in chosen) < room * _PLAIN_SHARE:
        plain = int(room * _PLAIN_SHARE)
        chosen |= choose_lines(case.document, ranks, plain, floor=_LEAST_RANK)
    return draft_lines(case.document, "records", chosen, Layout({-1: note}))


def _rank_lines(
    case: Case, records: Sequence[_Record], by_row: dict[int, float]
) -> dict[int, float]:
    """Fields of a record as its row; what it has many of below, what all have alike last."""
    lines, counts = case.document.lines, Counter(case.document.lines)
    ranks = dict.fromkeys(case.filled, _OUTSIDE_RANK)
    for at, record in enumerate(records):
        for line in range(record.start, record.end):
            detail = 0.0 if line in record.lines else _DETAIL_COST
            ranks[line] = max(by_row[at] - detail, _LEAST_RANK)
            if by_row[at] < ODD_RANK and counts[lines[line]] >= len(records) // 2:
                ranks[line] = _CONSTANT_RANK
    return {line: ranks[line] for line in case.filled}


FAMILY = Family(
    "stanzas", _find, _draft, looks_for="at least 6 records between lines that are always the same"
)
