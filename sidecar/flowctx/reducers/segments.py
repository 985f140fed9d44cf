"""Splitting a mixed text where another kind of content begins.

Borders are lines that only such a border can be: a JSON value that reads to
its end, a diff, a ruled table, a fenced block, or the titles that compound
commands print between their parts.
"""

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.document import Document
from flowctx.reducers.families.table import is_rule, split_bars
from flowctx.reducers.formats import long_runs
from flowctx.reducers.host_lines import middle_cuts, status_lines
from flowctx.reducers.json_tree import as_node
from flowctx.reducers.nodes import Node
from flowctx.reducers.patch import classify
from flowctx.reducers.programs import log_tail, outputs_of
from flowctx.reducers.titles import find_titles, is_of_report

# Titles echoed between commands: "== disk ==", "--- logs ---", "### step 2", "$ make", "+ make".
_TITLE = re.compile(
    r"(?:={2,}|-{3,}|#{2,}|\*{3,}|>{3,}) ?\S.{0,80}?(?: ?(?:={2,}|-{3,}|#{2,}|\*{3,}|<{3,}))?\s*$"
    r"|(?:\$|\+) \S.{0,200}$"
)
_TITLE_STARTS = "=-#*>$+"
_MIN_TITLES = 2
_MAX_TITLES = 40
_MIN_BLOCK_LINES = 6
_MIN_BLOCK_CHARS = 400
_MAX_JSON_TRIES = 40


class Segment(NamedTuple):
    """Lines [start, end) of one kind."""

    start: int
    end: int


def split_text(document: Document, filled: Sequence[int]) -> list[Segment]:
    """The segments of a text; one alone where nothing separates them."""
    borders = {0, len(document.lines)}
    blocks = sorted([*_json_blocks(document), *_diff_blocks(document), *_tables(document)])
    at = 0
    for block in blocks:
        if block.start >= at:
            borders |= {block.start, block.end}
            at = block.end
    inside = [block for block in blocks if block.end - block.start > 1]
    titles = [
        line
        for line in filled
        if document.lines[line][0] in _TITLE_STARTS
        and _TITLE.match(document.lines[line])
        and not _within(line, inside)
        and not is_of_report(document.lines[line])
    ]
    if _MIN_TITLES <= len(titles) <= _MAX_TITLES:
        borders |= {border for line in titles for border in (line, line + 1)}
    return between(borders)


def split_framed(document: Document) -> list[Segment]:
    """What stands between the lines of the host: how it ended, and what is left out of it."""
    marks = {*middle_cuts(document), *status_lines(document)}
    return set_apart(document, marks) if marks else []


def split_titled(document: Document) -> list[Segment]:
    """What stands between titles that a text begins with; nothing where it has none."""
    titles = find_titles(document.lines)
    return set_apart(document, titles) if titles else []


def split_outputs(case: Case) -> list[Segment]:
    """The outputs of several commands; one segment alone where nothing tells them apart.

    Within the output of a known program nothing is a border: a test run may
    print JSON of its own.
    """
    document, lines = case.document, case.document.lines
    outputs = outputs_of(document, case.words)
    ended = [Segment(part.start, part.end) for part in outputs if part.has_end]
    logs = [Segment(part.start, part.end) for part in outputs if part.program == "git-log"]
    borders = {0, len(lines), *(at for part in outputs for at in (part.start, part.end))}
    runs = long_runs(lines, with_prose=True) if case.output.command else []
    marks = [at for run in runs for at in (run.start, run.end) if at < len(lines)]
    marks += [part.start for part in split_text(document, case.filled)]
    for at in [*marks, log_tail(lines)]:
        # The diffs of a log belong to its commits.
        in_log = _within(at, logs) and lines[at].startswith(("diff ", "--- ", "commit "))
        if not _within(at, ended) and not in_log:
            borders.add(at)
    return between(borders)


def split_unannounced(case: Case) -> list[Segment]:
    """The outputs in a text of which no command is known; none where only one program printed."""
    document = case.document
    outputs = outputs_of(document, case.words)
    if not outputs:
        return []
    begins_log = log_tail(document.lines)
    has_log = any(part.start < begins_log < len(document.lines) for part in outputs)
    if len({part.program for part in outputs}) < 2 and not has_log:
        return []
    return split_outputs(case)


def set_apart(document: Document, lines: Collection[int]) -> list[Segment]:
    """Some lines, each by itself, and what stands between them."""
    return between({0, len(document.lines), *lines, *(at + 1 for at in lines)})


def between(borders: Iterable[int]) -> list[Segment]:
    """The segments that borders set apart."""
    return [Segment(a, b) for a, b in itertools.pairwise(sorted(borders)) if b > a]


def _within(line: int, blocks: Sequence[Segment]) -> bool:
    return any(block.start <= line < block.end for block in blocks)


def _json_blocks(document: Document) -> Iterator[Segment]:
    """JSON values that begin a line, end a line, and are long enough, or small ones in a row."""
    if not any(opening in f"\n{document.text}" for opening in ("\n{", "\n[")):
        return
    tries, at, total, begun = 0, 0, len(document.lines), -1
    while at <= total and tries < _MAX_JSON_TRIES:
        node = _value_at(document, at) if at < total else None
        end = document.line_at(node.end - 1) + 1 if node else at + 1
        if node and node.size < _MIN_BLOCK_CHARS:
            begun, at = begun if begun >= 0 else at, end
            continue
        tries += at < total and document.lines[at][:1] in ("{", "[")
        if begun >= 0 and document.line_end(at - 1) - document.starts[begun] >= _MIN_BLOCK_CHARS:
            yield Segment(begun, at)
        if node:
            yield Segment(at, end)
        begun, at = -1, end


def _value_at(document: Document, line: int) -> Node | None:
    """The JSON object or array that begins a line and ends one."""
    if document.lines[line][:1] not in ("{", "["):
        return None
    node = as_node(document.text, document.starts[line])
    if node is None or node.end != document.line_end(document.line_at(node.end - 1)):
        return None
    return node


def _diff_blocks(document: Document) -> Iterator[Segment]:
    if "\n@@ " not in document.text:
        return
    start = -1
    lines, kinds = document.lines, list(classify(document.lines))
    for at, kind in enumerate([*kinds, "other"]):
        if at + 1 < len(lines) and not lines[at].strip() and kinds[at + 1] != "other":
            # Some programs set a blank line between the files.
            continue
        if kind != "other" and start < 0:
            start = at
        elif kind == "other" and start >= 0:
            if at - start >= _MIN_BLOCK_LINES and "hunk" in kinds[start:at]:
                yield Segment(start, at)
            start = -1


def _tables(document: Document) -> Iterator[Segment]:
    """Ruled tables: a header, a rule under it, and rows with as many fields."""
    lines, at = document.lines, 1
    while at < len(lines) and "|" in document.text:
        end = at + 1
        if "|" in lines[at - 1] and is_rule(lines[at]):
            width = len(split_bars(lines[at - 1]))
            while end < len(lines) and len(split_bars(lines[end])) == width >= 2:
                end += 1
            if end - at > _MIN_BLOCK_LINES:
                yield Segment(at - 1, end)
        at = end
