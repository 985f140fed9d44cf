"""Samples are spread over a text, and never in step with what repeats itself in it."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from flowctx.reducers.sampling import spread


@given(st.integers(1, 60), st.integers(3, 120))
def test_a_sample_is_in_step_with_no_period(period: int, times: int) -> None:
    """However long records are and however many there are, all their lines are looked at."""
    picks = spread(period * times, 40)
    for line in range(period):
        share = sum(1 for pick in picks if pick % period == line) / len(picks)
        assert share <= max(4 / period, 0.4)


@given(st.integers(1, 5000), st.integers(1, 200))
def test_a_sample_reaches_all_of_a_text(total: int, count: int) -> None:
    """No pick is outside or twice, nearly as many as wanted come, and none is far from the next."""
    picks = spread(total, count)
    assert len(set(picks)) == len(picks) >= min(total, 0.5 * count)
    assert all(0 <= pick < total for pick in picks)
    ordered = [-1, *sorted(picks), total]
    gaps = [b - a for a, b in itertools.pairwise(ordered)]
    assert max(gaps) <= 3 * total / count + 2 * 64 + 2
