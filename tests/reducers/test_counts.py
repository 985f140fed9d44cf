"""Figures of a view are those of the whole output, also where only a part was looked at."""

from __future__ import annotations

import json

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.marker import render_pointer
from flowctx.reducers.pipeline import reduce_output


def reduced(text: str) -> Reduction:
    result = reduce_output(ToolOutput(text))
    assert isinstance(result, Reduction), result
    return result


def test_the_rows_of_a_long_table_are_all_counted() -> None:
    """A table of more rows than are looked at says how many it has, and of how many it tells."""
    rows = [f"{at},{'lost' if at == 9100 else 'kept'},{at % 7}" for at in range(17_000)]
    body = reduced("\n".join(["no,state,shelf", *rows])).body
    assert "[17000 rows; of " in body
    assert "9100,lost," in body


def test_a_field_too_many_is_counted() -> None:
    """How many fields the rows have is told where some have more than there are names."""
    rows = [f"{at},kelp,{at % 7}" for at in range(200)]
    rows[120] += ",spare"
    body = reduced("\n".join(["no,herb,shelf", *rows])).body
    assert "fields a row: 3 199, 4 1" in body


def test_a_word_among_numbers_is_named() -> None:
    """What stands in a column of numbers and is none is told beside their range."""
    rows = [f"{at},{at % 13},{'n/a' if at == 70 else at % 7}" for at in range(200)]
    body = reduced("\n".join(["no,shelf,beds", *rows])).body
    assert "beds 0 to 6 (n/a once)" in body


def test_cuts_in_shown_lines_are_not_what_is_missing() -> None:
    """Beside omitted lines, characters cut out of shown ones are said to be that."""
    long = " ".join(f"kelp{at}" for at in range(200))
    text = "\n".join([long, *(f"- {at} herbs on shelf {at % 7}" for at in range(400))])
    pointer = render_pointer(reduced(text), tool="", original_hash="0" * 24)
    assert "lines omitted, " in pointer
    assert " characters cut from what is shown" in pointer
    assert " characters omitted" not in pointer


def test_rows_inside_a_row_are_counted_apart() -> None:
    """How many rows an array has does not grow by those of an array in one of them."""
    inner = [{"no": at, "herb": "kelp"} for at in range(60)]
    text = json.dumps([{"no": at, "shelves": inner} for at in range(50)])
    units = {each.unit: each.total for each in reduced(text).omissions}
    assert units["rows"] == 50
    assert units["inner rows"] % 60 == 0
