"""Bounds: no text takes more than linear time, and a leaf's worth is read at once."""

from __future__ import annotations

import time

import pytest

from flowctx.dag.facts.extract import must_keep
from flowctx.dag.facts.facts import MustKeep
from flowctx.dag.notes.examine import examine
from flowctx.dag.notes.reply import Reply
from flowctx.dag.prompt.prompts import leaf_prompt
from flowctx.dag.prompt.terms import NoteTerms
from flowctx.dag.source.source import SourceLine, SourceTurn

# Texts that make a careless pattern try the same thing in many ways.
HOSTILE = {
    "underscores": "a_" * 40_000 + "!",
    "one long symbol": "test_" + "a_b_" * 90 + "-x ",
    "rules of dashes": "=" * 100_000,
    "dots": "." * 100_000,
    "parentheses": "(" * 100_000,
    "abbreviations": "e.g. " * 20_000,
    "open tags": "<think><code><working_memory>" * 4_000,
    "open tags and a foreign end": "<think>" * 12_000 + "</reasoning>",
    "unspaced Chinese": "我们不要修改这个文件" * 8_000,
    "slashes": "a/" * 40_000,
    "headings": "## Next: \n**Files** 1. " * 4_000,
    "stars": "*" * 100_000,
    "backticks": "`a` " * 25_000,
    "quotes": "\"'" * 50_000,
    "flags": "git push --a --b " * 5_000,
    "packages": "pip install " + "aB" * 50_000,
    "base64": "QUJDREVGRw" * 10_000,
    "surrogates": "\ud800 never \udfff" * 10_000,
    "control bytes": "\x00\x1b[31m\r" * 20_000,
    "sentences": "Never do it. " * 8_000,
    "hard wraps": ("this line of text is wrapped at about seventy columns by hand so\n" * 1500),
}
SECONDS = 4.0


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_taken_in_bounded_time(name: str):
    """As the user's words, as a tool's output, and as a reply."""
    text = HOSTILE[name]
    started = time.monotonic()
    lines = (SourceLine("user", text), SourceLine("tool", text, tool="exec", command=text[:2000]))
    turns = (SourceTurn(lines, 1),)
    facts = must_keep(turns)
    terms = NoteTerms(max_source_tokens=20_000)
    leaf_prompt(turns, facts, terms)
    examine(Reply(text), turns, MustKeep(), terms)
    assert time.monotonic() - started < SECONDS


@pytest.mark.parametrize("name", ["sentences", "underscores", "unspaced Chinese", "open tags"])
def test_twice_the_text_takes_about_twice_the_time(name: str):
    """A quadratic step would take four times as long."""

    def seconds(text: str) -> float:
        turns = (SourceTurn((SourceLine("user", text), SourceLine("tool", text)), 1),)
        started = time.perf_counter()
        must_keep(turns)
        return time.perf_counter() - started

    text = HOSTILE[name]
    once = min(seconds(text) for _ in range(3))
    twice = min(seconds(text + text) for _ in range(3))
    assert twice < 3.2 * once + 0.05
