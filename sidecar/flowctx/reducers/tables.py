"""Tables written as lines, one row a line: header, odd rows and totals shown, the rest told.

How the fields of a row are found is the business of the family; everything
after that is here.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.rows import PLAIN_RANK, describe_rows, rank_rows, read_fields
from flowctx.reducers.select import MUST, Layout, choose_lines, draft_lines

# Ordinary rows are shown in at most this share of the room.
_PLAIN_SHARE = 0.35
_NEAR_HEADER_RANK = 30.0
_MIN_LEFT = 4
_TOTAL = re.compile(
    r"(?:grand |sub)?-?totals?:?|sum(?:ma|me|a)?:?|insgesamt:?|gesamt(?:summe)?:?|somme:?"
    r"|合计|总计|合計|總計|합계|итого:?|всего:?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Table:
    """A table found in a text.

    Attributes:
        names: the columns as the header names them.
        fields: the fields of each row.
        lines: first line of each row.
        single: every row takes one line.
    """

    names: Sequence[str]
    fields: Sequence[Sequence[str]]
    lines: Sequence[int]
    single: bool = True


def draft_table(case: Case, content_type: str, table: Table) -> Draft | None:
    """A draft of a text that is one table; lines around the rows are shown if they fit."""
    table = _without_totals(table)
    rows = read_fields(table.fields, table.names)
    at_line = {line: at for at, line in enumerate(table.lines)}
    cued = [at_line[line] for line in case.cue_lines if line in at_line]
    by_row = rank_rows(rows, cued)
    note = describe_rows(rows)
    ranks = _rank_lines(case, table, by_row)
    room = case.room - len(note) - 3
    odd = {line: rank for line, rank in ranks.items() if rank > PLAIN_RANK}
    chosen = choose_lines(case.document, odd, room)
    used = sum(len(case.document.lines[line]) for line in chosen)
    plain_room = int(room * _PLAIN_SHARE)
    if used < plain_room:
        chosen = choose_lines(case.document, ranks, plain_room) | chosen
    rows_at = range(table.lines[0], table.lines[-1] + 1) if table.single else range(0)
    layout = Layout(notes={table.lines[0]: note}, rows=rows_at)
    return draft_lines(case.document, content_type, chosen, layout)


def _without_totals(table: Table) -> Table:
    """The table without the totals it ends with: they are no rows, and change every maximum."""
    end = len(table.fields)
    while end > _MIN_LEFT and any(map(_TOTAL.fullmatch, table.fields[end - 1][:2])):
        end -= 1
    return replace(table, fields=table.fields[:end], lines=table.lines[:end])


def _rank_lines(case: Case, table: Table, by_row: Mapping[int, float]) -> dict[int, float]:
    """Ranks of all lines: what is not in a row is a heading or a total."""
    ranks = {
        line: _NEAR_HEADER_RANK + MUST
        for line in range(len(case.document.lines))
        if case.document.lines[line].strip()
    }
    ends = [*table.lines[1:], table.lines[-1] + 1]
    for at, (start, end) in enumerate(zip(table.lines, ends, strict=True)):
        for line in range(start, end):
            ranks[line] = by_row[at]
    return ranks
