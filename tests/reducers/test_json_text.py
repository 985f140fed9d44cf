"""Texts that JSON wraps in a string are reduced as what they are, and written as they stand."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.escapes import Unescaped
from flowctx.reducers.pipeline import reduce_output
from flowctx.tokens import estimate_tokens
from tests.reducers.honesty import faults
from tests.reducers.probes import ALL
from tests.reducers.probes.probe import Probe

# Repaints leave no place to tell for what is shown.
BARE = [probe for probe in ALL if not re.search(r"\r(?!\n)|\x08", probe.text)]


def wrapped(probe: Probe, *, is_ascii: bool) -> str:
    answer = {"exitCode": probe.exit_code, "stdout": probe.text, "truncated": False}
    return json.dumps(answer, ensure_ascii=is_ascii)


@pytest.mark.parametrize("probe", BARE, ids=[probe.name for probe in BARE])
def test_a_wrapped_output_keeps_the_facts_it_keeps_by_itself(probe: Probe) -> None:
    """As a JSON string writes them, or a note tells them, in half the size, and no line is new."""
    text = wrapped(probe, is_ascii=len(probe.name) % 2 == 0)
    result = reduce_output(ToolOutput(text, probe.tool))
    assert isinstance(result, Reduction) and faults(text, result) == []
    for fact in probe.facts:
        written = {json.dumps(fact, ensure_ascii=is_ascii)[1:-1] for is_ascii in (True, False)}
        assert any(each in result.body for each in (fact, *written)), fact
    assert estimate_tokens(result.body) <= 0.5 * estimate_tokens(text)


def test_what_stands_beside_a_text_is_kept() -> None:
    """The exit code and other small members are shown, and the exit code is used."""
    lines = [f"step {n} of 400 done" for n in range(400)]
    text = json.dumps({"exit_code": 3, "stdout": "\n".join(lines), "cwd": "/srv/till"})
    result = reduce_output(ToolOutput(text))
    assert isinstance(result, Reduction)
    assert '"exit_code": 3' in result.body and "/srv/till" in result.body
    assert "the string stdout, line by line" in result.body


def test_several_texts_share_the_room() -> None:
    """Each block of an answer shows what stands out in it; a short one stays whole."""
    log = [f"2026-03-17T10:{n // 60:02}:{n % 60:02}Z INFO request {n} ok" for n in range(600)]
    first, second = [*log], [*log]
    first[200] = "2026-03-17T10:03:20Z ERROR till 4 is open"
    second[300] = "2026-03-17T10:05:00Z ERROR no route to bank"
    said = ["\n".join(first), "Two logs follow.\n" * 3, "\n".join(second)]
    text = json.dumps({"content": [{"type": "text", "text": each} for each in said]})
    result = reduce_output(ToolOutput(text))
    assert isinstance(result, Reduction) and faults(text, result) == []
    assert "till 4 is open" in result.body and "no route to bank" in result.body


@given(st.text(st.one_of(st.characters(), st.sampled_from('\n\t"\\\r🙂')), max_size=200))
def test_each_character_is_found_where_it_is_written(text: str) -> None:
    """Reading the written span of any part of the text gives that part."""
    source = json.dumps(text, ensure_ascii=len(text) % 2 == 0)
    said = Unescaped.read(source, 1, len(source) - 1)
    for start in range(0, len(said.text), 7):
        end = min(start + 5, len(said.text))
        span = source[said.place(start) : said.end(end)]
        assert json.loads(f'"{span}"').replace("\r\n", "\n") == said.text[start:end]


def test_returns_and_colours_at_the_end_of_a_line_are_not_shown() -> None:
    """What no terminal shows is not written behind a line either."""
    lines = [f"\x1b[32mok\x1b[0m step {n} of 400\r" for n in range(400)]
    result = reduce_output(ToolOutput(json.dumps({"stdout": "\n".join(lines)})))
    assert isinstance(result, Reduction)
    assert "\\r" not in result.body and not any(
        line.endswith("[0m") for line in result.body.split("\n")
    )
