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
from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

# A column of texts is at least so wide: narrower, nobody can read it.
_TEXT_CHARS = 6
# For who reads lines: no table is wider.
_WIDEST = 100_000
# Controls but tab and line end: a terminal would obey them.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_MILLION = 1_000_000
_WHOLE = 10_000


def shown(text: str) -> str:
    """A text without what a terminal would obey."""
    return _CONTROLS.sub("\ufffd", text)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> None:
    """Print rows under a head.

    A column whose head begins with ">" is set right; one with "=" is to be copied. Both stay whole.
    """
    table = Table(box=SIMPLE_HEAD, title=title or None, title_justify="left", pad_edge=False)
    cells = [[_cell(cell) for cell in row] for row in rows]
    for at, column in enumerate(columns):
        head = column.lstrip(">=")
        # Room is taken from texts, which go on below; a number that is cut is no number.
        is_whole = head != column
        whole = max(map(cell_len, [head, *(row[at] for row in cells)]))
        table.add_column(
            head,
            justify="right" if column.startswith(">") else "left",
            no_wrap=is_whole,
            overflow="fold",
            min_width=whole if is_whole else _TEXT_CHARS,
        )
    for row in cells:
        table.add_row(*row)
    # What stands in a cell is text of others: nothing in it is markup or a command.
    console = Console(soft_wrap=False, highlight=False, markup=False, emoji=False)
    # What must stay whole would be cut where it has no room; a terminal goes on below.
    least = Measurement.get(console, console.options.update(max_width=_WIDEST), table).minimum
    console.width = max(console.width, least) if _is_fitted() else _WIDEST
    console.print(table)


def _is_fitted() -> bool:
    """False where no terminal is and nobody names a width, as for a program that reads."""
    return sys.stdout.isatty() or "COLUMNS" in os.environ


def _cell(cell: object) -> str:
    return shown(cell) if isinstance(cell, str) else f"{cell:,}"


def print_line(line: str, indent: int) -> None:
    """Print a line fitted to the terminal; what goes on below is set in by so many columns."""
    if _is_fitted():
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
