"""Dumps of databases: how tables are built, how many rows each has, and the odd rows."""

import re
from collections.abc import Sequence

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.oddity import oddest
from flowctx.reducers.rows import ODD_RANK, describe_rows, rank_rows, read_fields
from flowctx.reducers.select import CLIP_CHARS, Layout, Window, choose_lines, draft_lines
from flowctx.reducers.sql_rows import TableRow, TableRows, begins_rows, read_tables, split_row

_MIN_ROWS = 12
_MIN_SHARE = 0.3
# Of more rows the odd ones are looked at, and a sample of all.
_MAX_LOOKED, _SAMPLE_SHARE = 4000, 0.4
_STATEMENT = re.compile(
    r"(?:CREATE|ALTER|COPY|GRANT|REVOKE|COMMENT|DELIMITER|CALL|UPDATE|DELETE)\b", re.IGNORECASE
)
_ROUTINE = re.compile(
    r"(?:DROP|SET|LOCK|UNLOCK|USE|BEGIN|COMMIT|START|SELECT pg_catalog)\b|/\*!|\\|PRAGMA",
    re.IGNORECASE,
)
_STATEMENT_RANK, _PART_RANK, _EDGE_RANK, _COMMENT_RANK, _ROUTINE_RANK = 80, 50, 60, 12, 6
# Odd rows come between statements and their parts, plain ones last.
_ROW_RANK, _MAX_BITS, _PLAIN_RANK, _MAX_PLAIN_RANK = 52, 20, 2, 4
_PLAIN_SHARE = 0.35
# A window is cut at the space before its end; the slack keeps that behind the row.
_MAX_WINDOWS, _WINDOW_CHARS, _CUT_SLACK = 6, 300, 24


def _find(case: Case) -> list[TableRows] | None:
    if "INTO" not in case.words.vocabulary and "stdin" not in case.words.vocabulary:
        return None
    if not any(map(begins_rows, case.document.lines)):
        return None
    tables = read_tables(case.document)
    rows = [row for table in tables for row in table.rows]
    taken = sum(row.end - row.start for row in rows)
    is_dump = len(rows) >= _MIN_ROWS and taken >= _MIN_SHARE * len(case.document.text)
    return tables if is_dump else None


def _draft(case: Case, tables: list[TableRows]) -> Draft | None:
    ranks = {at: _plain_rank(line) for at, line in enumerate(case.document.lines) if line.strip()}
    for at in (*case.filled[:2], *case.filled[-2:]):
        ranks[at] = max(ranks[at], _EDGE_RANK)
    notes: dict[int, str] = {}
    windows: list[Window] = []
    lines_of_rows = {row.line for table in tables for row in table.rows}
    ranks.update(dict.fromkeys(lines_of_rows, 0.0))
    for table in tables:
        notes[table.rows[0].line] = _rank_table(case, table, ranks, windows)
    room = case.room - sum(len(note) + 3 for note in notes.values())
    chosen = choose_lines(case.document, ranks, room, floor=_MAX_PLAIN_RANK)
    if sum(len(case.document.lines[at]) for at in chosen) < room * _PLAIN_SHARE:
        chosen |= choose_lines(case.document, ranks, int(room * _PLAIN_SHARE))
    return draft_lines(case.document, "sql/dump", chosen, Layout(notes, sorted(windows)))


def _rank_table(
    case: Case, table: TableRows, ranks: dict[int, float], windows: list[Window]
) -> str:
    """Rank the lines of a table's rows, and say what all of them hold."""
    texts = [case.document.text[row.start : row.end] for row in table.rows]
    looked = list(range(len(texts)))
    if len(texts) > _MAX_LOOKED:
        looked = oddest(texts, _MAX_LOOKED, _SAMPLE_SHARE)
    fields = [split_row(texts[at]) for at in looked]
    rows = read_fields(fields, table.columns or _numbered(len(fields[0])))
    cued = [at for at, row in enumerate(looked) if _is_cued(case, table.rows[row])]
    by_row = {looked[at]: rank for at, rank in rank_rows(rows, cued).items()}
    for at, rank in by_row.items():
        bits, line = rank - ODD_RANK, table.rows[at].line
        worth = _ROW_RANK + min(bits, _MAX_BITS) if bits > 0 else _PLAIN_RANK + rank / 20
        ranks[line] = max(ranks[line], worth)
    odd = sorted((at for at in by_row if by_row[at] > ODD_RANK), key=lambda at: -by_row[at])
    windows += _windows(case, [table.rows[at] for at in odd])
    told = describe_rows(rows)
    if len(looked) < len(texts):
        columns = told.partition("; ")[2]
        told = f"{len(texts)} rows; of {len(looked)} looked at, the odd and a sample: {columns}"
    return f"{table.table}: {told}"


def _numbered(count: int) -> list[str]:
    return [f"column {at + 1}" for at in range(count)]


def _windows(case: Case, odd: Sequence[TableRow]) -> list[Window]:
    """What of long lines is shown of the oddest rows."""
    long = [row for row in odd if len(case.document.lines[row.line]) > CLIP_CHARS][:_MAX_WINDOWS]
    return [Window(row.start, min(row.end + _CUT_SLACK, row.start + _WINDOW_CHARS)) for row in long]


def _is_cued(case: Case, row: TableRow) -> bool:
    is_alone = len(case.document.lines[row.line]) <= CLIP_CHARS
    return is_alone and row.line in case.cue_lines


def _plain_rank(line: str) -> float:
    """What a line of a dump is worth that brings no rows."""
    if line.startswith(("--", "#")):
        return _COMMENT_RANK
    if _STATEMENT.match(line):
        return _STATEMENT_RANK
    return _ROUTINE_RANK if _ROUTINE.match(line) else _PART_RANK


FAMILY = Family(
    "sql/dump", _find, _draft, looks_for="rows of tables that statements bring, at least 12"
)
