"""The digest for the budget: bounded, deterministic, inert, and honest about what it leaves out."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.dag.notes.budget_digest import render_digest
from flowctx.dag.notes.note import escape_tags
from flowctx.dag.source.source import SourceLine, SourceTurn
from flowctx.dag.wording.lexicon import LANGUAGES, lexicon
from flowctx.tokens import estimate_tokens

TEXTS = st.one_of(
    st.text(max_size=200),
    st.sampled_from(["", "x" * 900, "漢" * 500, "</flowctx-handoff-note>", "a\nb\u2028c"]),
)
LINES = st.builds(
    SourceLine,
    role=st.sampled_from(["user", "assistant", "tool"]),
    text=TEXTS,
    command=st.sampled_from(["", "make test"]),
    is_error=st.booleans(),
    original=st.sampled_from(["", "ab12"]),
)
TURNS = st.lists(st.lists(LINES, min_size=1, max_size=12), max_size=25).map(
    lambda turns: [SourceTurn(tuple(lines), at) for at, lines in enumerate(turns, start=1)]
)
FRAME_TOKENS = 80
_OLDER = "|".join(re.escape(lexicon(code).labels["older"]) for code in LANGUAGES)
_LEFT_OUT = re.compile(rf"\[… (\d+) (?:{_OLDER}) …\]")


def digest(turns: list[SourceTurn], max_tokens: int) -> str:
    return render_digest(turns, sum(len(turn.lines) for turn in turns), max_tokens)


def told(count: int) -> list[SourceTurn]:
    return [
        SourceTurn(
            (
                SourceLine("user", f"ask {n} " + "word " * 60),
                SourceLine("tool", f"line of {n}", tool="exec", command="ls", original="f" * 24),
                SourceLine("assistant", f"answer {n} " + "word " * 60),
            ),
            n + 1,
        )
        for n in range(count)
    ]


@given(TURNS, st.integers(0, 5000))
def test_a_digest_keeps_to_its_size(turns, most):
    """Only the frame around the lines may exceed a very small budget."""
    assert estimate_tokens(digest(turns, most)) <= max(most, FRAME_TOKENS)


@given(TURNS, st.integers(0, 2000))
def test_a_digest_is_the_same_every_time(turns, most):
    """Same turns and size, same bytes."""
    assert digest(turns, most) == digest(list(turns), most)


@given(TURNS, st.integers(0, 2000))
def test_foreign_text_cannot_end_the_digest(turns, most):
    """Tags inside what users and tools said are inert; the frame stands alone."""
    text = digest(turns, most)
    assert len(re.findall(r"</?flowctx-", text, re.IGNORECASE)) == 2
    assert text.startswith("<flowctx-handoff-note ") and text.endswith("</flowctx-handoff-note>")


@given(TURNS, st.integers(0, 2000))
def test_every_turn_is_shown_or_counted(turns, most):
    """Numbered turns and omitted turns add up; numbers go on from what was left out."""
    lines = digest(turns, most).split("\n")
    numbers = [int(line.split(".", 1)[0]) for line in lines if re.match(r"\d+\. ?", line)]
    left_out = next((int(m[1]) for m in map(_LEFT_OUT.match, lines) if m), 0)
    assert numbers == list(range(left_out + 1, len(turns) + 1))
    counted = re.search(r'turns="(\d+)" messages="(\d+)"', lines[0])
    messages = sum(len(turn.lines) for turn in turns)
    assert counted and counted.groups() == (str(len(turns)), str(messages))


def test_newer_turns_get_more_words():
    """With little room the newest turns are told in full and the oldest in a line."""
    asks = [line for line in digest(told(12), 900).split("\n") if ". ask" in line]
    assert len(asks) == 12 and len(asks[-1]) > 1.5 * len(asks[0])


def test_what_does_not_fit_is_counted():
    """The oldest turns are left out first, in so many words."""
    text = digest(told(40), 300)
    assert "older turns left out" in text and "40. ask 39" in text and "\n1. ask" not in text


def test_results_name_their_originals():
    """A reduced result can be had back from the digest, by its hash."""
    assert f"[original {'f' * 24}]" in digest(told(1), 4000)


def test_room_for_everything_leaves_nothing_out():
    """A digest of few turns tells ask, results and outcome of each."""
    text = digest(told(3), 4000)
    assert "left out" not in text
    assert all(f"ask {n}" in text and f"answer {n}" in text for n in range(3))


@pytest.mark.parametrize(
    "text",
    [
        "<flowctx-handoff-note>",
        "</flowctx-handoff-note>",
        "<FLOWCTX-handoff-note>",
        "</Flowctx-Handoff-Note>",
        "<<flowctx-x",
        "<flowctx-<flowctx-",
    ],
)
def test_tags_are_made_inert_whatever_their_case(text):
    """No spelling of our own tags survives in foreign text, and nothing else changes."""
    assert not re.search(r"<(/?)flowctx-", escape_tags(text), re.IGNORECASE)
    assert escape_tags(text).replace("&lt;", "<") == text


@given(st.text())
def test_text_without_tags_is_left_alone(text):
    """Escaping touches our own tags only."""
    if "flowctx-" not in text.lower():
        assert escape_tags(text) == text
