"""Parts of texts: they agree with the text, stay in their room, and never fail."""

from __future__ import annotations

import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.excerpt.cut import cut_part
from flowctx.excerpt.parts import Part, UnusablePartError
from flowctx.tokens import estimate_tokens

LOG = "\n".join(
    f"{n:05d} worker {n % 7} {'ERROR lost the queue' if n % 900 == 0 else 'done'}"
    for n in range(1, 30_001)
)
ORDERS = json.dumps({"orders": [{"id": n, "total": n * 1.5, "who": f"u{n}"} for n in range(2000)]})
TABLE = "id,name,note\n" + "\n".join(f'{n},n{n},"a, b"' for n in range(1, 3001))


def shown(text: str, part: Part) -> dict[int, str]:
    """The lines of an answer by their numbers."""
    page, _ = cut_part(text, part)
    rows = (re.match(r"(\d+)[:-](.*)", row) for row in page.text.split("\n"))
    return {int(row[1]): row[2] for row in rows if row}


@given(
    st.lists(st.text(st.characters(exclude_characters="\n"), max_size=30), min_size=1, max_size=60),
    st.data(),
)
def test_line_ranges_agree_with_the_text(lines: list[str], data):
    """Lines a-b are those of the text, under their own numbers."""
    text = "\n".join(lines)
    whole = text.split("\n")[:-1] if text.endswith("\n") else text.split("\n")
    start = data.draw(st.integers(1, len(whole)))
    end = data.draw(st.integers(start, len(whole)))
    page, _ = cut_part(text, Part(lines=f"{start}-{end}", max_tokens=100_000))
    wanted = "\n".join(f"{n}:{whole[n - 1]}" for n in range(start, end + 1))
    assert page.text == wanted
    assert page.next == ""


def test_matches_are_all_and_only_those_of_the_text():
    """Literal text and expression find what Python finds in the lines."""
    wanted = {n: row for n, row in enumerate(LOG.split("\n"), 1) if "ERROR" in row}
    assert shown(LOG, Part(grep="ERROR")) == wanted
    assert shown(LOG, Part(grep="/ERR[A-Z]+ lost/")) == wanted
    assert shown(LOG, Part(grep="/error LOST/i")) == wanted
    assert shown(LOG, Part(grep="ERROR", context=2)).keys() > wanted.keys()


def test_a_column_asked_for_again_and_again_comes_once():
    """Ten thousand names are no ten thousand columns."""
    page, _ = cut_part(TABLE, Part(rows="1", columns="name," * 10_000 + "2,id"))
    assert page.text == "name,id\n1:n1,1"


_SIGNS = st.text(alphabet="abAB İΣσ\n\ud800", max_size=40)


@given(_SIGNS, st.text(alphabet="abABİΣσ\ud800", min_size=1, max_size=3))
def test_a_literal_text_is_found_where_each_line_has_it(text: str, pattern: str):
    """In its spelling, or where no line has that, without regard to case."""
    lines = text.split("\n")[: -1 if text.endswith("\n") else None]
    exact = {n for n, line in enumerate(lines, 1) if pattern in line}
    folded = {n for n, line in enumerate(lines, 1) if pattern.lower() in line.lower()}
    if exact or folded:
        assert shown(text, Part(grep=pattern)).keys() == (exact or folded)
    else:
        with pytest.raises(UnusablePartError):
            cut_part(text, Part(grep=pattern))


def test_paging_through_a_text_gives_all_of_it():
    """Whoever goes on as told sees every line once."""
    text, asked, seen = LOG[:60_000], "", {}
    while True:
        page, _ = cut_part(text, Part(lines=asked, max_tokens=1000))
        rows = [row.partition(":") for row in page.text.split("\n")]
        seen.update({int(number): row for number, _, row in rows})
        if not page.next:
            break
        asked = page.next
    assert "\n".join(seen[n] for n in sorted(seen)) == text


def test_paging_inside_one_long_line_gives_all_of_it():
    """A megabyte without a line end can be read to its end, too."""
    text, asked, seen = "".join(f"{n:06d}" for n in range(20_000)), "", ""
    while True:
        page, _ = cut_part(text, Part(lines=asked, max_tokens=20_000))
        seen += re.sub(r"\A1:(?:\[… [\d,]+ characters before\])?", "", page.text)
        if not page.next:
            break
        asked = page.next
    assert seen == text


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("$.orders[3].id", ["3"]),
        ("orders[-1].who", ['"u1999"']),
        ("$..who", [f'"u{n}"' for n in range(2000)]),
        ("$.orders[2:4].total", ["3.0", "4.5"]),
        ("$['orders'][0]['id']", ["0"]),
    ],
)
def test_paths_lead_to_values(path: str, values: list[str]):
    """Names, indices, slices and descendants are found."""
    assert list(shown(ORDERS, Part(json_path=path, max_tokens=100_000)).values()) == values


