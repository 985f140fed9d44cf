"""The fold policy: a round is made when it pays, and only then."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.dag.plan.policy import (
    LEAST_GAIN_TOKENS,
    Pace,
    Standing,
    TurnCost,
    choose_form,
    condensed_tokens,
    digest_tokens,
    may_condense,
)
from flowctx.dag.prices import Prices

SENT = TurnCost(tokens=9_000, shared=9_000, outlined_tokens=3_000, outlined_shared=500)
JUST_ENDED = replace(SENT, shared=800)
PACE = Pace(calls_ahead=40, cache_is_dead=False, gate_tokens=1_000_000)
SMALL_TURN = TurnCost(tokens=300, shared=300, outlined_tokens=300, outlined_shared=300)


def standing(*turns: TurnCost, digests: tuple[int, ...] = (), foldable: int = 0) -> Standing:
    return Standing(head_tokens=0, digests=digests, turns=turns, foldable=foldable)


def test_many_calls_pay_for_a_round_and_few_do_not() -> None:
    """The same view is folded before a turn of forty calls, and kept before one of two."""
    view = standing(SENT, SENT, JUST_ENDED, foldable=2)
    assert choose_form(view, PACE).form == "fold"
    assert choose_form(view, PACE).reason == "folding pays"
    assert choose_form(view, replace(PACE, calls_ahead=2)).form == "keep"


def test_recent_turns_are_outlined_at_most() -> None:
    """With nothing old enough to digest, the turn that ended is outlined."""
    assert choose_form(standing(JUST_ENDED), PACE).form == "outline"


def test_a_dead_cache_makes_a_round_free() -> None:
    """What does not pay with a warm cache does at once with a cold one, as nothing is lost."""
    view = standing(SENT, SENT, SENT, JUST_ENDED, digests=(4_000,), foldable=3)
    warm = replace(PACE, calls_ahead=13)
    cold = replace(warm, cache_is_dead=True)
    assert choose_form(view, cold).saved > choose_form(view, warm).saved
    assert choose_form(view, cold).reason == "the cache is cold"


def test_at_the_gate_it_folds_in_any_case() -> None:
    """A view of the gate's size is folded even where it does not pay."""
    view, slow = standing(SENT, JUST_ENDED, foldable=1), replace(PACE, calls_ahead=1)
    assert choose_form(view, slow).form == "keep"
    gate = replace(slow, gate_tokens=view.tokens)
    assert choose_form(view, gate).form == "fold"
    assert choose_form(view, gate).reason == "the gate is reached"


def test_the_plain_gate_never_folds_before_it() -> None:
    """With `only_at_gate` no saving is reason enough."""
    view = standing(SENT, SENT, JUST_ENDED, foldable=2)
    assert choose_form(view, PACE, only_at_gate=True).form == "keep"
    gate = replace(PACE, gate_tokens=view.tokens)
    assert choose_form(view, gate, only_at_gate=True).form == "fold"


def test_a_round_that_gains_little_is_not_made() -> None:
    """However many calls are to come, small turns stay as they are, even with a cold cache."""
    view = standing(*[SMALL_TURN] * 6, foldable=5)
    busy = replace(PACE, calls_ahead=5_000, cache_is_dead=True, gate_tokens=0)
    assert choose_form(view, busy).form == "keep"


def test_a_summarisers_call_must_pay_too() -> None:
    """Notes that a model writes cost more than digests, so they wait for a busier session."""
    view = standing(SENT, JUST_ENDED, foldable=1)
    model = replace(PACE, calls_ahead=22, note_tokens=1_500)
    assert choose_form(view, replace(model, note_tokens=0)).form == "fold"
    assert choose_form(view, model).form == "outline"


def test_digests_are_condensed_when_there_is_enough_of_them() -> None:
    """Several digests that outgrow one become one, the newest turns' apart."""
    few, many = (1_500, 1_500), (4_000, 3_000, 3_000)
    assert not may_condense(few)
    assert may_condense(many)
    view = standing(SENT, JUST_ENDED, digests=many, foldable=1)
    assert choose_form(view, PACE).form == "condense"
    assert condensed_tokens(many) < sum(many)
    assert not may_condense((9_000,)), "one digest cannot be condensed"


@given(
    turns=st.lists(
        st.tuples(st.integers(0, 60_000), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)),
        min_size=1,
        max_size=12,
    ),
    digests=st.lists(st.integers(100, 9_000), max_size=5),
    calls=st.floats(0, 300),
    cached=st.floats(0, 1),
    dead=st.booleans(),
)
def test_a_choice_is_sound_whatever_the_view(turns, digests, calls, cached, dead) -> None:
    """It is deterministic, folds only to something enough smaller, and only for a saving."""
    costs = tuple(
        TurnCost(size, int(size * a), int(size * b), int(size * min(a, b, c)))
        for size, a, b, c in turns
    )
    view = Standing(50, tuple(digests), costs, foldable=max(len(costs) - 1, 0))
    pace = Pace(calls, dead, 10**9, prices=Prices(cached=cached, write=1.0))
    choice = choose_form(view, pace)
    assert choice == choose_form(view, pace)
    if choice.form == "keep":
        assert (choice.reason, choice.saved, choice.tokens) == ("", 0.0, view.tokens)
    else:
        assert choice.saved > 0
        assert view.tokens - choice.tokens >= LEAST_GAIN_TOKENS


@pytest.mark.parametrize("turns", [1, 2, 10, 1_000])
def test_a_digest_has_a_ceiling(turns: int) -> None:
    """More turns get more room, up to a ceiling."""
    assert digest_tokens(turns) <= digest_tokens(turns + 1) <= digest_tokens(10**6) == 5_000
