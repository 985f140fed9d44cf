"""Spacing Chinese, Japanese and Korean for the index."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.cjk import is_spaceless, pairs, runs, spaced


@pytest.mark.parametrize(
    ("text", "indexed"),
    [
        ("支付服务", "支付 付服 服务 务"),
        ("API服务", "API 服务 务"),
        ("データ", "デー ータ タ"),
        ("결제 서비스", "결제 제 서비 비스 스"),
        ("ｐｏｒｔ ８０８０", "port 8080"),
        ("plain words", "plain words"),
    ],
)
def test_runs_become_pairs(text: str, indexed: str):
    """Words of these scripts become pairs, all other words stay."""
    assert " ".join(spaced(text).split()) == indexed


@given(st.text())
def test_no_text_is_too_odd(text: str):
    """Any text can be spaced, and every run in it is found again as its pairs."""
    words = spaced(text).split()
    for run in runs(text.encode("utf-8", "replace").decode()):
        assert is_spaceless(run)
        assert set(pairs(run)) <= set(words)
