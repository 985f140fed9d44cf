"""The closer estimate against a real vocabulary, and that it takes any text in linear time."""

from __future__ import annotations

import time
from collections import defaultdict
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.close_tokens import estimate_closely
from tests.support.vocabulary import HAS_VOCABULARY, KINDS, VOCABULARIES, counted, texts_by_name


@pytest.mark.skipif(not HAS_VOCABULARY, reason="js-tiktoken is not installed")
@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_it_is_close_to_a_real_vocabulary(vocabulary: str) -> None:
    """Calibrated by one factor it is 12 % off on average, and no kind is far off."""
    texts = texts_by_name()
    assert len(texts) >= 49
    counts = dict(zip(texts, counted([*texts.values()], vocabulary), strict=True))
    estimates = {name: estimate_closely(text) for name, text in texts.items()}
    factor = sum(counts.values()) / sum(estimates.values())
    errors = [abs(factor * estimates[name] / counts[name] - 1) for name in texts]
    assert mean(errors) <= 0.12
    kinds = defaultdict(float)
    for kind, members in KINDS.items():
        kinds[kind] = factor * mean(estimates[name] / counts[name] for name in members)
    assert {kind: ratio for kind, ratio in kinds.items() if not 0.8 <= ratio <= 1.4} == {}


@given(st.text(st.characters(codec=None)))
def test_it_takes_any_text(text: str) -> None:
    """Lone surrogates and all else give a number; no text is below nothing."""
    assert estimate_closely(text) >= 0
    assert estimate_closely(text + "word") >= estimate_closely(text)


def test_a_long_line_takes_linear_time() -> None:
    """Four times the text takes nowhere near sixteen times as long."""

    def taken(size: int) -> float:
        text = "a1 -_" * size + " " * size + "\n" * size + "-" * size
        began = time.perf_counter()
        estimate_closely(text)
        return time.perf_counter() - began

    small, large = min(taken(20_000) for _ in range(3)), min(taken(80_000) for _ in range(3))
    assert large < 10 * small
