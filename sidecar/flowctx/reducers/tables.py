"""Tables written as lines, one row a line: header, odd rows and totals shown, the rest told.

How the fields of a row are found is the business of the family; everything
after that is here.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.rows import PLAIN_RANK, Rows, describe_rows, rank_rows, read_fields
from flowctx.reducers.select import CLIP_CHARS, MUST, Layout, Window, choose_lines, draft_lines

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
    note = _describe(case, table, rows)
    ranks = _rank_lines(case, table, by_row)
    room = case.room - len(note) - 3
    odd = {line: rank for line, rank in ranks.items() if rank > PLAIN_RANK}
    chosen = choose_lines(case.document, odd, room)
    used = sum(len(case.document.lines[line]) for line in chosen)
    plain_room = int(room * _PLAIN_SHARE)
    if used < plain_room:
        chosen = choose_lines(case.document, ranks, plain_room) | chosen
    rows_at = range(table.lines[0], table.lines[-1] + 1) if table.single else range(0)
    windows = [] if not table.single else list(_windows(case, table, rows, chosen))
    layout = Layout(notes={table.lines[0]: note}, rows=rows_at, windows=windows)
    return draft_lines(case.document, content_type, chosen, layout)


def _describe(case: Case, table: Table, rows: Rows) -> str:
    """What the rows hold, and how many there are where some lines were not looked at."""
    number = case.document.number
    between = number(table.lines[-1]) - number(table.lines[0]) - table.lines[-1] + table.lines[0]
    if not between:
        return describe_rows(rows)
    if not table.single:
        return describe_rows(rows, "rows looked at")
    return describe_rows(rows, total=rows.count + between)


def _windows(case: Case, table: Table, rows: Rows, chosen: Collection[int]) -> Iterator[Window]:
    """Odd fields in the middle of lines that are too long to be shown whole."""
    places = {name: at for at, name in enumerate(table.names)}
    for column in rows.columns:
        for row in column.scores if column.name in places else ():
            line, field = table.lines[row], places[column.name]
            if line not in chosen or len(case.document.lines[line]) <= CLIP_CHARS:
                continue
            span = _field_at(case.document.lines[line], table.fields[row][: field + 1])
            if span:
                start = case.document.starts[line]
                yield Window(start + span[0], start + span[1])


def _field_at(line: str, fields: Sequence[str]) -> tuple[int, int] | None:
    """Where the last of some fields of a line stands; None where one is spelled otherwise."""
    start = end = 0
    for field in fields:
        start = line.find(field, end)
        if start < 0:
            return None
        end = start + len(field)
    return start, end


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
