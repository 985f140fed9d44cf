"""Texts of too many lines are looked at in part, find what stands out, and say so."""

from __future__ import annotations

import re

import pytest

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.pipeline import reduce_output
from tests.reducers.honesty import faults

ODD = {
    "an error": "ERROR disk sda1 is full",
    "a word": "item 20011 quarantined",
    "a number": "item 98200114 ok",
    "a shape": "-> see /var/log/items.log",
}


def lines_with(odd: str) -> str:
    """Thirty thousand short lines that tell nothing, and one that does."""
    lines = [f"item {n} ok" for n in range(30_000)]
    lines[20_011] = odd
    return "\n".join(lines)


@pytest.mark.parametrize("name", ODD)
def test_a_line_that_stands_out_is_found(name):
    """One line among thirty thousand is shown, whatever sets it apart."""
    assert ODD[name] in reduced(lines_with(ODD[name])).body.split("\n")


def test_what_was_looked_at_is_said_and_nothing_made_up():
    """The view says how many lines were looked at; marks count the lines of the whole text."""
    text = lines_with(ODD["an error"])
    reduction = reduced(text)
    assert re.match(r"\[\d{4} of 30000 lines looked at", reduction.body)
    assert faults(text, reduction) == []


def test_changes_stand_under_their_own_file():
    """Of a diff too large to be looked at whole, no change is shown under another file."""
    text = "\n".join(
        f"diff --git a/{n} b/{n}\n--- a/{n}\n+++ b/{n}\n@@ -1,2 +1,2 @@\n k\n-old {n}\n+new {n}"
        for n in range(4000)
    )
    file = ""
    for line in reduced(text).body.split("\n"):
        file = line.removeprefix("+++ b/") if line.startswith("+++ ") else file
        if line.startswith(("-old ", "+new ")):
            assert line.split()[1] == file


def test_a_row_that_stands_out_of_many_is_found():
    """Of twenty thousand rows of an array the one that differs is shown, with its place."""
    rows = [f'{{"id":{n},"state":"up"}}' for n in range(20_000)]
    rows[7_777] = '{"id":7777,"state":"draining"}'
    body = reduced(f"[{','.join(rows)}]").body
    assert rows[7_777] in body
    assert "20000 rows; of 4000 looked at" in body


def test_the_farthest_of_many_numbers_are_found():
    """Of a hundred thousand numbers the one that is far from all others is shown."""
    numbers = [str(20 + n % 7) for n in range(100_000)]
    numbers[65_432] = "-918"
    body = reduced(f"[{','.join(numbers)}]").body
    assert "-918" in body
    assert "value -918 to 26" in body


def reduced(text: str) -> Reduction:
    result = reduce_output(ToolOutput(text, "exec", "", exit_code=0))
    assert isinstance(result, Reduction)
    return result


def test_parts_of_a_long_text_are_looked_at_in_part_too():
    """Where a warning stands within thousands of short rows, the odd one behind it is shown."""
    rows = [f'  {{\n    "id": {n},\n    "state": "up"\n  }},' for n in range(4000)]
    rows[1500] = '  {\n    "id": 1500,\n    "state": "up"\n  },\nwarning: the disk is slow'
    rows[3333] = '  {\n    "id": 3333,\n    "state": "draining"\n  },'
    text = "[\n" + "\n".join(rows) + "\n  {}\n]"
    reduction = reduced(text)
    assert "warning: the disk is slow" in reduction.body
    assert "draining" in reduction.body
    assert faults(text, reduction) == []
