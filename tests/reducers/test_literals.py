"""Lists and dictionaries as Python prints them are rows, shown as they stand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.families.literals import spell_as_json
from flowctx.reducers.pipeline import reduce_output
from tests.reducers.honesty import faults
from tests.reducers.probes.probe import WORDS

_ROWS = [{"id": n, "state": "ok", "by": WORDS[n % 25], "left": True} for n in range(240)]
_ROWS[121] |= {"state": "frozen", "left": None}
_TUPLES = [tuple(row.values()) for row in _ROWS]


@pytest.mark.parametrize(
    "text",
    [
        repr(_ROWS),
        "[" + ",\n ".join(map(repr, _ROWS)) + "]",
        "\n".join(map(repr, _ROWS)),
        repr(_TUPLES),
        repr({"rows": _TUPLES, "total": len(_TUPLES)}),
    ],
    ids=["one line", "pretty", "a row a line", "tuples", "tuples in a dictionary"],
)
def test_the_odd_row_is_shown_as_it_was_printed(text: str) -> None:
    """In whichever way rows are printed, with single quotes and None as they stand."""
    result = reduce_output(ToolOutput(text, "exec", "python3 rows.py"))
    assert isinstance(result, Reduction) and faults(text, result) == []
    assert "'frozen', " in result.body and "None" in result.body
    assert len(result.body) <= 0.5 * len(text)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="ascii"), max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, min_size=2, max_size=4).map(tuple)
        | st.dictionaries(st.text("abc_ é", max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(_VALUES)
def test_the_spelling_is_of_the_same_length_and_build(value: object) -> None:
    """Each character has its place, and what is read has the members that were printed."""
    spelled = spell_as_json(repr(value))
    assert len(spelled) == len(repr(value))
    assert build(json.loads(spelled)) == build(json.loads(json.dumps(value)))


def build(value: object) -> object:
    """A value without what its strings say."""
    if isinstance(value, dict):
        return [build(each) for each in value.values()]
    if isinstance(value, list):
        return [build(each) for each in value]
    return len(value) > 0 if isinstance(value, str) else value
