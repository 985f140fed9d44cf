"""Rows and columns of a table: CSV, TSV, Markdown, JSON records, or aligned columns."""

import csv
import io
from collections.abc import Sequence
from itertools import islice
from typing import Any

from flowctx.excerpt.aligned import Cells, read_aligned
from flowctx.excerpt.json_value import Number, members, read_json, write_json
from flowctx.excerpt.parts import Entry, Selection, UnusablePartError

_DELIMITERS = (",", "\t", ";", "|")
# As many rows are looked at to find out what separates the cells.
_PROBED = 20
_FIELD_CHARS = 1_000_000


def read_table(text: str, columns: str) -> Selection:
    """A table as its rows, the head first, cut down to some columns.

    Args:
        text: of the original.
        columns: names or numbers from 1, joined by commas; empty for all.

    Raises:
        UnusablePartError: it is no table, or has no such column.
    """
    rows, delimiter = _records(text) or _delimited(text) or (read_aligned(text), ",")
    if len(rows) < 2:
        message = "The original is no table: use lines or grep instead."
        raise UnusablePartError(message)
    kept = _columns(rows[0], columns)
    written = [_written([row[at] for at in kept if at < len(row)], delimiter) for row in rows]
    head = Entry(0, written[0], "head")
    body = [Entry(number, row) for number, row in enumerate(written[1:], start=1)]
    return Selection([head, *body], "rows", len(body))


def _records(text: str) -> tuple[Cells, str] | None:
    """JSON as rows, where it is a list of objects, or JSON lines."""
    try:
        value = read_json(text)
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            return None
        names = list(dict.fromkeys(name for record in value for name in record))
        cells = [_cells(record, names) for record in value]
    except (ValueError, RecursionError):
        # It is no JSON, or nested too deep for cells.
        return None
    return ([names, *cells], ",") if value else None


def _cells(record: dict[str, Any], names: Sequence[str]) -> list[str]:
    """The values of a record by name; those of a name that repeats stand together."""
    cells: dict[str, list[str]] = {}
    for name, value in members(record):
        cells.setdefault(name, []).append(_cell(value))
    return [", ".join(cells.get(name, ())) for name in names]


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, Number):
        return str(value)
    return value if isinstance(value, str) else write_json(value, is_indented=False)


def _delimited(text: str) -> tuple[Cells, str] | None:
    csv.field_size_limit(_FIELD_CHARS)
    lines = [line for line in text.splitlines() if line.strip()]
    evenness = {sign: _evenness(_probed(text, lines, sign)) for sign in _DELIMITERS}
    delimiter = max(_DELIMITERS, key=evenness.__getitem__)
    if not evenness[delimiter]:
        return None
    if delimiter == "|":
        cells = ([cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines)
        return [row for row in cells if any(cell.strip("-+: ") for cell in row)], "|"
    try:
        return list(csv.reader(io.StringIO(text), delimiter=delimiter)), delimiter
    except csv.Error:
        return [line.split(delimiter) for line in lines], delimiter


def _probed(text: str, lines: Sequence[str], sign: str) -> Cells:
    """The first rows as they would be with a separator; a cell in quotes may have several lines."""
    try:
        rows = [
            row for row in islice(csv.reader(io.StringIO(text), delimiter=sign), _PROBED) if row
        ]
    except csv.Error:
        rows = []
    # A quote that stands for itself must not swallow the lines behind it.
    return rows if _evenness(rows) else [_split(line, sign) for line in lines[:_PROBED]]


def _evenness(rows: Cells) -> int:
    """How many separators each row has, where most have as many as the first one."""
    if not rows:
        return 0
    counts = [len(row) - 1 for row in rows]
    alike = sum(count == counts[0] for count in counts)
    return counts[0] if alike * 2 > len(counts) else 0


def _split(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [""])
    except csv.Error:
        return line.split(delimiter)


def _columns(head: Sequence[str], asked: str) -> list[int]:
    words = [word.strip() for word in asked.split(",") if word.strip()]
    if not words:
        return list(range(len(head)))
    names = {name.strip().lower(): at for at, name in reversed(list(enumerate(head)))}
    kept = []
    for word in words:
        at = names.get(word.lower())
        if at is None and word.isdecimal() and 0 < int(word[:9]) <= len(head):
            at = int(word[:9]) - 1
        if at is None:
            message = f"There is no column {word[:60]!r}. Columns: {', '.join(head)[:400]}."
            raise UnusablePartError(message)
        kept.append(at)
    # Each once: a model that repeats itself gets no wider table.
    return list(dict.fromkeys(kept))


def _written(cells: Sequence[str], delimiter: str) -> str:
    if delimiter == "|":
        return f"| {' | '.join(cells)} |"
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="").writerow(cells)
    return out.getvalue().replace("\r", "").replace("\n", "\\n")
