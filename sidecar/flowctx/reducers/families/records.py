"""Records written one field a line: vertical and expanded tables, stanzas, lock files.

Records are rows of a table that stands upright; those that stand out are
shown whole, the others told by their fields.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.rows import PLAIN_RANK, describe_rows, rank_rows, read_records
from flowctx.reducers.select import MUST, Layout, choose_lines, draft_lines

# Records in a box begin with a rule, and have their title between bars.
_HEADING = re.compile(
    r"-\[ RECORD \d+ \][-+]*|\*{5,} \d+\. row \*{5,}|\[\[?[\w.\"-]+\]\]?\s*$"
    r"|[|+\s]{0,8}-{8,}[-+|]*$|\|+\s+[\w .-]{1,60}\|+$"
)
_FIELD = re.compile(r"[\s|│║]*\"?([A-Za-z][\w .()/-]{0,40})\"?\s*(?:[:=|](?:\s+|$)|=)(.*)")
# Items and ends of values that take several lines.
_CONTINUED = re.compile(r"\s+\S|[\])}]")
_MIN_RECORDS = 6
_MIN_FIELDS = 2
_FIELD_SHARE = 0.75
_SAME_BUILD = 0.6
_PLAIN_SHARE = 0.35
_REPEATED_RANK = 0.5


class _Record(NamedTuple):
    """Lines [start, end) of a record, and its fields."""

    start: int
    end: int
    fields: dict[str, str]


def _find(case: Case) -> list[_Record] | None:
    if case.sampled_share(_FIELD) < _FIELD_SHARE / 2:
        return None
    lines = case.document.lines
    records = [record for record in _read(lines) if len(record.fields) >= _MIN_FIELDS]
    if len(records) < _MIN_RECORDS:
        return None
    held = sum(len(record.fields) for record in records)
    names = Counter(name for record in records for name in record.fields)
    shared = sum(count for count in names.values() if count >= _SAME_BUILD * len(records))
    covered = held + sum(
        1 for at in case.filled if _HEADING.match(lines[at]) or _CONTINUED.match(lines[at])
    )
    is_table = shared >= _SAME_BUILD * held and covered >= _FIELD_SHARE * len(case.filled)
    return records if is_table else None


def _draft(case: Case, records: list[_Record]) -> Draft | None:
    rows = read_records([record.fields for record in records])
    cued = [
        at
        for at, record in enumerate(records)
        if any(line in case.cue_lines for line in range(record.start, record.end))
    ]
    by_row = rank_rows(rows, cued)
    note = describe_rows(rows, "records")
    # Titles and rules that every record has say nothing.
    ranks = {
        at: MUST if case.shape_counts[case.masked[at]] < _MIN_RECORDS else _REPEATED_RANK
        for at in case.filled
    }
    for at, record in enumerate(records):
        # The lines of a record are worth the same, so that it is shown whole or not at all.
        ranks.update((line, by_row[at]) for line in range(record.start, record.end))
    room = case.room - len(note) - 3
    odd = {line: rank for line, rank in ranks.items() if rank > PLAIN_RANK}
    chosen = choose_lines(case.document, odd, room)
    if sum(len(case.document.lines[at]) for at in chosen) < room * _PLAIN_SHARE:
        chosen |= choose_lines(case.document, ranks, int(room * _PLAIN_SHARE))
    return draft_lines(case.document, "records", chosen, Layout({-1: note}))


def _read(lines: Sequence[str]) -> list[_Record]:
    """Blocks of lines between blank lines or headings of records."""
    records, start = [], 0
    for at in range(len(lines) + 1):
        is_border = at == len(lines) or not lines[at].strip()
        if is_border or _HEADING.match(lines[at]):
            if at > start:
                records.append(_Record(start, at, _fields(lines[start:at])))
            start = at + 1 if is_border else at
    return records


def _fields(lines: Sequence[str]) -> dict[str, str]:
    found = (_FIELD.match(line) for line in lines)
    return {m.group(1).strip(): m.group(2).strip(" \t|│║") for m in found if m}


FAMILY = Family("records", _find, _draft, looks_for="at least 6 records written one field a line")
