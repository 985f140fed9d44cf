"""Tables drawn with characters: psql, Markdown and boxed ones, and aligned columns.

Aligned columns are what `kubectl get`, `ps`, `df`, `docker ps` and their like
print: a header of words over rows that split into as many fields.
"""

import re
from collections.abc import Sequence

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.running import is_running_text
from flowctx.reducers.tables import Table, draft_table
from flowctx.reducers.values import as_number

_MIN_ROWS = 4
_SAME_WIDTH = 0.85
_BAR = re.compile(r"[|│┃║]")
# A line of dashes under a header: "---+---", "|:--|--:|", "+----+----+", "├───┼───┤".
_RULE = re.compile(r"\s*[|+├┝┠╞╟┌┏╔└┗╚┬═━─┼:\-=\s┿╪╋┤┫╡╢┐┓╗┘┛╝┴┯┷]{5,}")
# Runs of one dash under each name: "------- ----", "+++-======-=====".
_DASHED = re.compile(r"(?:\+{3}-)?(?:-{3,}|={3,})(?:(?:  ?|-)(?:-{2,}|={2,}))+\s*")
_DASHES = re.compile(r"={2,}|(?<![=+-])-{2,}(?!=)")
_WIDE_GAP = re.compile(r"\s{2,}|\t")
_HEADER_WORD = re.compile(r"[A-Z][A-Z0-9_%()/.#-]*|%[A-Z]+")
_WORD, _WORDED, _MAX_RULES = re.compile(r"\S+"), re.compile(r"[^\W\d_]"), 3
_PROBED_ROWS, _PROBED_SHARE = 40, 0.7
# The part of the columns behind the first that a header stands above.
_ABOVE_SHARE = 0.6
_MAX_COLUMNS = 40
# A page has headings besides its tables.
_PAGE_HEADINGS = 2


def _find(case: Case) -> Table | None:
    lines, filled = case.document.lines, case.filled
    if len(filled) <= _MIN_ROWS:
        return None
    table = _find_ruled(lines, filled) or _find_barred(lines, filled)
    if table or is_running_text(case) or not _may_align(lines[filled[0]], case.sample):
        return table
    return _find_aligned(lines, filled)


def _draft(case: Case, table: Table) -> Draft | None:
    return draft_table(case, "table", table)


def _find_barred(lines: Sequence[str], filled: Sequence[int]) -> Table | None:
    rule = next((at for at in filled[:8] if is_rule(lines[at])), None)
    if rule is None or sum(1 for at in filled if lines[at].startswith("#")) >= _PAGE_HEADINGS:
        return None
    heads = [at for at in filled if at < rule and _BAR.search(lines[at])]
    following = [at for at in filled if at > rule]
    if not heads and following:
        # A box opens with a rule; its header and a second rule follow.
        heads, following = following[:1], following[1:]
    names = split_bars(lines[heads[-1]]) if heads else []
    rows = [at for at in following if _BAR.search(lines[at]) and not is_rule(lines[at])]
    fields = [split_bars(lines[at]) for at in rows]
    fitting = sum(1 for row in fields if len(row) == len(names))
    if len(names) < 2 or fitting < _SAME_WIDTH * len(following) or len(rows) < _MIN_ROWS:
        return None
    return Table(names, fields, rows, _consecutive(rows))


def _find_ruled(lines: Sequence[str], filled: Sequence[int]) -> Table | None:
    """A table whose columns are as wide as the dashes under their names: `dpkg -l`, `pip list`."""
    order = next((n for n, at in enumerate(filled[:8]) if _DASHED.fullmatch(lines[at])), 0)
    if not order:
        return None
    rule = lines[filled[order]]
    # Several boxes, or a line above that names nothing, are no table.
    if sum(1 for at in filled if lines[at] == rule) > _MAX_RULES or not _WORDED.search(
        lines[filled[order - 1]]
    ):
        return None
    starts = _column_starts(rule)
    rows = filled[order + 1 :]
    if len(starts) < 2 or len(rows) < _MIN_ROWS:
        return None
    fitting = sum(1 for at in rows if _splits_at(lines[at], starts))
    if fitting < _SAME_WIDTH * len(rows):
        return None
    names, *fields = (_split_at(lines[at], starts) for at in (filled[order - 1], *rows))
    return Table(names, fields, rows, _consecutive(rows))


def _column_starts(rule: str) -> list[int]:
    starts = [run.start() for run in _DASHES.finditer(rule)]
    return starts if not starts or starts[0] == 0 else [0, *starts]


def _splits_at(line: str, starts: Sequence[int]) -> bool:
    """True where a blank stands before every column, as far as the line goes."""
    return all(line[at - 1 : at] in ("", " ") for at in starts[1:]) and len(line) > starts[1]


