"""Unified diffs and `git show`: every file, then hunk headers, then changed lines, oddest first.

A file is named by its path line, with its own count of changed lines beside
it; the names are facts and may take more room than a view has. No changed
line is shown without its file and its hunk.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.patch import FileDiff, LineKind, classify, is_meta, read_files
from flowctx.reducers.rarity import excess, shape_rarity, word_rarity
from flowctx.reducers.reformatting import layout_lines
from flowctx.reducers.select import MUST, Budget, Layout, draft_lines

_STARTS = ("@@ ", "diff ", "--- ", "Index: ", "commit ", "From ")
_MIN_SHARE = 0.9
# The message of a commit in front of its diff may be long.
_MIN_SHARE_OF_COMMIT = 0.4
_COMMIT = re.compile(r"commit [0-9a-f]{7,64}\b|From [0-9a-f]{40} ")
_RANKS: dict[LineKind, float] = {
    "file": 22.0,
    "fact": 20.0,
    "path": 70.0,
    "hunk": 52.0,
    "added": 40.0,
    "removed": 40.0,
    "context": 4.0,
    "other": MUST + 10,
}
_BITS_WEIGHT, _SHAPE_WEIGHT = 6.0, 0.5
_PAIR_LINES = 6
_CHANGED = ("added", "removed")
# Changed lines from this rank on use words that other changes do not.
_ODD_RANK = 46.0
# Parts of the room for odd changes, less where all hunks can be named beside them, and for both.
_MIN_ODD_SHARE, _MAX_ODD_SHARE, _HUNK_SHARE = 0.25, 0.5, 0.97
_MIN_ODD_CHARS = 320
_ODD_HUNKS = 24
_DEMOTED, _META_RANK = 12.0, 2.0
_LAYOUT_RANK = 6.0
# Lines around a diff beyond its head: the message of a commit, mostly.
_HEAD_LINES, _FURTHER_RANK = 12, 25.0
_FLOOR = 3.0
# Files from which on marks are short ("[… 30 lines omitted …]"), and are told by folder.
_MANY_FILES, _MANY_HUNKS, _MAX_FILES = 12, 12, 150
_MARK_CHARS, _SHORT_MARK_CHARS = 32, 24
# The headers of so few files are shown whole.
_FEW_FILES = 4
_FOLDER_CHARS = 1600
# What there is at least beside the names of files, however many there are.
_MIN_BESIDE = 500
# The counts of a diff are exact up to this many lines.
_WHOLE_UP_TO = 12_000


class _Diff(NamedTuple):
    """A diff with its lines told apart, and those that only lay out anew what stays the same."""

    lines: Sequence[str]
    kinds: Sequence[LineKind]
    files: Sequence[FileDiff]
    layout: frozenset[int]

    @property
    def has_many(self) -> bool:
        """Too many files or hunks for marks that say which lines they stand for."""
        hunks = sum(len(file.hunks) for file in self.files)
        return len(self.files) > _MANY_FILES or hunks > _MANY_HUNKS

    @property
    def is_counted(self) -> bool:
        """Too many files to name each."""
        return len(self.files) > _MAX_FILES


def _find(case: Case) -> _Diff | None:
    text, lines = case.document.text, case.document.lines
    if not text.startswith(_STARTS) and "\n@@ " not in text and "\ndiff --" not in text:
        return None
    kinds = list(classify(lines))
    if "hunk" not in kinds and "fact" not in kinds:
        return None
    inside = sum(1 for at in case.filled if kinds[at] != "other")
    needed = _MIN_SHARE_OF_COMMIT if _COMMIT.match(text) else _MIN_SHARE
    if inside < needed * len(case.filled):
        return None
    layout = layout_lines(lines, _blocks(_changed(kinds)))
    return _Diff(lines, kinds, read_files(lines, kinds), layout)


def _draft(case: Case, diff: _Diff) -> Draft | None:
    note = _describe(diff)
    room = case.room - len(note) - 3
    ranks = _rank(diff)
    names = _names(diff, ranks)
    mark_chars = _SHORT_MARK_CHARS if diff.has_many else _MARK_CHARS
    needed = sum(len(diff.lines[at]) + 1 + mark_chars for at in names)
    needed += sum(len(each) + 3 for each in _counts(diff, frozenset()).values())
    limit = max(room, needed + _MIN_BESIDE) if names else room
    chosen = _choose(case, diff, ranks, (names, limit - needed))
    at = next((at for at, kind in enumerate(diff.kinds) if kind != "other"), 0)
    layout = Layout({at: note, **_counts(diff, chosen)}, places=not diff.has_many)
    draft = draft_lines(case.document, "diff", chosen, layout)
    return draft.exceeding() if limit > room else draft


def _rank(diff: _Diff) -> dict[int, float]:
    """Rank of each line by what it is and how odd its words are among the changes."""
    lines, kinds = diff.lines, diff.kinds
    ranks = {at: _RANKS[kind] for at, kind in enumerate(kinds) if lines[at].strip(" \t+-")}
    ranks.update((at, _META_RANK) for at in ranks if kinds[at] == "file" and is_meta(lines[at]))
    ranks.update((at, _DEMOTED) for at in ranks if kinds[at] == "path")
    if diff.has_many:
        # The header of a new file's only hunk says no more than its count.
        ranks.update((file.hunks[0], _DEMOTED) for file in diff.files if file.is_one_sided)
    ranks.update(_further_text(diff, ranks))
    _raise_odd(diff, ranks)
    return ranks


def _further_text(diff: _Diff, ranks: Iterable[int]) -> Iterator[tuple[int, float]]:
    """Messages are told by their head; of further commits the first and the subject count."""
    others = [at for at in ranks if diff.kinds[at] == "other"]
    left = 0
    for at in others[_HEAD_LINES:]:
        left = 4 if _COMMIT.match(diff.lines[at]) else left - 1
        is_head = left == 4 or (left >= 0 and diff.lines[at].startswith((" ", "Subject:")))
        left = 0 if is_head and left < 4 else left
        yield at, _RANKS["other"] if is_head else _FURTHER_RANK


def _names(diff: _Diff, ranks: dict[int, float]) -> list[int]:
    """Lines that must be seen: which file it is, and what stands around the diff."""
    whole = len(diff.files) <= _FEW_FILES
    named = [at for f in diff.files for at in (f.header if whole else f.names(diff.lines))]
    for at in named:
        ranks[at] = max(ranks.get(at, 0.0), _RANKS["path"])
    text = [at for at, rank in ranks.items() if diff.kinds[at] == "other" and rank >= MUST]
    return [] if diff.is_counted else sorted({*named, *text})


def _choose(
    case: Case, diff: _Diff, ranks: Mapping[int, float], kept: tuple[Sequence[int], int]
) -> frozenset[int]:
    """What must be seen, odd changes, then hunk after hunk, then the rest."""
    (names, left), kinds = kept, diff.kinds
    mark_chars = _SHORT_MARK_CHARS if diff.has_many else _MARK_CHARS
    document, chosen = case.document, frozenset(names)
    taken = sum(_cost(diff, at, mark_chars) for at in chosen)
    headings = {
        at: rank
        for at, rank in ranks.items()
        if rank >= _RANKS["hunk"] and kinds[at] not in _CHANGED
    }
    needed = sum(_cost(diff, at, mark_chars) for at in headings if at not in chosen)
    odd_share = min(max(1 - needed / max(left, 1), _MIN_ODD_SHARE), _MAX_ODD_SHARE)
    odd_share = max(odd_share, min(_MIN_ODD_CHARS / max(left, 1), 1.0))
    budget = Budget(document, taken + int(left * odd_share), mark_chars)
    for hunk in _odd_hunks(diff, ranks):
        more = budget.choose(hunk, kept=chosen)
        chosen = more if any(kinds[at] in _CHANGED for at in more - chosen) else chosen
    for wanted, share in ((headings, _HUNK_SHARE), (ranks, 1.0)):
        budget = Budget(document, taken + int(left * share), mark_chars)
        chosen = _with_headings(diff, budget.choose(wanted, floor=_FLOOR, kept=chosen))
    return chosen


def _cost(diff: _Diff, at: int, mark_chars: int) -> int:
    return len(diff.lines[at]) + 1 + mark_chars


def _odd_hunks(diff: _Diff, ranks: Mapping[int, float]) -> list[dict[int, float]]:
    """The hunks with the oddest changes: those, with the header and the file before them."""
    found: list[tuple[float, dict[int, float]]] = []
    for file in diff.files:
        name = file.names(diff.lines)[-1]
        for hunk, body in file.bodies(diff.kinds):
            odd = {
                at: ranks[at]
                for at in body
                if diff.kinds[at] in _CHANGED and ranks.get(at, 0.0) >= _ODD_RANK - 1
            }
            if odd:
                best = max(odd.values())
                found.append((best, {**odd, hunk: best + 1, name: best + 2}))
    found.sort(key=lambda pair: -pair[0])
    return [wanted for _, wanted in found[:_ODD_HUNKS]]


def _with_headings(diff: _Diff, chosen: frozenset[int]) -> frozenset[int]:
    """The chosen lines without those whose hunk or file is not among them."""
    lone: set[int] = set()
    for file in diff.files:
        is_named = not chosen.isdisjoint(file.names(diff.lines))
        lone.update(at for at in file.facts if not is_named and file.start not in chosen)
        if file.start not in chosen:
            naming = file.names(diff.lines)
            lone.update(at for at in file.facts if at not in naming)
        for hunk, body in file.bodies(diff.kinds):
            if not is_named or hunk not in chosen:
                lone.update((hunk, *body) if not is_named else body)
    return chosen - lone


def _changed(kinds: Sequence[LineKind]) -> list[int]:
    return [at for at, kind in enumerate(kinds) if kind in _CHANGED]


def _raise_odd(diff: _Diff, ranks: dict[int, float]) -> None:
    """Changed lines rank by the rarity of their words; a short change is shown as one."""
    lines, kinds = diff.lines, diff.kinds
    ranks.update((at, _LAYOUT_RANK) for at in diff.layout if at in ranks)
    base = _ODD_RANK if diff.layout else _RANKS["added"]
    changed = [at for at in _changed(kinds) if at not in diff.layout]
    texts = [lines[at] for at in changed]
    by_words, by_shape = excess(word_rarity(texts)), excess(shape_rarity(texts))
    for at, over, odd in zip(changed, by_words, by_shape, strict=True):
        if lines[at][1:].strip():
            ranks[at] = base + _BITS_WEIGHT * max(over, _SHAPE_WEIGHT * odd)
    for block in _blocks(changed):
        best = max(ranks.get(at, 0.0) for at in block)
        for at in block if len(block) <= _PAIR_LINES else ():
            ranks[at] = max(ranks.get(at, 0.0), best - 1)
        for beside in (block[0] - 1, block[-1] + 1):
            if kinds[beside : beside + 1] == ["context"] and beside in ranks:
                ranks[beside] = 8.0 + (best - _RANKS["added"]) / 4


def _blocks(changed: list[int]) -> Iterator[list[int]]:
    block: list[int] = []
    for at in changed:
        if block and at != block[-1] + 1:
            yield block
            block = []
        block.append(at)
    if block:
        yield block


def _counts(diff: _Diff, chosen: frozenset[int]) -> dict[int, str]:
    """The count of each named file that is not shown whole, to stand below its name."""
    if len(diff.files) < 2:
        return {}
    notes: dict[int, str] = {}
    for file in diff.files:
        name = file.names(diff.lines)[-1]
        changes = {at for _, body in file.bodies(diff.kinds) for at in body}
        is_told = name in chosen or not (chosen or diff.is_counted)
        if is_told and file.hunks and not changes <= chosen:
            notes[name + 1] = f"+{file.added} -{file.removed}"
            notes[name + 1] += f", {file.status}" if file.status else ""
    return notes


def _describe(diff: _Diff) -> str:
    files = diff.files
    added, removed = sum(f.added for f in files), sum(f.removed for f in files)
    total = f"{len(files)} {'files' if len(files) != 1 else 'file'}, +{added} -{removed} lines"
    total += f", {len(diff.layout)} of them change only the layout" if diff.layout else ""
    return f"{total}; {_by_folder(diff)}" if diff.is_counted else total


def _by_folder(diff: _Diff) -> str:
    """Files and changes by folder, the largest first, as many as there is room for."""
    files: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for file in diff.files:
        folder = file.path(diff.lines).rpartition("/")[0] or "."
        files[folder] += 1
        lines[folder] += file.added + file.removed
    told, left = [], _FOLDER_CHARS
    for folder, count in files.most_common():
        part = f"{folder} {count} files ±{lines[folder]}"
        left -= len(part) + 2
        if left < 0:
            break
        told.append(part)
    more = f", and {len(files) - len(told)} more folders" if len(told) < len(files) else ""
    return f"too many to name each, so by folder: {', '.join(told)}{more}"


FAMILY = Family(
    "diff",
    _find,
    _draft,
    whole_up_to=_WHOLE_UP_TO,
    looks_for="hunks, and a diff in 90 % of the lines (40 % behind a commit)",
)
