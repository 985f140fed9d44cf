"""What a program tells of one thing, for people: `kubectl describe`, `systemctl show`, `lscpu`.

Keys and values, nested or not, often set in columns, with small tables below
some keys. Its state and the reasons of that come first, then what it is and
what it may take; addresses and labels come last.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from flowctx.reducers.case import Case
from flowctx.reducers.columns import judge_column, score_rows
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.indentation import Row, odd_values, read_rows
from flowctx.reducers.select import choose_lines, draft_lines
from flowctx.reducers.states import Told, is_state, told_by

_MIN_LINES, _MAX_LINES = 14, 1500
# A key, and a value that stands where those above and below it do.
_KEY = re.compile(r"\s*[A-Z][\w .()'/#-]{1,48}\s*:(?:\s|$)|[A-Z][A-Za-z\d]{3,48}=")
_SET = re.compile(
    r"\s*[A-Za-z][\w .()'/#-]{1,48}(?::\s{2,}|\s{1,} : ?|\s{2,}: )\S|[A-Z][A-Za-z\d]+="
)
_KEYED_SHARE, _SET_SHARE, _MIN_STATES = 0.45, 0.4, 3
_BELOW = re.compile(r"\s{2,}(?![A-Za-z][\w .()/-]{1,48}:(?:\s|$))(?:\S.*?\s{2,}\S|\s{10,}\S)")
_LEAST_KEYED, _TABLES_SHARE = 0.2, 0.8
# Who says what, and no state.
_SPOKEN_WORDS, _MAX_SPOKEN = 6, 0.35
# How values of settings begin that somebody wrote.
_WRITTEN = ('"', "'", "!", "{", "[", "|", ">", "&", "*", "$")
_STATE_TABLES = ("Conditions", "Events")
_GAP = re.compile(r"\s{2,}|\t+")
_MIN_CELLS, _MIN_JUDGED = 3, 6
_RANKS = {
    Told.NOTHING: 1.0,
    Told.DETAIL: 13.0,
    Told.SIZE: 24.0,
    Told.NAME: 28.0,
    Told.WELL: 30.0,
    Told.STATE: 52.0,
    Told.WHY: 56.0,
}
_DEPTH_COSTS = dict.fromkeys(Told, 1.0) | {Told.SIZE: 3.0, Told.NAME: 3.0, Told.WELL: 3.5}
_MOST_DEPTH_COST = 7.0
_FADING, _BESIDE_TROUBLE, _BADLY = 0.75, 34.0, (Told.STATE, Told.WHY)
_ODD_RANK, _MAX_BITS, _ODD_SIBLING_RANK = 18.0, 8.0, 36.0
_CONTINUED_RANK, _HEADER_RANK, _FIRST_LINE_RANK = 5.0, 21.0, 40.0
_TROUBLE_RANK, _LAST_RANK, _FIRST_RANK, _ROW_RANK, _AGAIN_COST = 54.0, 44.0, 30.0, 12.0, 6.0
_HEAD_COST, _LEAST_RAISED = 0.5, 20.0
_PLAIN_NUMBER, _MIN_NUMBERS, _NUMBERS_SHARE = re.compile(r"[-+]?[\d.,]+"), 8, 0.8
# What is told of a row of a table by how often it happened.
_TIMES = re.compile(r"\(x\d{2,} ")
# And what is nearly used up.
_FULL = re.compile(r"(?<![\d.])(?:9\d|\d{3})(?:\.\d+)?%")
_ILL_WORDS = re.compile(
    r"\b(?:False|Unknown|Warning|Degraded|DEGRADED|FAULTED|OFFLINE|OutOfSync|Missing"
    r"|rebuilding|faulty|removed)\b"
)


def _find(case: Case) -> list[Row] | None:
    if not _MIN_LINES <= len(case.filled) <= _MAX_LINES:
        return None
    keyed = case.sampled_share(_KEY)
    if keyed < _KEYED_SHARE and not _holds_tables(case, keyed):
        return None
    rows = read_rows(case.plain_lines)
    spoken = sum(1 for row in rows if row.key and len(row.value.split()) >= _SPOKEN_WORDS)
    if spoken > _MAX_SPOKEN * len(rows) or any(row.key == "apiVersion" for row in rows):
        return None
    states = {row.key for row in rows if _may_be_state(case, row)}
    is_set = case.sampled_share(_SET) >= _SET_SHARE or _tells_states(case, rows)
    if not is_set and any(row.value.startswith(_WRITTEN) for row in rows):
        return None
    return rows if len(states) >= (1 if is_set else _MIN_STATES) else None


def _may_be_state(case: Case, row: Row) -> bool:
    return is_state(row.key) or (bool(row.key) and row.at in case.cue_lines)


def _tells_states(case: Case, rows: Sequence[Row]) -> bool:
    """True where a table of events or conditions stands below a key."""
    return any(
        row.key in _STATE_TABLES and not row.value and _is_cells(case.plain_lines[below.at])
        for row, below in pairwise(rows)
    )


def _holds_tables(case: Case, keyed: float) -> bool:
    """True where what is no key is a row of a table below one, or goes on with a value."""
    beside = case.sampled_share(_BELOW)
    return keyed >= _LEAST_KEYED and keyed + beside >= _TABLES_SHARE


def _draft(case: Case, rows: list[Row]) -> Draft:
    return draft_lines(
        case.document, "state", choose_lines(case.document, _rank(case, rows), case.room, floor=1.0)
    )


def _rank(case: Case, rows: Sequence[Row]) -> dict[int, float]:
    tables = [table for table in _tables(case, rows) if len(table) > 1]
    celled = {row.at for table in tables for row in table}
    keyed = [row for row in rows if row.at not in celled]
    ranks = dict(_rank_keyed(keyed))
    for row in _ended_well(keyed):
        ranks[row.at] = _RANKS[Told.WELL] - row.depth
    for row in _beside_trouble(keyed):
        ranks[row.at] = max(ranks[row.at], _BESIDE_TROUBLE)
    for at, bits in odd_values(keyed).items():
        ranks[at] = max(ranks[at], _ODD_RANK + min(bits, _MAX_BITS))
    for at in _odd_siblings(keyed):
        ranks[at] = max(ranks[at], _ODD_SIBLING_RANK)
    for table in tables:
        ranks |= _rank_table(case, table, _parent_key(rows, table[0]))
    for row in keyed:
        if row.at in case.cue_lines and any(_is_in_value(case, row)):
            ranks[row.at] = max(ranks[row.at], _TROUBLE_RANK)
    if _tells(rows[0]) is Told.NAME:
        ranks[rows[0].at] = max(ranks[rows[0].at], _FIRST_LINE_RANK)
    _raise_heads(rows, ranks)
    return ranks


def _rank_keyed(rows: Sequence[Row]) -> Iterator[tuple[int, float]]:
    """What each key tells of the state; the same said again tells less."""
    seen: dict[tuple[str, str], int] = {}
    for row in rows:
        told = _tells(row)
        rank = _RANKS[told] - min(_DEPTH_COSTS[told] * row.depth, _MOST_DEPTH_COST)
        rank = rank if row.key else _CONTINUED_RANK
        said = (row.key, row.value) if told >= Told.STATE else ("", row.value)
        said = said if is_state(row.key) else (row.key, "")
        again = seen[said] = seen.get(said, -1) + 1
        yield row.at, max(rank * _FADING**again, 1.0)


def _beside_trouble(rows: Sequence[Row]) -> Iterator[Row]:
    """What a part of the thing is, and may take, that is not well itself."""
    part, parts = -1, {}
    for row in rows:
        part = row.at if row.depth <= 1 else part
        parts[row.at] = part
    well = set(_ended_well(rows))
    ill = (row for row in rows if row.depth > 1 and _tells(row) in _BADLY and row not in well)
    troubled = {parts[row.at] for row in ill}
    for row in rows:
        if row.depth > 1 and parts[row.at] in troubled and _tells(row) in (Told.NAME, Told.SIZE):
            yield row


def _ended_well(rows: Sequence[Row]) -> Iterator[Row]:
    """States whose reasons, told below them, are good ones."""
    below: dict[int, list[Told]] = {}
    for row in rows:
        if row.value and is_state(row.key):
            below.setdefault(row.parent, []).append(_tells(row))
    for row in rows:
        if row.at in below and _tells(row) is Told.STATE and max(below[row.at]) < Told.STATE:
            yield row


def _tells(row: Row) -> Told:
    return told_by(row.key, row.value) if row.key and row.value else Told.DETAIL


def _is_in_value(case: Case, row: Row) -> Iterator[bool]:
    """Of each cue of a line, whether it stands in the value."""
    start = case.document.starts[row.at]
    begins = start + case.document.lines[row.at].find(row.value)
    end = case.document.line_end(row.at)
    return (begins <= cue.start < end for cue in case.cues)


def _odd_siblings(rows: Sequence[Row]) -> Iterator[int]:
    """The few values that are no mere numbers, under a key where nearly all are."""
    for _, held in groupby(rows, key=lambda row: row.parent):
        group = [row for row in held if row.key and row.value]
        others = [row for row in group if not _PLAIN_NUMBER.fullmatch(row.value)]
        if len(group) >= _MIN_NUMBERS and len(others) <= (1 - _NUMBERS_SHARE) * len(group):
            yield from (row.at for row in others)


def _tables(case: Case, rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Lines set in columns one after the other, of the same indentation."""
    for is_cells, held in groupby(rows, key=lambda row: _is_cells(case.plain_lines[row.at])):
        if is_cells:
            for _, group in groupby(held, key=lambda row: row.parent):
                yield list(group)


