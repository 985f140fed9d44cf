"""The rows of tables that a dump holds: INSERT statements, and the lines COPY brings."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from flowctx.reducers.document import Document

_WORD = r"(?:[\w$]++|[`\"\[][^`\"\[\]\n]{1,64}[`\"\]])"
_NAME = rf"{_WORD}(?:\.{_WORD}){{0,2}}"
_INSERT = re.compile(
    rf"\s*(?:INSERT|REPLACE)(?:\s+(?:IGNORE|OR \w+))?\s+INTO\s+({_NAME})\s*(\([^()']*\))?\s*"
    r"(?:OVERRIDING \w+ VALUE\s*)?VALUES?\s*(?=\(|$)",
    re.IGNORECASE,
)
_COPY = re.compile(rf"COPY ({_NAME}) (\([^()']*\)) FROM stdin;", re.IGNORECASE)
_CREATE = re.compile(rf"CREATE (?:\w+ )?TABLE (?:IF NOT EXISTS )?({_NAME})\s*\($", re.IGNORECASE)
# Names of columns, and what else stands between the brackets of a table.
_COLUMN = re.compile(r"\s+[`\"\[]?(\w+)[`\"\]]? +\w")
_NO_COLUMN = re.compile(
    r"\s+(?:PRIMARY|UNIQUE|KEY|INDEX|FOREIGN|CONSTRAINT|CHECK|FULLTEXT|EXCLUDE)\b", re.IGNORECASE
)
_VALUE = r"(?:[^()',]|'(?:[^'\\]|\\.|'')*+'|\((?:[^()']|'(?:[^'\\]|\\.|'')*+')*+\))*+"
_TUPLE = re.compile(rf"[,\s]*\(({_VALUE}(?:,{_VALUE})*+)\)")
_FIELD = re.compile(rf"{_VALUE}")
_COPY_END = "\\."
_MAX_COLUMNS = 40


class TableRow(NamedTuple):
    """A row: characters [start, end) of the document, in a line."""

    start: int
    end: int
    line: int


class TableRows(NamedTuple):
    """The rows of a table, in order, and the columns as far as the dump names them."""

    table: str
    columns: Sequence[str]
    rows: list[TableRow]


def begins_rows(line: str) -> bool:
    """True for a line that brings rows of a table, or says that the next ones do."""
    return _head_of_rows(line) is not None


def _head_of_rows(line: str) -> re.Match[str] | None:
    word = line.lstrip()[:4].upper()
    if word == "COPY":
        return _COPY.match(line)
    return _INSERT.match(line) if word in ("INSE", "REPL") else None


def read_tables(document: Document) -> list[TableRows]:
    """The tables of a dump that rows were found of, in order."""
    tables: dict[str, TableRows] = {}
    columns = dict(_columns(document.lines))
    lines, at = document.lines, 0
    while at < len(lines):
        head = _head_of_rows(lines[at])
        if head is None:
            at += 1
            continue
        table = head.group(1).strip()
        named = _names(head.group(2) or "") or columns.get(table, [])
        known = tables.setdefault(table, TableRows(table, named, []))
        if head.re is _COPY:
            end = next((to for to in range(at, len(lines)) if lines[to] == _COPY_END), len(lines))
            known.rows.extend(_copied(document, at + 1, end))
        else:
            end = _end_of_insert(lines, at, head.end())
            known.rows.extend(_inserted(document, at, end, head.end()))
        at = max(end, at + 1)
    return [table for table in tables.values() if table.rows]


def split_row(row: str) -> list[str]:
    """The fields of a row: between tabs, or between the commas of a list in brackets."""
    if not row.startswith("("):
        return row.split("\t")
    values = row[1:-1]
    fields, at = [], 0
    while at <= len(values):
        match = _FIELD.match(values, at)
        end = match.end() if match else len(values)
        fields.append(values[at:end].strip(" '"))
        at = end + 1
    return fields


def _columns(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The columns of each table that the dump creates."""
    for at, line in enumerate(lines):
        created = _CREATE.match(line)
        if created is None:
            continue
        names = []
        for below in lines[at + 1 : at + 1 + _MAX_COLUMNS * 2]:
            if not below[:1].isspace():
                break
            column = None if _NO_COLUMN.match(below) else _COLUMN.match(below)
            names += [column.group(1)] if column else []
        yield created.group(1).strip(), names


def _names(listed: str) -> list[str]:
    return [name.strip(' `"[]') for name in listed.strip("()").split(",")] if listed else []


def _end_of_insert(lines: Sequence[str], at: int, head: int) -> int:
    """The line behind the rows of an INSERT, which may stand on lines of their own."""
    end = at + 1
    if lines[at][head:].strip():
        return end
    while end < len(lines) and lines[end].lstrip().startswith("("):
        end += 1
    return end


def _inserted(document: Document, start: int, end: int, head: int) -> Iterator[TableRow]:
    for line in range(start, end):
        text, offset = document.lines[line], document.starts[line]
        # Rows follow each other, so that what is none ends them and is not searched on.
        match = _TUPLE.match(text, head if line == start else 0)
        while match:
            start, end = match.span(1)
            yield TableRow(offset + start - 1, offset + end + 1, line)
            match = _TUPLE.match(text, match.end())


def _copied(document: Document, start: int, end: int) -> Iterator[TableRow]:
    for line in range(start, end):
        yield TableRow(document.starts[line], document.line_end(line), line)
