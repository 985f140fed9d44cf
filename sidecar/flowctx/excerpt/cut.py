"""Cutting a part out of a text: path, then table, then ranges, then matches."""

from flowctx.excerpt.grep import select_matches
from flowctx.excerpt.json_path import select_values
from flowctx.excerpt.page import Page, write_page
from flowctx.excerpt.parts import Lines, Part, Selection, UnusablePartError
from flowctx.excerpt.ranges import read_ranges, select_ranges
from flowctx.excerpt.table import read_table
from flowctx.tokens import estimate_tokens


def fits_whole(text: str, part: Part) -> bool:
    """True when the whole text is asked for and there is room for it."""
    return part.is_whole and estimate_tokens(text) <= part.room


def cut_part(text: str, part: Part) -> tuple[Page, Selection]:
    """The part of a text that is wanted, as much of it as there is room for.

    Raises:
        UnusablePartError: the part cannot be read, or does not fit the text.
    """
    if part.json_path.strip():
        text = select_values(text, part.json_path)
    is_table = bool(part.rows.strip() or part.columns.strip())
    if is_table and part.lines.strip():
        message = "A table is cut by rows, a text by lines: give rows in place of lines."
        raise UnusablePartError(message)
    selection = read_table(text, part.columns) if is_table else _lines(text)
    asked = part.rows if is_table else part.lines
    if asked.strip():
        ranges = read_ranges(asked, selection.total, selection.unit)
        selection = select_ranges(selection, ranges)
    if part.grep:
        selection = select_matches(selection, part.grep, part.context)
        if not any(entry.mark == "hit" for entry in selection.entries):
            message = f"No match for {part.grep[:120]!r} in {selection.total:,} {selection.unit}."
            raise UnusablePartError(message)
    return write_page(selection, part.room), selection


def _lines(text: str) -> Selection:
    rows = text.split("\n")
    if len(rows) > 1 and not rows[-1]:
        rows.pop()
    return Selection(Lines(rows), "lines", len(rows))
