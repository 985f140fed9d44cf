"""Settings and specifications: YAML, TOML, INI, OpenAPI, Kubernetes, properties.

Names, kinds and paths first, the shallow before the deep; then values that are
unusual for their place, with the lines they stand under.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import takewhile

from flowctx.errors import RuleTableError
from flowctx.reducers.case import Case, remembered
from flowctx.reducers.draft import Draft
from flowctx.reducers.encoded import encoded_lines, is_encoded
from flowctx.reducers.families.family import Family
from flowctx.reducers.indentation import Row, odd_values, rare_keys, read_rows
from flowctx.reducers.keyed_lines import reads_like_prose, tells_progress
from flowctx.reducers.names import names_room, tell_names
from flowctx.reducers.rules import read_pattern, read_rules
from flowctx.reducers.select import Budget, Layout, choose_lines, draft_lines
from flowctx.reducers.settings_note import describe_settings
from flowctx.reducers.states import Told, told_by

_SETTING = re.compile(
    r"\s*(?:(?:- +)*[\"']?[\w$@/*~+.<>{}-]+(?: [\w(){}.-]+){0,3}[\"']?\s*(?::(?:\s|$)|=)"
    r"|- |[#;]|//|\[.+\]\s*$|---|\.\.\.$|[\]})],?;?$|.*[{\[]$)"
)
_KEYED = re.compile(r"\s*(?:- +)*[\"']?[\w$@/*~+.{}-]+[\"']?(?: \w+){0,2}\s*(?::(?:\s|$)|=)")
# A list of bare words, paths for one, under a key of its own.
_ITEM = re.compile(r"\s*- \S+$|[\w-]+:(?:\s|$)")
_LIST_KEY = re.compile(r"^[\w-]+:$", re.MULTILINE)
_SECTION = re.compile(r"\[.+\]\s*$", re.MULTILINE)
# Metrics as Prometheus reads them: a name, labels in braces, a number.
_MEASURED, _MEASURED_SHARE = re.compile(r"[\w:.]+\{[^{}]*\} [-+\d.NI]"), 0.4
_MIN_SHARE, _MIN_KEYED = 0.88, 0.45
# Beside blocks of bytes there are few lines to judge by.
_MIN_SHARE_BESIDE = 0.7
_REMARK, _MAX_REMARK = re.compile(r"\s*(?:#|//|;|/\*)"), 3
_MIN_LINES = 12
_DEPTH_COST = 3.5
_TOP_RANK = 24.0
_ODD_RANK, _BITS_WEIGHT = 22.0, 4.0
_COMMENT_RANK, _BRACKET_RANK = 3.0, 0.5
_STATUS_KEY, _STATE_RANK = "status", 40.0
_MIN_COUNTERS, _COUNTERS_SHARE = 30, 0.8
_REPEAT_COST = 1.5
# Parts of a document of so few lines, where all of them together take no more than that.
_BRIEF_LINES, _MAX_BRIEF, _MAX_BRIEF_SHARE, _BRIEF_RANK = 6, 20, 0.2, 42.0
_HEADING_REACH = 8
_FINAL, _FINAL_RANK = 3, 60.0
# A line that was shown word for word before.
_SAID_RANK = 4.0
_MAX_ODD_ITEMS = 4
_MIN_NAMED = 12
_MIN_BARE = 5


@remembered
def _find(case: Case) -> list[Row] | None:
    if len(case.filled) < _MIN_LINES or case.sampled_share(_MEASURED) >= _MEASURED_SHARE:
        return None
    # Blocks of bytes are values of the keys above them.
    aside = _bytes_of(case, case.sampled)
    if case.sampled_share(_SETTING, aside) < (_MIN_SHARE_BESIDE if aside else _MIN_SHARE):
        return None
    is_keyed = case.sampled_share(_KEYED, aside) >= _MIN_KEYED
    is_list = case.sampled_share(_ITEM) >= _MIN_SHARE and bool(_LIST_KEY.search(case.document.text))
    rows = read_rows(case.plain_lines) if is_keyed or is_list else []
    if not rows or reads_like_prose(rows):
        return None
    return None if _syntax(case) == "yaml" and tells_progress(rows) else rows


def _bytes_of(case: Case, lines: Iterable[int]) -> frozenset[int]:
    """Those of some lines that are bytes, where there are blocks of such."""
    held = lines if encoded_lines(case) else ()
    return frozenset(at for at in held if is_encoded(case.document.lines[at]))


def _draft(case: Case, rows: list[Row]) -> Draft | None:
    note = describe_settings(case, rows)
    ranks = _ranks(case)
    room = case.room - len(note) - 3
    chosen = choose_lines(case.document, ranks, room, floor=1.0)
    aside = _bytes_of(case, case.filled)
    named = _names([row for row in rows if row.at not in aside])
    told_room = names_room([row.key for row in named], room)
    if any(row.at not in chosen for row in named):
        room -= told_room
        chosen = choose_lines(case.document, ranks, room, floor=1.0)
    if bare := _bare_heads(case, rows, chosen):
        ranks = {at: rank for at, rank in ranks.items() if at not in bare}
        chosen = Budget(case.document, room).choose(ranks, floor=1.0, kept=chosen - bare)
    hidden = [row for row in named if row.at not in chosen]
    notes = {-1: note}
    if told := tell_names([row.key for row in hidden], told_room):
        notes[hidden[0].at] = told
    return draft_lines(case.document, f"config/{_syntax(case)}", chosen, Layout(notes))


def _bare_heads(case: Case, rows: Sequence[Row], chosen: Collection[int]) -> set[int]:
    """Items without a value that nothing is shown under, where many read the same."""
    lines = case.document.lines
    items = (row.at for row in rows if not row.value and lines[row.at].lstrip()[:2] == "- ")
    said = Counter(lines[at] for at in items)
    bare = {row.at for row in rows if said[lines[row.at]] >= _MIN_BARE}
    return bare.difference(row.parent for row in rows if row.at in chosen)


def _names(rows: Sequence[Row]) -> list[Row]:
    """The largest group of siblings whose keys are names of their own: paths, services, targets."""
    below: defaultdict[int, list[Row]] = defaultdict(list)
    for row in rows:
        if row.key and not row.key.startswith("["):
            below[row.parent].append(row)
    largest = max(below.values(), key=len, default=[])
    is_named = len(largest) >= _MIN_NAMED and len({row.key for row in largest}) == len(largest)
    return largest if is_named else []


def _syntax(case: Case) -> str:
    """The format, as far as its lines tell it."""
    text = case.glance
    assigned = len(re.findall(r"^[ \t]*[\w.\"-]+[ \t]*=", text, re.MULTILINE))
    colons = len(re.findall(r"^[ \t]*(?:- )*[\w.\"'/-]+:(?:\s|$)", text, re.MULTILINE))
    if colons >= assigned:
        return "yaml"
    if not _SECTION.search(text):
        return "properties"
    return "toml" if re.search(r"=[ \t]*[\"'\[{]", text) else "ini"


@remembered
def _ranks(case: Case) -> Mapping[int, float]:
    """Rank of every line; in every room the same."""
    return _rank(case, _find(case) or ())


def _rank(case: Case, rows: Sequence[Row]) -> dict[int, float]:
    aside, encoded = _bytes_of(case, case.filled), encoded_lines(case)
    odd = odd_values([row for row in rows if row.at not in aside] if aside else rows)
    rare = rare_keys(rows)
    unusual = {at: odd.get(at, 0.0) + rare.get(at, 0.0) for at in {*odd, *rare}}
    seen: Counter[tuple[int, str]] = Counter()
    said: set[str] = set()
    ranks: dict[int, float] = {}
    for row in rows:
        text = case.document.lines[row.at].strip()
        rank = _plain_rank(row, text)
        if rank > _COMMENT_RANK:
            rank = max(rank - _REPEAT_COST * min(seen[row.depth, row.key], 6), 1.5)
            rank = min(rank, _SAID_RANK) if text in said else rank
        if row.at in unusual:
            rank = max(rank, _ODD_RANK + _BITS_WEIGHT * unusual[row.at])
        seen[row.depth, row.key] += 1
        said.add(text)
        rank = _BRACKET_RANK if row.at in encoded else rank
        ranks[row.at] = rank + (6.0 if row.at in case.cue_lines else 0.0)
    if case.failed:
        # What a program that failed says last.
        ranks.update((at, max(ranks.get(at, 0.0), _FINAL_RANK)) for at in case.filled[-_FINAL:])
    for at in _opening_remark(case):
        ranks[at] = max(ranks.get(at, 0.0), _BRIEF_RANK)
    for row in _brief(rows):
        if ranks[row.at] > _COMMENT_RANK:
            ranks[row.at] = max(ranks[row.at], _BRIEF_RANK - row.depth)
    for row in _states(rows):
        ranks[row.at] = max(ranks[row.at], _STATE_RANK)
        unusual.setdefault(row.at, 0.0)
    _raise_items(rows, ranks, unusual)
    _raise_below(rows, ranks, rare)
    _raise_headings(rows, ranks, set(unusual))
    return ranks


def _plain_rank(row: Row, text: str) -> float:
    """What a line is worth by its kind, depth and key."""
    if not row.key and text.strip("[]{}(),;-") == "":
        return _BRACKET_RANK
    if text[:1] in "#;" or text.startswith("//"):
        return _COMMENT_RANK
    return max(_TOP_RANK - _DEPTH_COST * row.depth + _key_rank(row.key), 2.0)


def _opening_remark(case: Case) -> list[int]:
    """The comment that a file begins with, its first lines."""
    opening = case.filled[:_MAX_REMARK]
    remarks = takewhile(lambda at: _REMARK.match(case.document.lines[at]), opening)
    return list(remarks)


def _brief(rows: Sequence[Row]) -> list[Row]:
    """What a document says in a few lines of its own beside its large parts: title, version."""
    items = _items(rows)
    sizes = Counter(items.values())
    brief = [row for row in rows if sizes[items[row.at]] <= _BRIEF_LINES]
    is_beside = len(brief) <= min(_MAX_BRIEF, _MAX_BRIEF_SHARE * len(rows))
    return brief if is_beside else []


def _states(rows: Sequence[Row]) -> list[Row]:
    """What is not well in the part of a manifest that tells how the thing is, or in counters."""
    items, valued = _items(rows), [row for row in rows if row.key and row.value]
    status = {row.at for row in rows if row.key == _STATUS_KEY and row.depth == 0}
    counts = sum(1 for row in valued if row.value.isdecimal())
    are_counters = counts >= max(_MIN_COUNTERS, _COUNTERS_SHARE * len(valued))
    held = (row for row in valued if are_counters or items[row.at] in status)
    told = {row.at: told_by(row.key, row.value.strip("\"'")) for row in held}
    return [row for row in rows if told.get(row.at, Told.NOTHING) >= Told.STATE]


def _raise_items(
    rows: Sequence[Row], ranks: dict[int, float], unusual: Mapping[int, float]
) -> None:
    """A document or top item that holds something unusual is worth seeing as a whole."""
    items = _items(rows)
    weight: Counter[int] = Counter()
    for at, bits in unusual.items():
        weight[items[at]] += int(bits)
    usual = sorted(weight.values())[len(weight) // 2] if len(weight) > 2 else 0
    odd = {item for item, bits in weight.most_common(_MAX_ODD_ITEMS) if bits > usual + 4}
    for row in rows:
        if items[row.at] in odd and ranks[row.at] > _BRACKET_RANK:
            ranks[row.at] = max(ranks[row.at], _ODD_RANK - 0.2 * row.depth)


def _raise_below(rows: Sequence[Row], ranks: dict[int, float], rare: Mapping[int, float]) -> None:
    """What stands under a key that no other place has is as unusual as the key."""
    raised: dict[int, float] = {}
    for row in rows:
        above = ranks[row.parent] if row.parent in rare else raised.get(row.parent, 0.0)
        if above > _ODD_RANK and ranks[row.at] > _BRACKET_RANK:
            raised[row.at] = above - 1.0
            ranks[row.at] = max(ranks[row.at], raised[row.at])


def _items(rows: Sequence[Row]) -> dict[int, int]:
    """The document of a stream, or else the top key, that each line belongs to."""
    has_documents = sum(1 for row in rows if not row.key and not row.value and row.depth == 0) > 1
    item, items = -1, {}
    for row in rows:
        is_border = not row.key and not row.value and row.depth == 0
        if is_border if has_documents else row.depth == 0:
            item = row.at
        items[row.at] = item
    return items


def _raise_headings(rows: Sequence[Row], ranks: dict[int, float], told: set[int]) -> None:
    """An unusual value is told with what it stands under, the nearest first."""
    by_line = {row.at: row for row in rows}
    for at in told:
        rank, row = ranks[at], by_line[at]
        for _ in range(_HEADING_REACH):
            if row.parent < 0:
                break
            row = by_line[row.parent]
            rank -= 0.5
            ranks[row.at] = max(ranks[row.at], rank)
    _raise_names(rows, ranks, told)


def _raise_names(rows: Sequence[Row], ranks: dict[int, float], told: set[int]) -> None:
    """And with the name of the document or item it belongs to, which stands before it."""
    name = -1
    names: dict[int, int] = {}
    for row in rows:
        if not row.key and row.depth == 0:
            name = -1
        if row.key in ("name", "kind", "id", "title") and row.depth <= 1 and name < 0:
            name = row.at
        names[row.at] = name
    for at in told:
        if names[at] >= 0:
            ranks[names[at]] = max(ranks[names[at]], ranks[at] - 0.25)


@lru_cache(maxsize=4096)
def _key_rank(key: str) -> float:
    return next((rank for pattern, rank in _known_keys() if pattern.fullmatch(key)), 0.0)


@cache
def _known_keys() -> tuple[tuple[re.Pattern[str], float], ...]:
    found = []
    for rule in read_rules("outline", "key"):
        pattern, rank = read_pattern("outline", rule, "pattern"), rule.get("rank")
        if pattern is None or not isinstance(rank, int):
            raise RuleTableError("pattern or rank missing", file="outline.toml", rule=rule["id"])
        found.append((pattern, float(rank)))
    return tuple(found)


FAMILY = Family(
    "config", _find, _draft, looks_for="settings: keys with values, nested or in sections"
)
