"""Values by a path and cells of records: as the original has them, to the last digit."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.excerpt.cut import cut_part
from flowctx.excerpt.parts import Part, UnusablePartError

NUMBERS = [
    "1.10", "-0", "-0.0", "1E400", "1e-7", "3.14159265358979323846", "100000000000000000000001",
    "9" * 5_000,
]  # fmt: skip


def lines_of(text: str, part: Part) -> str:
    """What an answer shows, without the numbers of its lines."""
    page, _ = cut_part(text, part)
    return "\n".join(row.partition(":")[2] for row in page.text.split("\n"))


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_keeps_its_spelling(number: str):
    """Zeros behind the point, an exponent, more digits than a machine's number holds."""
    text = f'{{"meta": {{"f": {number}}}}}'
    asked = Part(json_path="$.meta.f", max_tokens=20_000)
    assert lines_of(text, asked) == number
    asked = Part(json_path="$.meta", max_tokens=20_000)
    assert lines_of(text, asked) == f'{{\n  "f": {number}\n}}'
    table = f'[{{"f": {number}, "in": [{number}]}}, {{"f": 2}}]'
    page, _ = cut_part(table, Part(rows="1", max_tokens=20_000))
    assert page.text == f"f,in\n1:{number},[{number}]"


def test_a_name_that_repeats_shows_all_its_values():
    """By its name, by a wildcard, among descendants, and inside of what holds it."""
    text = '{"a": {"dup": 1, "dup": {"x": 2}, "one": 3}}'
    inner = '{\n  "x": 2\n}'
    assert lines_of(text, Part(json_path="$.a.dup")) == f"1\n{inner}"
    assert lines_of(text, Part(json_path="$.a[*]")) == f"1\n{inner}\n3"
    assert lines_of(text, Part(json_path="$..x")) == "2"
    assert lines_of(text, Part(json_path="$.a")).count('"dup"') == 2
    page, _ = cut_part('[{"k": 1, "k": 2}, {"k": 3}]', Part(rows="1"))
    assert page.text == 'k\n1:"1, 2"'


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(_VALUES)
def test_a_value_is_written_as_the_standard_library_would(value: object):
    """Indented by two, empty ones closed at once, words of any language as they are."""
    wanted = json.dumps(value, ensure_ascii=False, indent=2)
    text = json.dumps({"v": value})
    assert lines_of(text, Part(json_path="$.v", max_tokens=100_000)) == wanted


@pytest.mark.parametrize("depth", [200, 400, 900, 50_000])
def test_what_is_nested_deep_is_answered(depth: int):
    """With the rows of what can be written, or a sentence; never an error of the parser."""
    text = f'[{{"a": {"[" * depth}1{"]" * depth}}}, {{"a": 2}}]'
    for part in (Part(rows="2"), Part(json_path="$[0]"), Part(columns="a")):
        try:
            page, _ = cut_part(text, part)
            assert page.text
        except UnusablePartError as error:
            assert str(error)
