"""What is told of rows that hold rows is true of all of them."""

from __future__ import annotations

import json

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.pipeline import reduce_output
from tests.reducers.probes.inner_rows import lint_report, xml_deep_children, xml_stock


def body(text: str) -> str:
    result = reduce_output(ToolOutput(text))
    assert isinstance(result, Reduction), result
    return result.body


def test_every_child_of_an_xml_row_is_counted():
    """Of 280 issues in 70 modules the one that differs is counted, wherever it stands."""
    assert "issue[].@level: info 279, blocker 1" in body(lint_report().text)


def test_the_range_of_an_attribute_is_that_of_all_children():
    """The smallest number is the negative one, which no first or last child has."""
    assert "part[].@left -" in body(xml_stock().text)


def test_children_far_behind_and_far_below_count():
    """The range takes in the 27th child of a row, and what stands two levels below."""
    assert "stop[].wait 1 to 95" in body(xml_deep_children().text)


def test_a_constant_of_few_values_says_how_many_they_are():
    """A value that stands in one row alone is not said to be in all."""
    rows = [f"<r id='{n}'><a x='1'/></r>" for n in range(200)]
    rows[120] = "<r id='120'><a x='1'/><b y='7'/><b y='7'/></r>"
    made = body("<l>\n" + "\n".join(rows) + "\n</l>")
    assert "b[].@y = 7 in all 2" in made


def test_what_is_not_looked_into_is_not_told_of():
    """Where rows hold more values than are looked at, the line says of how many rows it tells."""
    rows = [{"id": n, "tags": [{"k": "a", "v": "b"}] * 40} for n in range(900)]
    made = body(json.dumps({"rows": rows}))
    assert "900 rows; of 250 looked at" in made
    assert "tags[].k = a in all 10000" in made


def test_long_texts_that_differ_at_their_ends_are_not_one_value():
    """Two texts are the same only if all of them is."""
    rows = [{"id": n, "text": "x" * 400 + ("y" if n == 30 else "z")} for n in range(60)]
    assert "in all" not in body(json.dumps(rows, indent=1))
