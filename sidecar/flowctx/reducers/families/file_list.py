"""Lists of files: `find`, `ls -R`, `tree`, `git ls-files`; counts by folder, odd names raw.

Names that are not shown on a line of their own are told in a note beside the
mark, as far as there is room: a model that looks for a file looks for its name.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.columns import judge_column
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.rarity import excess, word_rarity
from flowctx.reducers.select import MUST, Layout, choose_lines, draft_lines

_PATH = re.compile(r"(?:[A-Za-z]:)?[^\s:;,()\[\]{}=<>\"'`|]+/?")
_LOOKS_LIKE_FILE = re.compile(r".*(?:\.[A-Za-z]\w{0,9}|/|/[\w.-]+)$")
_LONG = re.compile(
    r"[-dlcbps][rwxsStT-]{9}[.+@]?\s+\d+\s+\S+\s+\S+\s+([\d,.]+[KMGT]?)\s+"
    r"(?:\d{4}-\d\d-\d\d \d\d:\d\d\S*(?: [+-]\d{4})?|\w{3}\s+\d+\s+[\d:]+"
    r"|\d+\s+\w{3}\s+[\d:]+)\s(.+)"
)
_FOLDER = re.compile(r"([^\s:].*):$")
_TOTAL = re.compile(r"total \d+")
_BRANCH = re.compile(r"[\s│|]*[├└|`+]─?─?[─-]* ?\S|[\s│]*$")
_DRAWN = re.compile("[├└]|[|`]--")
_LISTED = re.compile(f"(?:{_PATH.pattern})\\s*$|{_LONG.pattern}|.*[├└]|.*[|`]--")
_MIN_SAMPLED = 0.6
_MIN_PATHS = 8
_MIN_SHARE = 0.9
_MIN_FOLDERS, _MAX_NAME_CHARS = 2, 255
_NAMED = 6
_MAX_EMPTY, _EMPTY_BONUS = 3, 24.0
_BITS_WEIGHT = 6.0
# Parts of the room for lines, and for the names of files whose lines are left out.
_LINES_SHARE = 0.4
# Headings of folders may take this part of it.
_HEADINGS_SHARE = 0.8
_NAME_SLACK = 40
_HEADING_RANK = 16.0


class _Entry(NamedTuple):
    """A file in a list."""

    at: int
    folder: str
    name: str
    size: float


def _find(case: Case) -> tuple[str, Sequence[_Entry]] | None:
    if len(case.filled) < _MIN_PATHS:
        return None
    if case.sampled_share(_LISTED) >= _MIN_SAMPLED:
        return _read(case)
    return None


def _draft(case: Case, found: tuple[str, Sequence[_Entry]]) -> Draft | None:
    kind, entries = found
    note = _describe_tree(entries) if kind == "tree" else _describe(entries)
    ranks = _rank(case, entries)
    if kind == "long":
        _lower_headings(case, ranks, {entry.at for entry in entries})
    room = case.room - len(note) - 3
    is_noted = kind in ("long", "recursive")
    share = _LINES_SHARE if is_noted else 1.0
    headings = sum(len(case.document.lines[at]) + _NAME_SLACK for at in ranks if ranks[at] >= MUST)
    wanted = max(int(room * share), min(headings, int(room * _HEADINGS_SHARE)))
    chosen = choose_lines(case.document, ranks, wanted)
    notes = {-1: note}
    if is_noted:
        used = sum(len(case.document.lines[at]) + 30 for at in chosen)
        shown = {case.document.lines[at] for at in chosen}
        # A file is never seen under the heading of another folder.
        chosen -= {e.at for e in entries if e.folder and f"{e.folder}:" not in shown}
        notes |= _name_notes(_by_rank(entries, ranks), chosen, shown, room - used)
    return draft_lines(case.document, f"files/{kind}", chosen, Layout(notes))


def _read(case: Case) -> tuple[str, Sequence[_Entry]] | None:
    lines = case.document.lines
    filled = case.filled
    long = _read_long(lines, filled) if any(map(_LONG.match, case.sample)) else []
    if long:
        return "long", long
    recursive = _read_recursive(lines, filled) if _FOLDER.match(lines[filled[0]]) else []
    if recursive:
        return "recursive", recursive
    return _read_paths(case) or _read_tree(case)


def _read_paths(case: Case) -> tuple[str, Sequence[_Entry]] | None:
    """Entries of `find`, one path a line; None for other texts."""
    lines, filled = case.document.lines, case.filled
    if sum(1 for line in case.sample if _LOOKS_LIKE_FILE.match(line.strip())) < _MIN_SAMPLED * len(
        case.sample
    ):
        return None
    plain = [at for at in filled if _PATH.fullmatch(lines[at].strip())]
    telling = sum(1 for at in plain if _LOOKS_LIKE_FILE.match(lines[at].strip()))
    if len(plain) >= _MIN_SHARE * len(filled) and telling >= _MIN_SHARE * len(plain):
        return "paths", [_split(at, lines[at].strip()) for at in plain]
    return None


def _read_tree(case: Case) -> tuple[str, Sequence[_Entry]] | None:
    """Entries of `tree`; None for other texts."""
    lines, filled = case.document.lines, case.filled
    if not any(map(_DRAWN.search, case.sample)):
        return None
    branches = [at for at in filled if _BRANCH.match(lines[at])]
    drawn = sum(1 for at in branches if _DRAWN.search(lines[at]))
    if drawn >= _MIN_PATHS and len(branches) >= 0.8 * len(filled):
        return "tree", [_Entry(at, "", lines[at].strip(" │├└─|`-"), 0.0) for at in branches]
    return None


def _read_long(lines: Sequence[str], filled: Sequence[int]) -> list[_Entry]:
    """Entries of `ls -l`, also recursive; empty for other texts."""
    entries, folder, other = [], "", 0
    for at in filled:
        match = _LONG.match(lines[at])
        heading = _FOLDER.match(lines[at])
        if match:
            if match.group(2) not in (".", ".."):
                entries.append(_Entry(at, folder, match.group(2), _size(match.group(1))))
        elif heading:
            folder = heading.group(1)
        elif not _TOTAL.match(lines[at]):
            other += 1
    return entries if len(entries) >= _MIN_PATHS and other <= 0.1 * len(filled) else []


def _read_recursive(lines: Sequence[str], filled: Sequence[int]) -> list[_Entry]:
    """Entries of `ls -R`, names under the path of their folder; empty for other texts."""
    entries, folder, folders = [], "", 0
    for at in filled:
        heading = _FOLDER.match(lines[at])
        if heading and (at == 0 or not lines[at - 1].strip()):
            folder, folders = heading.group(1), folders + 1
        elif "/" in lines[at].rstrip("/") or len(lines[at]) > _MAX_NAME_CHARS:
            return []
        else:
            entries.append(_Entry(at, folder, lines[at].strip().rstrip("/*@"), 0.0))
    is_list = folders >= _MIN_FOLDERS and len(entries) >= _MIN_PATHS
    return entries if is_list and _FOLDER.match(lines[filled[0]]) else []


def _size(text: str) -> float:
    factor = {"K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}.get(text[-1], 1.0)
    try:
        return float(text.rstrip("KMGT").replace(",", "")) * factor
    except ValueError:
        return 0.0


def _split(at: int, path: str) -> _Entry:
    folder, _, name = path.rstrip("/").rpartition("/")
    return _Entry(at, folder, name, 0.0)


def _rank(case: Case, entries: Sequence[_Entry]) -> dict[int, float]:
    """Headings first; files with odd names, odd endings or great size; one of each folder."""
    lines, total = case.document.lines, len(case.document.lines)
    bits = excess(word_rarity([lines[entry.at] for entry in entries]))
    endings = Counter(_ending(entry.name) for entry in entries)
    largest = sorted((entry.size for entry in entries), reverse=True)[: len(entries) // 12]
    odd = judge_column("", [f"{entry.size:g}" for entry in entries]).scores
    traits = Counter(_traits(lines[entry.at]) for entry in entries)
    few = max(1, len(entries) // 50)
    empty = _empty_files(lines, entries)
    seen: Counter[str] = Counter()
    listed = {entry.at for entry in entries}
    ranks = {at: _line_rank(lines[at]) for at in case.filled if at not in listed}
    for order, (entry, over) in enumerate(zip(entries, bits, strict=True)):
        rank = odd.get(order, 0.0) + 10.0 + _BITS_WEIGHT * over + 4.0 * (1 - entry.at / total)
        if endings[_ending(entry.name)] <= few:
            rank += 12.0
        if traits[_traits(lines[entry.at])] <= few:
            rank += 14.0
        if entry.size and entry.size in largest:
            rank += 14.0
        if entry.at in empty:
            rank += _EMPTY_BONUS
        rank += 10.0 / (1 + seen[entry.folder])
        seen[entry.folder] += 1
        ranks[entry.at] = rank
    return ranks


def _empty_files(lines: Sequence[str], entries: Sequence[_Entry]) -> frozenset[int]:
    """Files without content, where they are few."""
    empty = [entry.at for entry in entries if not entry.size and lines[entry.at].startswith("-")]
    return frozenset(empty if len(empty) <= max(_MAX_EMPTY, len(entries) // 50) else ())


def _lower_headings(case: Case, ranks: dict[int, float], listed: Collection[int]) -> None:
    """Where headings alone would fill the view, those of odd files come first."""
    headings = [at for at, rank in ranks.items() if rank >= MUST and at not in listed]
    if sum(len(case.document.lines[at]) + _NAME_SLACK for at in headings) < case.room // 5:
        return
    heading = -1
    for at in sorted(ranks):
        if at not in listed and ranks[at] >= MUST:
            ranks[at], heading = _HEADING_RANK, at
        elif at in listed and heading >= 0:
            ranks[heading] = max(ranks[heading], ranks[at] - 0.5)


def _traits(line: str) -> tuple[str, ...]:
    """Mode, owner and group of a file in a long list; empty elsewhere."""
    words = line.split(maxsplit=4)
    return (words[0], words[2], words[3]) if len(words) == 5 and _LONG.match(line) else ()


def _line_rank(line: str) -> float:
    """Headings and summaries are facts; the sizes of folders, and the folder itself, are not."""
    return 4.0 if _TOTAL.match(line) or _LONG.match(line) else MUST


def _describe(entries: Sequence[_Entry]) -> str:
    folders = Counter(entry.folder for entry in entries)
    endings = Counter(_ending(entry.name) for entry in entries)
    named = ", ".join(f"{folder or '.'} {count}" for folder, count in folders.most_common(_NAMED))
    kinds = ", ".join(f"{ending} {count}" for ending, count in endings.most_common(_NAMED))
    unit = "folder" if len(folders) == 1 else "folders"
    more = f", {len(folders) - _NAMED} more" if len(folders) > _NAMED else ""
    return f"{len(entries)} entries in {len(folders)} {unit}: {named}{more}; endings: {kinds}"


def _describe_tree(entries: Sequence[_Entry]) -> str:
    """The lines of a drawing, which may be files, packages or anything else."""
    endings = Counter(_ending(entry.name) for entry in entries)
    told = f"{len(entries)} entries"
    if endings["none"] > len(entries) / 2:
        return told
    return f"{told}; endings: {', '.join(f'{e} {n}' for e, n in endings.most_common(_NAMED))}"


def _ending(name: str) -> str:
    stem, dot, ending = name.rpartition(".")
    is_ending = dot and stem and len(ending) <= 10 and not ending.isdigit()
    return f".{ending}" if is_ending else "none"


def _name_notes(
    entries: Sequence[_Entry], chosen: frozenset[int], headings: Collection[str], room: int
) -> Mapping[int, str]:
    """Per folder the names of files whose lines are not shown, as many as fit."""
    hidden: defaultdict[str, list[_Entry]] = defaultdict(list)
    for entry in entries:
        if entry.at not in chosen:
            hidden[entry.folder].append(entry)
    wanted = {folder: sum(len(e.name) + 2 for e in each) for folder, each in hidden.items()}
    notes: dict[int, str] = {}
    left = room
    for order, folder in enumerate(sorted(hidden, key=lambda name: (wanted[name], name))):
        share = left // (len(hidden) - order) - _NAME_SLACK
        named = _fitting(hidden[folder], share)
        first = min(entry.at for entry in hidden[folder])
        if named:
            more = len(hidden[folder]) - len(named)
            text = ", ".join(entry.name for entry in sorted(named))
            # A folder whose heading is not shown is named here.
            place = "here" if not folder or f"{folder}:" in headings else f"in {folder}"
            notes[first] = f"also {place}: {text}" + (f", {more} more" if more else "")
            left -= len(notes[first]) + _NAME_SLACK
    return notes


def _by_rank(entries: Sequence[_Entry], ranks: Mapping[int, float]) -> list[_Entry]:
    """Large files first, then odd names."""
    return sorted(entries, key=lambda entry: (-entry.size, -ranks[entry.at], entry.at))


def _fitting(entries: Sequence[_Entry], room: int) -> list[_Entry]:
    named = []
    for entry in entries:
        room -= len(entry.name) + 2
        if room < 0:
            break
        named.append(entry)
    return named


FAMILY = Family("files", _find, _draft, looks_for="paths in 90 % of the lines, at least 8")
