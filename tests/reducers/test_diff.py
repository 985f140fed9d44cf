"""Large diffs: every file with its count, and no change without its place."""

from __future__ import annotations

import re

import pytest

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.marker import VIEW_MAX_CHARS
from flowctx.reducers.pipeline import reduce_output
from tests.reducers.honesty import faults


def patch(files: int, hunks: int = 2) -> str:
    """A diff of files of which each has one more change than the one before, up to five."""
    return "\n".join(
        line
        for file in range(files)
        for line in (
            f"diff --git a/src/part_{file % 7}/mod_{file}.py b/src/part_{file % 7}/mod_{file}.py",
            "index 1a2b3c4..5d6e7f8 100644",
            f"--- a/src/part_{file % 7}/mod_{file}.py",
            f"+++ b/src/part_{file % 7}/mod_{file}.py",
            *(line for at in range(hunks) for line in hunk(file, at)),
        )
    )


def hunk(file: int, at: int) -> list[str]:
    added = 1 + file % 5
    return [
        f"@@ -{20 * at + 1},4 +{20 * at + 1},{3 + added} @@ def part_{at}():",
        "     before = 1",
        f"-    total = {file} * load(before)",
        *(f"+    total_{each} = {file} + fetch(before)" for each in range(added)),
        "     after = 2",
        "     return after",
    ]


def reduced(text: str) -> Reduction:
    result = reduce_output(ToolOutput(text, "exec", "git diff", 0))
    assert isinstance(result, Reduction), result
    assert result.type == "diff"
    assert faults(text, result) == []
    return result


@pytest.mark.parametrize("files", [13, 40, 140])
def test_each_file_is_named_with_its_own_count(files):
    """Names are facts: they may take more room than a view has, and none is left out."""
    body = reduced(patch(files)).body
    for file in range(files):
        _, found, below = body.partition(f"+++ b/src/part_{file % 7}/mod_{file}.py\n")
        assert found, file
        if f"+    total_0 = {file} + fetch" not in body:
            assert below.startswith(f"[+{2 * (1 + file % 5)} -2]\n"), file


def test_beyond_that_files_are_counted_by_folder():
    """Hundreds of files fit no view; the note says so, and what there is where."""
    body = reduced(patch(350)).body
    assert len(body) <= VIEW_MAX_CHARS
    assert "350 files" in body
    assert "too many to name each, so by folder: src/part_0 50 files" in body


@pytest.mark.parametrize("files", [3, 13, 40, 140, 350])
def test_no_change_stands_without_its_hunk_and_file(files):
    """Above each shown change are its header and its name, with no other file between."""
    place: list[str] = []
    for line in reduced(patch(files)).body.split("\n"):
        if line.startswith("+++ "):
            place = [line]
        elif line.startswith("@@ "):
            assert place
            place = [place[0], line]
        elif re.match(r"[+-] ", line):
            assert len(place) == 2, line


def test_a_change_built_unlike_all_others_is_shown():
    """Among many changes of one kind the one of another kind is what a reader looks for."""
    lines = patch(2, hunks=20).split("\n")
    at = next(at for at, line in enumerate(lines) if at > 90 and line.startswith("+    total_0"))
    lines[at] = "+TIMEOUT = 99999"
    assert lines[at] in reduced("\n".join(lines)).body


def test_a_change_of_a_merge_counts_whichever_parent_it_differs_from():
    """A combined diff has a sign for each parent; a change against one of them is a change."""
    lines = [
        "diff --cc src/a.py",
        "index 1234567,89abcde..fedcba9",
        "--- a/src/a.py",
        "+++ b/src/a.py",
    ]
    for at in range(40):
        lines += [f"@@@ -{30 * at + 1},3 -{30 * at + 1},3 +{30 * at + 1},4 @@@ def part_{at}():"]
        lines += [
            "  keep = 1",
            f"- old_{at}",
            f" -elder_{at}",
            "++new = 2",
            " +theirs = 3",
            "  keep = 4",
        ]
    lines[-40] = " +password = read_secret()"
    body = reduced("\n".join(lines)).body
    assert lines[-40] in body
    assert "1 file, +81 -79 lines" in body