def test_tables_give_rows_and_columns():
    """Rows by number, columns by name, with the head first; JSON records are a table, too."""
    page, _ = cut_part(TABLE, Part(rows="2999-", columns="note,id"))
    assert page.text == 'note,id\n2999:"a, b",2999\n3000:"a, b",3000'
    page, _ = cut_part(json.dumps([{"a": 1, "b": "x"}, {"a": 2}]), Part(columns="a"))
    assert page.text == "a\n1:1\n2:2"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (LOG, Part(lines="15000-15002")),
        (LOG, Part(grep="ERROR", max_tokens=1000)),
        (LOG, Part(grep="/0*27000 /", context=3)),
        (LOG, Part(lines="-10")),
        (ORDERS, Part(json_path="$.orders[1500]")),
        (TABLE, Part(rows="7", columns="name")),
    ],
)
def test_a_point_question_takes_a_small_share(text: str, part: Part):
    """What is asked for is answered with less than a twentieth of the original."""
    page, _ = cut_part(text, part)
    assert len(page.text) < len(text) / 20


@pytest.mark.parametrize(
    "pattern", ["/(a+)+$/", "/(a|a)*b/", "/(.*)*x/", "/^(([a-z])+.)+[A-Z]([a-z])+$/"]
)
def test_no_expression_runs_away(pattern: str):
    """Patterns that never end elsewhere take time linear to the text."""
    began = time.monotonic()
    with pytest.raises(UnusablePartError):
        cut_part("a" * 200_000 + "!", Part(grep=pattern))
    assert time.monotonic() - began < 10


WORDS = st.one_of(
    st.text(max_size=20),
    st.sampled_from(["/(/", "/a{1000}{1000}/", "1-", "-", "@", "9" * 13, "$..", "$[", "*", "0"]),
)


@given(
    st.one_of(st.sampled_from([LOG[:500], ORDERS, TABLE[:300], "[" * 5000, ""]), st.text()),
    st.builds(
        Part, WORDS, WORDS, st.integers(-5, 10**9), WORDS, WORDS, WORDS, st.integers(-5, 10**9)
    ),
)
def test_any_arguments_get_an_answer_within_their_room(text: str, part: Part):
    """Whatever a model invents is answered, or refused with a sentence."""
    try:
        page, _ = cut_part(text.encode("utf-8", "replace").decode(), part)
    except UnusablePartError as error:
        assert str(error).endswith((".", ")"))
        return
    assert estimate_tokens(page.text) <= max(part.room, 100) + 400


@given(
    st.lists(st.text("abé\u4e00 .", max_size=8), min_size=1, max_size=30),
    st.sampled_from(["a+b", "^a", "b$", ".", "é.", "(?i)A", "a|b", "^$", "\u4e00 ?a", "[^a]+"]),
)
def test_expressions_see_each_line_by_itself(lines: list[str], source: str):
    """An expression finds the very lines in which Python finds it."""
    text = "\n".join([*lines, "end"])
    wanted = [n for n, line in enumerate(text.split("\n"), 1) if re.search(source, line)]
    try:
        found = list(shown(text, Part(grep=f"/{source}/", max_tokens=100_000)))
    except UnusablePartError:
        found = []
    assert found == wanted


@pytest.mark.parametrize("table", [{"columns": "name"}, {"rows": "1"}])
def test_lines_of_a_table_are_not_silently_left_aside(table: dict[str, str]) -> None:
    """A table is cut by rows; whoever gives lines as well is told so."""
    with pytest.raises(UnusablePartError, match="rows in place of lines"):
        cut_part("name,qty\na,1\nb,2\n", Part(lines="2-3", **table))


def test_there_is_no_row_nought() -> None:
    """Rows and lines count from 1; a range that begins before it begins there."""
    with pytest.raises(UnusablePartError, match="nothing at rows 0"):
        cut_part("name,qty\na,1\nb,2\n", Part(rows="0"))
    assert shown("one\ntwo\nthree", Part(lines="0-2")) == {1: "one", 2: "two"}


def test_a_blank_is_looked_for_like_any_text() -> None:
    """It asks for the lines that have one, not for the whole."""
    with pytest.raises(UnusablePartError, match="No match"):
        cut_part("one\ntwo", Part(grep=" "))


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_the_end_of_a_line_is_found_before_its_return(end: str):
    """An expression's `$` matches in texts of either system, also in one that has both."""
    text = end.join(f"row {n}" for n in range(900)) + "\nrow 1077\r\n"
    assert [line.strip() for line in shown(text, Part(grep="/^row (10)?77$/")).values()] == [
        "row 77", "row 1077",
    ]  # fmt: skip
    assert shown(text, Part(grep=r"/row 1077\r$/")).keys() == {901}
