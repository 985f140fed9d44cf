"""Of a very long page the odd blocks are found, and it says how much was looked at."""

from __future__ import annotations

import re

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.pipeline import reduce_output
from tests.reducers.honesty import faults

PARTS = 4000
ODD = "<p>Do not restart node db-17 before 14:30, it would lose 3 GB.</p>"


def page_with(odd: str) -> str:
    parts = [f"<p>Part {n} of the list is as it was before.</p>" for n in range(PARTS)]
    parts[2345] = odd
    return "<!DOCTYPE html><html><body><h1>Parts</h1>\n" + "\n".join(parts) + "\n</body></html>"


def test_a_block_that_stands_out_is_shown_and_the_rest_counted():
    """One paragraph of four thousand, with the heading and what was looked at."""
    text = page_with(ODD)
    result = reduce_output(ToolOutput(text, "exec", "", exit_code=0))
    assert isinstance(result, Reduction)
    assert ODD in result.body and "<h1>Parts</h1>" in result.body
    assert re.search(rf"\d+ of {PARTS + 1} blocks looked at", result.body)
    assert faults(text, result) == []


def test_a_page_of_usual_length_is_looked_at_whole():
    """Nothing is said of blocks looked at where all are."""
    text = page_with(ODD)[:60_000]
    result = reduce_output(ToolOutput(text, "exec", "", exit_code=0))
    assert isinstance(result, Reduction) and "looked at" not in result.body
