"""Comma-, tab-, semicolon- or bar-separated values: header, odd rows raw, columns told."""

import csv
import itertools
import re
from collections import Counter
from collections.abc import Sequence

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.tables import Table, draft_table
from flowctx.reducers.values import as_number

_DELIMITERS = ",\t;|"
_MIN_ROWS = 5
_SAME_WIDTH = 0.9
# Prose has commas too: without a telling file name a table needs this many columns.
_MIN_COLUMNS = 3
_FILE_NAME = re.compile(r"\.(?:csv|tsv|psv)\b", re.IGNORECASE)
# A time and a level before any delimiter begin the line of a log.
_LOG_HEAD = re.compile(
    r"\W?\d[\dT :.-]{6,30}[^,\t;|]{0,40}\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL)\b"
)
_MAX_FIELD_CHARS = 60
_READ_LINES = 200
_KEY = re.compile(r'[,;]"[^",;:]{1,60}":')


def _find(case: Case) -> tuple[str, Table] | None:
    delimiter = delimiter_of(case)
    if delimiter is None:
        return None
    fields, lines = _read(case, delimiter)
    if len(fields) < _MIN_ROWS:
        return None
    names, skip = _header(fields)
    last = len(case.document.lines)
    single = all(b - a == 1 for a, b in itertools.pairwise([*lines, last]))
    kind = "tsv" if delimiter == "\t" else "csv"
    return kind, Table(names, fields[skip:], lines[skip:], single)


def _draft(case: Case, found: tuple[str, Table]) -> Draft | None:
    kind, table = found
    return draft_table(case, kind, table)


def delimiter_of(case: Case) -> str | None:
    """The delimiter that gives nearly every line the same number of fields."""
    if case.sampled_share(_LOG_HEAD) >= _SAME_WIDTH:
        return None
    sample = [case.document.lines[at] for at in case.sampled]
    if len(case.filled) <= _MIN_ROWS:
        return None
    needed = 2 if _FILE_NAME.search(case.output.command) else _MIN_COLUMNS
    for delimiter in _DELIMITERS:
        if not all(delimiter in line for line in sample[: _MIN_ROWS - 1]):
            continue
        rows = _split(sample, delimiter)
        width, count = Counter(map(len, rows)).most_common(1)[0]
        if _are_measures(rows):
            return delimiter
        if needed > 2 and delimiter in ",;" and _reads_otherwise(sample, delimiter):
            continue
        if width >= needed and count >= _SAME_WIDTH * len(sample) and _short_fields(rows):
            return delimiter
    return _quoted_delimiter(case)


def _are_measures(rows: Sequence[Sequence[str]]) -> bool:
    """True for two fields in each row, of which the second is a number below a name."""
    if any(len(row) != 2 for row in rows):
        return False
    others = sum(1 for row in rows if as_number(row[1].strip()) is None)
    return others <= max(1, (1 - _SAME_WIDTH) * len(rows))


def _quoted_delimiter(case: Case) -> str | None:
    """The delimiter of a table whose fields hold line ends, told by the rows it begins with."""
    lines = case.document.lines
    if '"' not in case.glance:
        return None
    for delimiter in _DELIMITERS:
        if lines[0].count(delimiter) < _MIN_COLUMNS - 1:
            continue
        try:
            rows = list(
                csv.reader([f"{line}\n" for line in lines[:_READ_LINES]], delimiter=delimiter)
            )
        except csv.Error:
            continue
        # The last of them may be cut.
        width, whole = len(rows[0]), rows[:-1]
        fitting = sum(1 for row in whole if len(row) == width)
        holds_ends = sum(1 for row in whole if any("\n" in field for field in row))
        if holds_ends and len(whole) >= _MIN_ROWS and fitting >= _SAME_WIDTH * len(whole):
            return delimiter
    return None


def _reads_otherwise(lines: Sequence[str], delimiter: str) -> bool:
    """True where a space mostly follows the delimiter, as in a sentence, or a key of JSON."""
    text = "\n".join(lines)
    total = text.count(delimiter)
    return max(text.count(f"{delimiter} "), len(_KEY.findall(text))) > total / 2


def _short_fields(rows: Sequence[Sequence[str]]) -> bool:
    """True where fields are values and not sentences or log messages."""
    lengths = sorted(len(field) for row in rows for field in row)
    return lengths[len(lengths) * 9 // 10] <= _MAX_FIELD_CHARS


def _split(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    try:
        return list(csv.reader(lines, delimiter=delimiter))
    except csv.Error:
        return [line.split(delimiter) for line in lines]


def _read(case: Case, delimiter: str) -> tuple[list[list[str]], list[int]]:
    """The fields of every row, and the line it begins at; blank lines are no rows."""
    fields: list[list[str]] = []
    lines: list[int] = []
    reader = csv.reader((f"{line}\n" for line in case.document.lines), delimiter=delimiter)
    start = 0
    try:
        for row in reader:
            if row:
                fields.append([field.strip() for field in row])
                lines.append(start)
            start = reader.line_num
    except csv.Error:
        return [], []
    return fields, lines


def _header(fields: Sequence[Sequence[str]]) -> tuple[list[str], int]:
    """Column names, and how many rows they take: a header holds no numbers and no repeats."""
    first = fields[0]
    is_header = len(set(first)) == len(first) and not any(
        as_number(field) is not None for field in first if field
    )
    has_numbers = any(as_number(field) is not None for row in fields[1:20] for field in row)
    if is_header and (has_numbers or all(len(field) <= 40 for field in first)):
        return list(first), 1
    return [f"column {at}" for at in range(1, len(first) + 1)], 0


FAMILY = Family(
    "csv",
    _find,
    _draft,
    looks_for="at least 5 rows with the same separators, 3 columns or more (2 of numbers)",
)