def _split_at(line: str, starts: Sequence[int]) -> list[str]:
    return [line[a:b].strip() for a, b in zip(starts, [*starts[1:], len(line)], strict=True)]


def _find_aligned(lines: Sequence[str], filled: Sequence[int]) -> Table | None:
    header, rows = filled[0], filled[1:]
    if not _may_be_header(lines[header]):
        return None
    # Judged by the first rows before all are split.
    probed = [_WIDE_GAP.split(lines[at].strip()) for at in filled[:_PROBED_ROWS]]
    wide = probed if _agree(probed, len(probed[0]), _PROBED_SHARE) else []
    wide += [_WIDE_GAP.split(lines[at].strip()) for at in filled[_PROBED_ROWS:]] if wide else []
    if wide and _agree(wide, len(wide[0])) and _is_header(wide[0], wide[1:]):
        return Table(wide[0], wide[1:], rows, _consecutive(rows))
    names = lines[header].split()
    probed = [lines[at].split(maxsplit=max(len(names) - 1, 0)) for at in rows[:_PROBED_ROWS]]
    if len(names) < 3 or not _agree(probed, len(names), _PROBED_SHARE):
        return None
    fields = [lines[at].split(maxsplit=max(len(names) - 1, 0)) for at in rows]
    if not _agree(fields, len(names)) or not _is_header(names, fields):
        return None
    is_above = _are_capitals(names) or _stands_above(lines[header], [lines[at] for at in rows])
    return Table(names, fields, rows, _consecutive(rows)) if is_above else None


def _stands_above(header: str, rows: Sequence[str]) -> bool:
    """True where the words of a line stand above columns, or above numbers, and are no row."""
    heads = [word.span() for word in _WORD.finditer(header)]
    names = header.split()
    probed = [list(_WORD.finditer(row))[: len(heads)] for row in rows[:_PROBED_ROWS]]
    columns = list(zip(*(row for row in probed if len(row) == len(heads)), strict=True))
    told = 0
    for at, column in enumerate(columns):
        if at < len(columns) - 1 and _holds_name(names[at], [cell.group() for cell in column]):
            return False
        start, end = heads[at]
        below = sum(1 for cell in column if cell.start() == start or cell.end() == end)
        numbers = sum(1 for cell in column if as_number(cell.group()) is not None)
        told += at > 0 and max(below, numbers) >= _PROBED_SHARE * len(column)
    return told >= _ABOVE_SHARE * (len(columns) - 1)


def _holds_name(name: str, cells: Sequence[str]) -> bool:
    """True where what stands above a column is one of its values as well."""
    return cells.count(name) > _PROBED_SHARE * len(cells)


def _may_align(header: str, sample: Sequence[str]) -> bool:
    """True where a good part of some lines splits into as many fields as the header."""
    if not _may_be_header(header):
        return False
    wide, words = len(_WIDE_GAP.split(header.strip())), len(header.split())
    fitting = sum(
        len(line.split()) >= words or len(_WIDE_GAP.split(line.strip())) == wide for line in sample
    )
    return fitting >= _PROBED_SHARE * len(sample)


def _may_be_header(line: str) -> bool:
    """True for a short line of words, none of them a number or mere signs."""
    words = line.split()
    if not 2 <= len(words) <= _MAX_COLUMNS or any(word[0].isdigit() for word in words):
        return False
    return all(any(map(str.isalnum, word)) for word in words)


def is_rule(line: str) -> bool:
    """True for a line that only separates a header from rows."""
    return bool(_RULE.fullmatch(line)) and sum(map(line.count, "-─━═=")) >= 3


def split_bars(line: str) -> list[str]:
    """The fields between bars."""
    return [field.strip() for field in _BAR.split(line.strip().strip("|│┃║"))]


def _agree(rows: Sequence[Sequence[str]], width: int, share: float = _SAME_WIDTH) -> bool:
    fitting = sum(1 for row in rows if len(row) == width)
    return width >= 2 and fitting >= share * len(rows)


def _is_header(names: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Names hold no numbers and differ; capitals, or numbers under them, make them a header."""
    if len(set(names)) < len(names) or any(as_number(name) is not None for name in names):
        return False
    if _are_capitals(names):
        return True
    probed = rows[:_PROBED_ROWS]
    for at in range(len(names)):
        column = [row[at] for row in probed if at < len(row)]
        if sum(as_number(field) is not None for field in column) >= 0.8 * len(probed):
            return all(len(name) <= 24 for name in names)
    return False


def _are_capitals(names: Sequence[str]) -> bool:
    return all(_HEADER_WORD.fullmatch(word) for name in names for word in name.split())


def _consecutive(rows: Sequence[int]) -> bool:
    return rows[-1] - rows[0] + 1 == len(rows)


FAMILY = Family("table", _find, _draft, looks_for="at least 4 rows set in columns")
