"""The token estimate: exact weights by class of code point, however the text is stored."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.tokens import estimate_tokens, estimate_total

FIXTURE = Path(__file__).resolve().parent.parent / "fixtures" / "token_estimates.json"
CJK = ((0x3000, 0x30FF), (0x3400, 0x9FFF), (0xAC00, 0xD7AF), (0xFF00, 0xFFEF))
# Every edge of a class, one code point to each side of it.
EDGES = sorted(
    point
    for low, high in (*CJK, (0, 0x7F), (0xD800, 0xDFFF), (0x10000, 0x10FFFF))
    for edge in (low, high)
    for point in (edge - 1, edge, edge + 1)
    if 0 <= point <= 0x10FFFF
)
ANY_TEXT = st.text(st.one_of(st.characters(codec=None), st.sampled_from([*map(chr, EDGES)])))


def naive_quarters(text: str) -> int:
    """The contract word by word: astral 2, CJK 1.5, all else 0.25 tokens."""
    quarters = 0
    for char in text:
        point = ord(char)
        is_cjk = any(low <= point <= high for low, high in CJK)
        quarters += 8 if point > 0xFFFF else 6 if is_cjk else 1
    return quarters


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("", 0, id="nothing costs nothing"),
        pytest.param("a", 1, id="a quarter is rounded up"),
        pytest.param("abcdefgh", 2, id="eight ASCII letters are two tokens"),
        pytest.param("éèêëñüöä", 2, id="other letters weigh what ASCII does"),
        pytest.param("漢字", 3, id="two CJK characters are three tokens"),
        pytest.param("한국", 3, id="Hangul weighs what Han does"),
        pytest.param("カナ", 3, id="Kana weighs what Han does"),
        pytest.param("😀", 2, id="beyond the basic plane a code point is two"),
        pytest.param("\ud83d", 1, id="a lone surrogate is one more letter"),
        pytest.param("\0\r\n\t", 1, id="control characters count as letters"),
    ],
)
def test_the_weight_of_each_class(text, tokens):
    """The weights are the contract behind every threshold."""
    assert estimate_tokens(text) == tokens


@pytest.mark.parametrize("point", EDGES)
def test_the_edges_of_every_class(point):
    """A code point at an edge falls to the right side of it, in any company."""
    for text in (chr(point) * 4, f"a{chr(point)}", f"漢{chr(point)}漢", f"😀{chr(point)}"):
        assert estimate_tokens(text) == math.ceil(naive_quarters(text) / 4)


@given(ANY_TEXT)
def test_the_estimate_is_exact_for_any_text(text):
    """Counting bytes gives what counting code points would, surrogates included."""
    assert estimate_tokens(text) == math.ceil(naive_quarters(text) / 4)


@given(st.lists(ANY_TEXT, max_size=5))
def test_a_total_is_rounded_once(texts):
    """Texts sent one after the other are added before they are rounded."""
    assert estimate_total(texts) == math.ceil(sum(map(naive_quarters, texts)) / 4)


def test_the_estimates_that_the_shim_is_held_to():
    """The file both sides are tested against holds the estimates of this side."""
    cases = json.loads(FIXTURE.read_text("utf-8"))
    assert len(cases) > 30
    wrong = [case["text"] for case in cases if estimate_tokens(case["text"]) != case["tokens"]]
    assert wrong == []
