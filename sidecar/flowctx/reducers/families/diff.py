"""Unified diffs and `git show`: every file and hunk header, then changed lines, oddest first.

Hunks are read by the counts in their headers, so a removed line that looks
like a header is not taken for one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.rarity import excess, word_rarity
from flowctx.reducers.select import MUST, Budget, Layout, draft_lines

LineKind = Literal["file", "fact", "path", "hunk", "added", "removed", "context", "other"]

_HUNK = re.compile(r"@@+ -\d+(?:,(\d+))?(?: -\d+(?:,\d+)?)* \+\d+(?:,(\d+))? @@")
_FILE = re.compile(r"diff (?:--git|--cc|--combined|-\S+) |Index: |=== modified|={60,}$")
_FACT = re.compile(
    r"(?:rename|copy) (?:from|to) |(?:new|deleted) file mode |(?:old|new) mode |Binary files "
    r"|similarity index |dissimilarity index |GIT binary patch|Only in |Submodule "
)
_META = re.compile(r"index [0-9a-f]+\.\.[0-9a-f]+|\\ No newline")
_STARTS = ("@@ ", "diff ", "--- ", "Index: ", "commit ", "From ")
_MIN_SHARE = 0.9
# The message of a commit in front of its diff may be long.
_MIN_SHARE_OF_COMMIT = 0.4
_COMMIT = re.compile(r"commit [0-9a-f]{7,64}\b|From [0-9a-f]{40} ")
_RANKS: dict[LineKind, float] = {
    "file": 22.0,
    "fact": MUST + 20,
    "path": 70.0,
    "hunk": 52.0,
    "added": 40.0,
    "removed": 40.0,
    "context": 4.0,
    "other": MUST + 10,
}
_BITS_WEIGHT = 6.0
_PAIR_LINES = 6
_CHANGED = ("added", "removed")
# Changed lines from this rank on use words that other changes do not.
_ODD_RANK = 46.0
# Parts of the room for odd changes, less where all files can be named beside them, and for both.
_MIN_ODD_SHARE, _MAX_ODD_SHARE, _PATH_SHARE = 0.18, 0.45, 0.97
_MIN_ODD_CHARS = 320
_DEMOTED = 12.0
# Lines around a diff beyond its head: the message of a commit, mostly.
_HEAD_LINES, _FURTHER_RANK = 12, 25.0
_FLOOR = 3.0
# Path lines (two a file) from which on marks are short: "[… 30 lines omitted …]".
_MANY_PATHS = 24
_MARK_CHARS, _SHORT_MARK_CHARS = 32, 24
_NAMED_FILES = 5


@dataclass(slots=True)
class _FileCount:
    """Changed lines of one file."""

    path: str
    added: int = 0
    removed: int = 0


def _find(case: Case) -> list[LineKind] | None:
    text, lines = case.document.text, case.document.lines
    if not text.startswith(_STARTS) and "\n@@ " not in text and "\ndiff --" not in text:
        return None
    kinds = list(classify(lines))
    if "hunk" not in kinds and "fact" not in kinds:
        return None
    inside = sum(1 for at in case.filled if kinds[at] != "other")
    needed = _MIN_SHARE_OF_COMMIT if _COMMIT.match(text) else _MIN_SHARE
    return kinds if inside >= needed * len(case.filled) else None


def _draft(case: Case, kinds: list[LineKind]) -> Draft | None:
    note = _describe(case.document.lines, kinds)
    chosen = _choose(case, kinds, case.room - len(note) - 3)
    at = next((at for at, kind in enumerate(kinds) if kind != "other"), 0)
    return draft_lines(case.document, "diff", chosen, Layout({at: note}, places=_places(kinds)))


def _places(kinds: list[LineKind]) -> bool:
    """With many files, marks without line numbers leave room for more of them."""
    return kinds.count("path") <= _MANY_PATHS


def _choose(case: Case, kinds: list[LineKind], room: int) -> frozenset[int]:
    """What must be seen, odd changes, then file after file, then the rest."""
    lines = case.document.lines
    ranks = {at: _RANKS[kind] for at, kind in enumerate(kinds) if lines[at].strip()}
    _demote(lines, kinds, ranks)
    _raise_odd(lines, kinds, ranks)
    mark_chars = _MARK_CHARS if _places(kinds) else _SHORT_MARK_CHARS
    chosen = Budget(case.document, room, mark_chars).choose(ranks, floor=_RANKS["path"])
    odd = {
        at: rank for at, rank in ranks.items() if rank >= _ODD_RANK - 1 and kinds[at] in _CHANGED
    }
    _add_headings(kinds, odd)
    taken = sum(len(lines[at]) for at in chosen)
    paths = {at: rank for at, rank in ranks.items() if kinds[at] == "path" and rank > _DEMOTED}
    needed = sum(len(lines[at]) + 1 + mark_chars for at in paths)
    left = max(room - taken, 1)
    odd_share = min(max(1 - needed / left, _MIN_ODD_SHARE), _MAX_ODD_SHARE)
    odd_share = max(odd_share, min(_MIN_ODD_CHARS / left, 1.0))
    for wanted, share in ((odd, odd_share), (paths, _PATH_SHARE), (ranks, 1.0)):
        budget = Budget(case.document, taken + int((room - taken) * share), mark_chars)
        chosen = budget.choose(wanted, floor=_FLOOR, kept=chosen)
    return chosen


def _add_headings(kinds: list[LineKind], ranks: dict[int, float]) -> None:
    """Give a changed line its hunk and its file, so that it is never seen without them."""
    hunk = path = -1
    for at, kind in enumerate(kinds):
        hunk = at if kind == "hunk" else hunk
        path = at if kind == "path" else path
        if at in ranks and kind in _CHANGED:
            for heading, bonus in ((path, 0.2), (hunk, 0.1)):
                if heading >= 0:
                    ranks[heading] = max(ranks.get(heading, 0.0), ranks[at] + bonus)


def classify(lines: list[str]) -> Iterator[LineKind]:
    """What each line of a diff is; "other" for what stands around it."""
    old = new = 0
    follows_old_path = False
    for line in lines:
        kind: LineKind
        if old > 0 or new > 0:
            kind, used_old, used_new = _in_hunk(line)
            if kind != "other":
                old, new = old - used_old, new - used_new
                yield kind
                continue
            old = new = 0
        hunk = _HUNK.match(line)
        if hunk:
            old, new = int(hunk.group(1) or 1), int(hunk.group(2) or 1)
            kind = "hunk"
        elif line.startswith("--- ") or (follows_old_path and line.startswith("+++ ")):
            kind = "path"
        elif _FILE.match(line) or _META.match(line):
            kind = "file"
        else:
            kind = "fact" if _FACT.match(line) else "other"
        follows_old_path = line.startswith("--- ")
        yield kind


def _in_hunk(line: str) -> tuple[LineKind, int, int]:
    """Kind of a line inside a hunk, and how many old and new lines it stands for."""
    first = line[:1]
    if first == "+":
        return "added", 0, 1
    if first == "-":
        return "removed", 1, 0
    if first in (" ", ""):
        return "context", 1, 1
    return ("context", 0, 0) if first == "\\" else ("other", 0, 0)


def _demote(lines: list[str], kinds: list[LineKind], ranks: dict[int, float]) -> None:
    """One path line a file is enough, blob ids say nothing, and messages are told by their head."""
    others = [at for at, kind in enumerate(kinds) if kind == "other"]
    ranks.update((at, _FURTHER_RANK) for at in others[_HEAD_LINES:] if at in ranks)
    for at, kind in enumerate(kinds):
        if kind == "path" and lines[at].startswith("--- "):
            is_named_next = at + 1 < len(lines) and not lines[at + 1].startswith("+++ /dev/null")
            if is_named_next:
                ranks[at] = _DEMOTED
        elif kind == "path" and lines[at].startswith("+++ /dev/null"):
            ranks[at] = _DEMOTED
        elif _META.match(lines[at]) and kind == "file":
            ranks[at] = 2.0
        elif lines[at].startswith("similarity index"):
            ranks[at] = 15.0


def _raise_odd(lines: list[str], kinds: list[LineKind], ranks: dict[int, float]) -> None:
    """Changed lines rank by the rarity of their words; a short change is shown as one."""
    changed = [at for at, kind in enumerate(kinds) if kind in _CHANGED]
    bits = excess(word_rarity([lines[at] for at in changed]))
    for at, over in zip(changed, bits, strict=True):
        if lines[at][1:].strip():
            ranks[at] = _RANKS["added"] + _BITS_WEIGHT * over
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


def _describe(lines: list[str], kinds: list[LineKind]) -> str:
    files: list[_FileCount] = []
    for line, kind in zip(lines, kinds, strict=True):
        if kind == "path" and line.startswith("--- "):
            files.append(_FileCount(_path(line)))
        elif kind == "path" and files and not line.endswith("/dev/null"):
            files[-1].path = _path(line)
        elif files and kind == "added":
            files[-1].added += 1
        elif files and kind == "removed":
            files[-1].removed += 1
    added, removed = sum(f.added for f in files), sum(f.removed for f in files)
    total = f"{len(files)} files with text changes, +{added} -{removed} lines"
    largest = sorted(files, key=lambda f: (-(f.added + f.removed), f.path))[:_NAMED_FILES]
    if len(files) < 2 or not added + removed:
        return total
    return f"{total}; most in " + ", ".join(f"{f.path} +{f.added} -{f.removed}" for f in largest)


def _path(line: str) -> str:
    path = line[4:].split("\t", 1)[0]
    return path[2:] if path[:2] in ("a/", "b/") else path


FAMILY = Family("diff", _find, _draft)
