"""No text crashes a reducer, hangs it, or makes it lie."""

from __future__ import annotations

import time
from itertools import cycle

import pytest

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.pipeline import explain_output
from tests.reducers.honesty import faults
from tests.reducers.hostile import TEXTS

# What a text is said to be decides which families look closely.
COMMANDS = ("", "cat x.py", "grep -rn x", "git diff", "pytest")
# The aim is 250 ms for a megabyte of usual lines; these have none, and the machine may be slow.
MAX_MS_PER_MB, MIN_MS = 3000, 400


@pytest.mark.parametrize(("name", "command"), list(zip(TEXTS, cycle(COMMANDS), strict=False)))
def test_a_hostile_text_is_reduced_in_time_and_honestly(name, command):
    """Whatever it is said to be, it takes linear time, no family gives up, nothing is made up."""
    text = TEXTS[name]
    start = time.process_time()
    explained = explain_output(ToolOutput(text, "exec", command, exit_code=1))
    took_ms = (time.process_time() - start) * 1000
    assert took_ms < max(MIN_MS, MAX_MS_PER_MB * len(text) / 1e6)
    assert not [s for s in explained.steps if s.outcome.startswith("gave up")]
    if isinstance(explained.result, Reduction) and "\r" not in text and "\b" not in text:
        assert faults(text, explained.result) == []


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "name", ["random code points", "deep arrays", "braces", "deep indentation"]
)
def test_no_command_makes_a_family_give_up(name, command):
    """Families chosen by the command meet a text of quite another kind, and say so."""
    explained = explain_output(ToolOutput(TEXTS[name][:20_000], "exec", command, exit_code=1))
    assert not [s for s in explained.steps if s.outcome.startswith("gave up")]


@pytest.mark.parametrize("command", ["", "cat x.py", "cat x.js", "cat x.go"])
@pytest.mark.parametrize("name", ["functions in one line", "bundled functions"])
def test_code_without_line_breaks_takes_no_longer_than_other_text(name, command):
    """However many signatures stand on one line, it is not read again for each of them."""
    text = TEXTS[name]
    start = time.process_time()
    result = explain_output(ToolOutput(text, "exec", command)).result
    assert (time.process_time() - start) * 1000 < max(MIN_MS, MAX_MS_PER_MB * len(text) / 1e6)
    assert isinstance(result, Reduction) and len(result.body) <= 4_000


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
        start = time.process_time()
        explain_output(ToolOutput(text))
        best = min(best, time.process_time() - start)
    return best
