"""A message in a line: short, on one line, well-formed, and telling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.gist import GIST_MAX_CHARS, gist_of
from flowctx.message import parse_message
from tests.support.transcripts import assistant, call, dump, result, user

ANY_TEXT = st.text(st.characters(codec=None))
MOST = GIST_MAX_CHARS + len(" (200000 lines)")


def gist(body: dict) -> str:
    return gist_of(parse_message(dump(body)))


@given(ANY_TEXT, st.booleans())
def test_a_gist_is_one_short_line_of_proper_text(text, is_error):
    """Whatever a message says, its gist is bounded, on one line and can be sent."""
    for body in (user(text), assistant(text), result("c", text, isError=is_error)):
        said = gist(body)
        said.encode("utf-8")
        assert len(said) <= MOST and said == " ".join(said.split())


@given(st.text(max_size=30), st.integers(1, 60))
def test_the_same_text_gives_the_same_gist(text, times):
    """A gist hangs on its message alone."""
    body = result("c", f"{text}\n" * times)
    assert gist(body) == gist(body)


@pytest.mark.parametrize(
    ("text", "extra", "said"),
    [
        pytest.param("", {}, "no output", id="nothing came out"),
        pytest.param(" \n\n", {}, "no output", id="only blanks came out"),
        pytest.param("fine", {}, "fine", id="one line is itself"),
        pytest.param("a\n\nb\nc", {}, "a (3 lines)", id="many lines are counted without blanks"),
        pytest.param(
            "collecting\nE  AssertionError: 1 != 2\nError: exit",
            {},
            "Error: exit (3 lines)",
            id="a word inside a longer one is no cue",
        ),
        pytest.param(
            "start\nworker 3 timed out after 5 s\nend\n(Command exited with code 2)",
            {},
            "exit 2: worker 3 timed out after 5 s (4 lines)",
            id="a failure is told with its code",
        ),
        pytest.param("準備\n错误: 文件不存在", {}, "错误: 文件不存在 (2 lines)", id="Chinese"),
        pytest.param("läuft\nFehler: kein Platz", {}, "Fehler: kein Platz (2 lines)", id="German"),
        pytest.param("gone", {"isError": True}, "failed: gone", id="the host says it failed"),
        pytest.param("ok\n(Command exited with code 0)", {}, "exit 0: ok (2 lines)", id="success"),
    ],
)
def test_the_gist_of_a_result_tells_how_it_ended(text, extra, said):
    """The line that tells most is chosen, with exit code and size."""
    assert gist(result("c", text, **extra)) == said


def test_the_gist_of_a_call_without_text_is_empty():
    """Calls are told by their results."""
    assert gist(assistant(call("c"))) == ""


def test_a_megabyte_in_one_line_is_cut():
    """A huge line is cut with a mark, without reading all of it."""
    assert gist(user("x" * 1_000_000)) == "x" * (GIST_MAX_CHARS - 1) + "…"
