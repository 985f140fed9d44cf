"""No text crashes a reducer, hangs it, or makes it lie."""

from __future__ import annotations

import time

import pytest

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.pipeline import explain_output
from tests.reducers.hostile import TEXTS
from tests.reducers.honesty import faults

COMMANDS = ("", "cat x.py", "cat x.rs", "grep -rn x", "git diff", "pytest", "npm run build")
# The aim is 250 ms for a megabyte; a shared machine is given eight times that.
MAX_MS_PER_MB, MIN_MS = 2000, 400


@pytest.mark.parametrize("name", TEXTS)
def test_a_hostile_text_is_reduced_in_time_and_honestly(name):
    """Whatever it is said to be, it takes linear time, no family gives up, and nothing is made up."""
    text = TEXTS[name]
    for command in COMMANDS:
        start = time.perf_counter()
        explained = explain_output(ToolOutput(text, "exec", command, exit_code=1))
        took_ms = (time.perf_counter() - start) * 1000
        assert took_ms < max(MIN_MS, MAX_MS_PER_MB * len(text) / 1e6), command
        assert not [s for s in explained.steps if s.outcome.startswith("gave up")], command
    if isinstance(explained.result, Reduction) and "\r" not in text and "\b" not in text:
        assert faults(text, explained.result) == []


@pytest.mark.parametrize("kind", ["log", "json", "csv", "code", "prose", "diff"])
def test_time_grows_with_size_and_not_faster(kind):
    """Eight times the text takes about eight times as long; compared within one run."""
    small, large = seconds(kind, 400), seconds(kind, 3200)
    assert large < 24 * max(small, 0.0005)


def seconds(kind: str, count: int) -> float:
    lines = {
        "log": "2026-03-17 11:00:{:02} INFO step {} of {} done",
        "json": '{{"id": {}, "name": "n{}", "ok": true, "size": {}}}',
        "csv": "{},row {},eu-west,{},ok",
        "code": "def step_{}(a, b={}):\n    return a + {}\n",
        "prose": "The {}th reviewer read page {} again and found {} words that nobody had seen.\n",
        "diff": "@@ -{},1 +{},1 @@\n-old line {}\n+new line",
    }[kind]
    text = "\n".join(lines.format(n % 60, n, n * 7) for n in range(count))
    text = f"--- a/x\n+++ b/x\n{text}" if kind == "diff" else text
    best = 9.0
    for _ in range(3):
        start = time.perf_counter()
        explain_output(ToolOutput(text))
        best = min(best, time.perf_counter() - start)
    return best
