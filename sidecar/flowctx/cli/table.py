"""Tables for people: fitted to the terminal, plain where there is none."""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

# A column of texts is at least so wide: narrower, nobody can read it.
_TEXT_CHARS = 6
# Controls but tab and line end: a terminal would obey them.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_MILLION = 1_000_000
_WHOLE = 10_000


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> None:
    """Print rows under a head.

    A column whose head begins with ">" is set right; one with "=" is to be copied. Both stay whole.
    """
    table = Table(box=SIMPLE_HEAD, title=title or None, title_justify="left", pad_edge=False)
    for column in columns:
        right = column.startswith(">")
        # Room is taken from texts, which go on below; a number that is cut is no number.
        is_whole = right or column.startswith("=")
        table.add_column(
            column.lstrip(">="),
            justify="right" if right else "left",
            no_wrap=is_whole,
            overflow="fold",
            min_width=None if is_whole else _TEXT_CHARS,
        )
    for row in rows:
        table.add_row(*(_cell(cell) for cell in row))
    # What stands in a cell is text of others: nothing in it is markup or a command.
    Console(soft_wrap=False, highlight=False, markup=False, emoji=False).print(table)


def _cell(cell: object) -> str:
    return _CONTROLS.sub("\ufffd", cell) if isinstance(cell, str) else f"{cell:,}"


def print_line(line: str, indent: int) -> None:
    """Print a line fitted to the terminal; what goes on below is set in by so many columns.

    Where no terminal is and nobody names a width, as for a program that reads, it stays whole.
    """
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        line = textwrap.fill(
            line,
            shutil.get_terminal_size().columns,
            subsequent_indent=" " * indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
    click.echo(line)


def short(number: float) -> str:
    """A large number in three or four digits: 29.4M, 102k; up to 9,999 as it is."""
    if number >= _MILLION:
        return f"{number / _MILLION:,.1f}M"
    return f"{number / 1000:,.0f}k" if number >= _WHOLE else f"{number:,.0f}"


def when(time_ms: int | None) -> str:
    """A time as people write it, in UTC; a dash for none."""
    if not time_ms:
        return "–"
    return datetime.fromtimestamp(time_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
