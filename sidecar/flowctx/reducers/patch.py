"""Unified diffs as text: what each line is, and the files they change.

Hunks are read by the counts in their headers, so a removed line that looks
like a header is not taken for one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

LineKind = Literal["file", "fact", "path", "hunk", "added", "removed", "context", "other"]

_HUNK = re.compile(r"@@+ -\d+(?:,(\d+))?(?: -\d+(?:,\d+)?)* \+\d+(?:,(\d+))? @@")
_FILE = re.compile(r"diff (?:--git|--cc|--combined|-\S+) |Index: |=== modified|={60,}$")
# Facts that name their file, and those that need the line above to say whose they are.
_NAMING = re.compile(r"(?:rename|copy) (?:from|to) |Binary files |Only in |Submodule |Binary file ")
_FACT = re.compile(
    rf"{_NAMING.pattern}|(?:new|deleted) file mode |(?:old|new) mode "
    r"|similarity index |dissimilarity index |GIT binary patch"
)
_META = re.compile(r"index [0-9a-f]+\.\.[0-9a-f]+|\\ No newline")
_STATUS = (
    ("new file mode", "new file"),
    ("deleted file mode", "deleted file"),
    ("new mode", "mode changed"),
)


# Context that a header of a patch written by hand does not count.
_SLACK_LINES = 4


@dataclass(slots=True)
class FileDiff:
    """What a diff says of one file, by line.

    Attributes:
        start: its first line.
        old, new: its two path lines; -1 where it has none.
        facts: renames, modes and the like.
        hunks: headers of its hunks.
        added, removed: number of changed lines.
        status: "new file", "deleted file", "mode changed", or empty.
    """

    start: int
    old: int = -1
    new: int = -1
    facts: list[int] = field(default_factory=list)
    hunks: list[int] = field(default_factory=list)
    added: int = 0
    removed: int = 0
    status: str = ""

    def names(self, lines: Sequence[str]) -> list[int]:
        """The fewest lines that say which file it is, and what became of it as a whole."""
        naming = [at for at in self.facts if _NAMING.match(lines[at])]
        path = self.old if self.new < 0 or lines[self.new].endswith("/dev/null") else self.new
        if path >= 0:
            return sorted({*naming, path})
        return naming or [self.start, *self.facts]

    @property
    def header(self) -> list[int]:
        """Its first line, its facts and its paths."""
        return sorted({self.start, *self.facts, *(at for at in (self.old, self.new) if at >= 0)})

    @property
    def is_one_sided(self) -> bool:
        """It is all new or all gone, in one hunk."""
        return len(self.hunks) == 1 and self.status in ("new file", "deleted file")

    def bodies(self, kinds: Sequence[LineKind]) -> Iterator[tuple[int, range]]:
        """Each hunk: its header, and the lines below it."""
        for hunk in self.hunks:
            end = hunk + 1
            while end < len(kinds) and kinds[end] in ("added", "removed", "context"):
                end += 1
            yield hunk, range(hunk + 1, end)

    def path(self, lines: Sequence[str]) -> str:
        """Its path as the diff names it; for one without path lines, what its first line says."""
        named = self.names(lines)[-1] if self.old >= 0 else self.start
        return _path(lines[named])


def classify(lines: Sequence[str]) -> Iterator[LineKind]:
    """What each line of a diff is; "other" for what stands around it."""
    old = new = parents = slack = 0
    follows_old_path = False
    for line in lines:
        kind: LineKind
        if parents > 1 and (kind := _in_combined(line, parents)) != "other":
            yield kind
            continue
        parents = 0
        if old > 0 or new > 0:
            kind, used_old, used_new = _in_hunk(line)
            if kind != "other":
                old, new, slack = old - used_old, new - used_new, _SLACK_LINES
                yield kind
                continue
            old = new = 0
        slack = slack - 1 if line[:1] == " " else 0
        if slack > 0:
            yield "context"
            continue
        hunk = _HUNK.match(line)
        if hunk:
            parents = len(line) - len(line.lstrip("@")) - 1
            old, new = int(hunk.group(1) or 1), int(hunk.group(2) or 1)
            old, new = (old, new) if parents == 1 else (0, 0)
            kind = "hunk"
        elif line.startswith("--- ") or (follows_old_path and line.startswith("+++ ")):
            kind = "path"
        elif _FILE.match(line) or _META.match(line):
            kind = "file"
        else:
            kind = "fact" if _FACT.match(line) else "other"
        follows_old_path = line.startswith("--- ")
        yield kind


def read_files(lines: Sequence[str], kinds: Sequence[LineKind]) -> list[FileDiff]:
    """The files of a diff, in its order."""
    files: list[FileDiff] = []
    for at, kind in enumerate(kinds):
        if _begins_file(lines[at], kind, files[-1] if files else None):
            files.append(FileDiff(at))
        if files:
            _note_line(files[-1], at, lines[at], kind)
    return files


def is_meta(line: str) -> bool:
    """True for lines of a diff that say nothing to a reader: ids of blobs and the like."""
    return bool(_META.match(line))


def _begins_file(line: str, kind: LineKind, current: FileDiff | None) -> bool:
    if kind == "file":
        return not _META.match(line) and not line.startswith("====")
    has_body = current is None or bool(current.hunks) or current.old >= 0
    if kind == "path":
        return has_body and line.startswith("--- ")
    return kind == "fact" and has_body


def _note_line(file: FileDiff, at: int, line: str, kind: LineKind) -> None:
    if kind == "added":
        file.added += 1
    elif kind == "removed":
        file.removed += 1
    elif kind == "hunk":
        file.hunks.append(at)
    elif kind == "path" and line.startswith("--- "):
        file.old = at
    elif kind == "path":
        file.new = at
    elif kind == "fact":
        file.facts.append(at)
        status = next((told for sign, told in _STATUS if line.startswith(sign)), "")
        file.status = status or file.status


def _in_combined(line: str, parents: int) -> LineKind:
    """Kind of a line in a hunk of a merge, which has a column for each parent."""
    signs = line[:parents]
    if not set(signs) <= set("+- "):
        return "context" if signs[:1] == "\\" else "other"
    return "added" if "+" in signs else "removed" if "-" in signs else "context"


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


def _path(line: str) -> str:
    is_path = line.startswith(("--- ", "+++ "))
    path = line[4:].split("\t", 1)[0] if is_path else line.split()[-1]
    return path[2:] if path[:2] in ("a/", "b/") else path