def _is_cells(line: str) -> bool:
    cells = _GAP.split(line.strip())
    return len(cells) > 1 and ":" not in cells[0] and "=" not in cells[0] and cells[1][:1] != ":"


def _parent_key(rows: Sequence[Row], row: Row) -> str:
    return next((each.key for each in rows if each.at == row.parent), "").lower()


def _rank_table(case: Case, table: Sequence[Row], key: str) -> dict[int, float]:
    """The rows of a small table: what went wrong, what often, what last; then the odd ones."""
    cells = [_GAP.split(case.plain_lines[row.at].strip()) for row in table]
    odd = _odd_cells(cells[1:])
    seen: dict[str, int] = {}
    ranks = {}
    for order, row in enumerate(table):
        line = case.plain_lines[row.at]
        rank = _ROW_RANK + 2 * order / len(table) + odd.get(order - 1, 0.0)
        if row.at in case.cue_lines or _ILL_WORDS.search(line):
            shape = case.masked[row.at]
            rank = max(rank, _TROUBLE_RANK - _AGAIN_COST * seen.get(shape, 0))
            seen[shape] = seen.get(shape, 0) + 1
        if _TIMES.search(line) or _FULL.search(line):
            rank = max(rank, _LAST_RANK + 2.0)
        if key == "conditions":
            rank = max(rank, _FIRST_RANK)
        ranks[row.at] = rank
    if key == "events":
        for before, row in enumerate(reversed(table[1:])):
            ranks[row.at] = max(ranks[row.at], _LAST_RANK - _AGAIN_COST * before)
    ranks[table[0].at] = min(max(ranks.values()), _HEADER_RANK)
    if not any(map(str.isalnum, case.plain_lines[table[1].at])):
        ranks[table[1].at] = _CONTINUED_RANK
    return ranks


def _odd_cells(cells: Sequence[Sequence[str]]) -> dict[int, float]:
    if len(cells) < _MIN_JUDGED:
        return {}
    columns = zip(*cells, strict=False)
    scores = score_rows(judge_column("", column) for column in columns)
    return {at: _ODD_RANK + min(bits, _MAX_BITS) for at, bits in scores.items() if bits > 2}


def _raise_heads(rows: Sequence[Row], ranks: dict[int, float]) -> None:
    """What a telling line stands under goes with it."""
    parents = {row.at: row.parent for row in rows}
    for row in sorted(rows, key=lambda row: -ranks[row.at]):
        above, rank = row.parent, ranks[row.at]
        while above >= 0 and rank > _LEAST_RAISED:
            rank -= _HEAD_COST
            ranks[above] = max(ranks[above], rank)
            above = parents[above]


FAMILY = Family("state", _find, _draft, looks_for="keys and values that tell the state of a thing")
