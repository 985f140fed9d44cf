"""The planner: what is folded, in which order, and when it rests."""

from __future__ import annotations

import dataclasses
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.config import Settings
from flowctx.dag.plan.chunks import Edge, Node, TurnSize, cut_chunks, uncovered_runs
from flowctx.dag.plan.planner import chunk_tokens, plan
from flowctx.dag.plan.standing import standing
from flowctx.dag.plan.steps import LEAST_NOTE_TOKENS, PlanState, Step, note_cap

SETTINGS = Settings(
    summary_min_turns=2, summary_keep_recent_turns=1, leaf_chunk_tokens=4000, condense_fanout=3
)


def turns(*raw_tokens: int, messages: int = 4) -> tuple[TurnSize, ...]:
    """Turns of four messages each, cut in the middle, whose view is half of them."""
    return tuple(
        TurnSize(
            at * messages,
            (at + 1) * messages,
            raw,
            raw // 2,
            (Edge(at * messages + 2, raw // 2, raw // 4),),
        )
        for at, raw in enumerate(raw_tokens)
    )


def state(sizes: tuple[TurnSize, ...], *nodes: Node, **changes: int) -> PlanState:
    values = {"assembled_tokens": 30_000, "window_tokens": 60_000, "summariser_tokens": 200_000}
    return PlanState(sizes, nodes, **(values | changes))


def spans(steps: tuple[Step, ...], kind: str = "leaf") -> list[tuple[int, int]]:
    return [(step.start, step.end) for step in steps if step.kind == kind]


@pytest.mark.parametrize(
    ("changes", "settings", "idle"),
    [
        ({}, {"background_summary": False}, "switched off"),
        ({}, {"short_term_memory": False}, "switched off"),
        ({"assembled_tokens": 11_999}, {}, "below the gate"),
        ({}, {"summary_min_turns": 9}, "too few turns"),
        ({}, {"summary_keep_recent_turns": 8}, "nothing old enough"),
        ({}, {"summary_keep_recent_turns": 11}, "nothing old enough"),
        ({}, {"summary_keep_recent_turns": 7}, "waiting for a full chunk"),
    ],
)
def test_a_gate_that_is_closed_says_why(changes: dict, settings: dict, idle: str):
    """Nobody has to guess why nothing was folded."""
    found = plan(state(turns(*[900] * 8), **changes), dataclasses.replace(SETTINGS, **settings))
    assert found.steps == () and found.idle == idle


def test_the_gate_opens_at_its_ratio():
    """Assembled tokens ÷ window ≥ `summaryTriggerRatio`."""
    assert plan(state(turns(*[2000] * 8), assembled_tokens=12_000), SETTINGS).steps


def test_leaves_are_cut_at_turn_edges_and_the_newest_turns_stay():
    """As many whole turns as a chunk holds."""
    found = plan(state(turns(*[1800] * 8)), SETTINGS)
    assert spans(found.steps) == [(0, 8), (8, 16), (16, 24)]
    assert all(step.depth == 0 and step.with_prior for step in found.steps if step.kind == "leaf")


def test_a_turn_larger_than_a_chunk_is_cut_at_its_own_edges():
    """Never inside a tool group, even where a piece is larger than a chunk."""
    found = plan(state(turns(7000, 20_000, 500, 500)), SETTINGS)
    assert spans(found.steps) == [(0, 2), (2, 4), (4, 6), (6, 8)]


def test_a_last_chunk_that_is_not_half_full_waits():
    """Every round rewrites the view; one for a single turn is not worth it."""
    assert spans(plan(state(turns(3900, 1900, 500)), SETTINGS).steps) == [(0, 4)]
    assert spans(plan(state(turns(3900, 2100, 500)), SETTINGS).steps) == [(0, 4), (4, 8)]


def test_neighbours_condense_after_the_leaves_of_the_same_pass():
    """`condenseFanout` of one depth, existing and planned ones together, to the depth allowed."""
    existing = (Node(0, 4, 0, 900, node="a"), Node(4, 8, 0, 900, node="b"))
    found = plan(state(turns(*[3900] * 7, 100), *existing), SETTINGS)
    assert [step.kind for step in found.steps] == ["leaf"] * 5 + ["condense"] * 2
    assert spans(found.steps, "condense") == [(0, 12), (12, 24)]
    deeper = dataclasses.replace(SETTINGS, condense_fanout=2, max_summary_depth=2)
    assert [s.depth for s in plan(state(turns(*[3900] * 4, 100)), deeper).steps] == [
        0, 0, 0, 0, 1, 1, 2,
    ]  # fmt: skip
    none = dataclasses.replace(SETTINGS, max_summary_depth=0)
    assert spans(plan(state(turns(*[3900] * 7, 100)), none).steps, "condense") == []


def test_one_rolling_note_is_brought_up_to_date():
    """`layeredSummary: false`: it covers all from the start, and reads only what is new."""
    rolling = dataclasses.replace(SETTINGS, layered_summary=False)
    first = plan(state(turns(*[3900] * 4, 100)), rolling).steps
    assert [(s.start, s.end, s.read_from, s.with_prior) for s in first] == [
        (0, 4, 0, False), (0, 8, 4, True), (0, 12, 8, True), (0, 16, 12, True),
    ]  # fmt: skip
    prior = Node(0, 12, 0, 700, node="r")
    again = plan(state(turns(*[3900] * 5, 100), prior), rolling).steps
    assert [(s.start, s.end, s.read_from) for s in again] == [(0, 16, 12), (0, 20, 16)]
    assert again[0].sources == (prior,)


def test_notes_that_are_only_added_still_come_to_rest():
    """`summaryReplacesHistory: false` leaves the view above the gate; what is noted stays noted."""
    added = dataclasses.replace(SETTINGS, summary_replaces_history=False, max_summary_depth=0)
    found = plan(state(turns(*[3900] * 4, 100)), added)
    nodes = [Node(step.start, step.end, 0, 500) for step in found.steps]
    assert len(nodes) == 4
    assert plan(state(turns(*[3900] * 4, 100), *nodes), added).idle == "all folded"


def test_without_increments_a_rolling_note_reads_everything_while_it_can():
    """`incrementalSummary: false`: from the start, as long as that fits into one chunk."""
    settings = dataclasses.replace(SETTINGS, layered_summary=False, incremental_summary=False)
    prior = Node(0, 4, 0, 300, node="r")
    (step,) = plan(state(turns(1000, 2900, 100), prior), settings).steps
    assert (step.read_from, step.with_prior) == (0, False)


@pytest.mark.parametrize(
    ("window", "summariser", "size"),
    [(1_000_000, 200_000, 40_000), (100_000, 200_000, 20_000), (1_000_000, 30_000, 18_000)],
)
def test_a_chunk_exceeds_neither_the_gate_nor_the_summarisers_window(window, summariser, size):
    """What opens the gate can be folded, and what is folded can be read."""
    some = state((), window_tokens=window, summariser_tokens=summariser)
    assert chunk_tokens(some, Settings()) == size


def test_a_note_that_can_gain_nothing_is_not_asked_for():
    """A chunk that the view already shows in a few lines stays as it is."""
    sizes = tuple(
        dataclasses.replace(turn, view_tokens=20, edges=()) for turn in turns(*[4000] * 5)
    )
    assert plan(state(sizes), SETTINGS).idle == "nothing to gain"


def test_a_note_is_capped_below_what_it_replaces():
    """And by `summaryMaxTokens` where that is less."""
    (leaf,) = [s for s in plan(state(turns(3900, 100, 100)), SETTINGS).steps if s.kind == "leaf"]
    assert note_cap(leaf, SETTINGS) < leaf.ceiling_tokens
    assert note_cap(leaf, dataclasses.replace(SETTINGS, summary_max_tokens=500)) == 500
    sources = (Node(0, 4, 0, 400, node="a"), Node(4, 8, 0, 500, node="b"))
    assert dataclasses.replace(leaf, sources=sources).ceiling_tokens == leaf.ceiling_tokens + 900


TURNS = st.lists(st.integers(0, 12_000), min_size=1, max_size=25)
PLAN_SETTINGS = st.builds(
    Settings,
    summary_min_turns=st.just(1),
    summary_keep_recent_turns=st.integers(0, 3),
    leaf_chunk_tokens=st.sampled_from([2000, 4000, 16_000]),
    condense_fanout=st.integers(2, 6),
    max_summary_depth=st.integers(0, 3),
    layered_summary=st.booleans(),
    incremental_summary=st.booleans(),
)


def commit(nodes: list[Node], steps: tuple[Step, ...], share: float) -> list[list[Node]]:
    """The nodes after each commit of a pass whose notes take a share of their ceilings."""
    states = []
    for step in steps:
        sources = [n for n in standing(nodes) if step.start <= n.start and n.end <= step.end]
        actual = step if step.kind == "leaf" else dataclasses.replace(step, sources=tuple(sources))
        if actual.ceiling_tokens < LEAST_NOTE_TOKENS:
            continue
        tokens = max(int(share * (actual.ceiling_tokens - 1)), 1)
        nodes = [*nodes, Node(step.start, step.end, step.depth, tokens)]
        states.append(nodes)
    return states


def view_tokens(sizes: tuple[TurnSize, ...], nodes: list[Node]) -> int:
    """What a view costs in which these nodes stand."""
    shown = standing(nodes)
    runs = uncovered_runs(shown, 0, sizes[-1].end)
    raw = [c for run in runs for c in cut_chunks(sizes, *run, 1)]
    return sum(node.tokens for node in shown) + sum(chunk.view_tokens for chunk in raw)


@given(TURNS, PLAN_SETTINGS, st.floats(0, 1))
def test_a_pass_covers_in_order_without_overlap_and_shrinks_the_view_each_time(
    raw, settings, share
):
    """Coverage is contiguous, disjoint and monotone; every commit makes the view smaller."""
    sizes = turns(*raw)
    found = plan(state(sizes), settings)
    leaves = spans(found.steps, "leaf")
    assert leaves == sorted(leaves)
    assert all(low[1] <= high[0] for low, high in pairwise(leaves))
    before = view_tokens(sizes, [])
    covered: set[int] = set()
    for nodes in commit([], found.steps, share):
        now = {at for node in standing(nodes) for at in range(node.start, node.end)}
        assert covered <= now
        after = view_tokens(sizes, nodes)
        assert after < before
        covered, before = now, after


@given(TURNS, PLAN_SETTINGS, st.floats(0, 1))
def test_a_second_pass_with_nothing_new_finds_nothing(raw, settings, share):
    """The gate stops firing, whatever the notes turned out to take."""
    sizes = turns(*raw)
    found = plan(state(sizes), settings)
    nodes = (commit([], found.steps, share) or [[]])[-1]
    again = plan(state(sizes, *nodes), settings)
    assert again.steps == ()


@given(TURNS, PLAN_SETTINGS, st.integers(1, 6))
def test_a_pass_that_broke_off_is_taken_up_where_it_stood(raw, settings, done):
    """No chunk is lost and none is covered twice when a pass dies after any commit."""
    sizes = turns(*raw)
    steps = plan(state(sizes), settings).steps
    states = commit([], steps[:done], 0.5)
    nodes = states[-1] if states else []
    rest = plan(state(sizes, *nodes), settings).steps
    whole, resumed = {}, {}
    for target, listed in ((whole, steps), (resumed, (*steps[:done], *rest))):
        for step in listed:
            if step.kind != "condense":
                target.setdefault((step.start, step.end), step.kind)
    assert resumed == whole


@given(TURNS, st.integers(0, 30), st.integers(1, 9000))
def test_chunks_cover_a_run_exactly(raw, start, size):
    """Every message between two edges is in one chunk."""
    sizes = turns(*raw)
    start = min(start * 2, sizes[-1].end)
    chunks = cut_chunks(sizes, start, sizes[-1].end, size)
    covered = [at for chunk in chunks for at in range(chunk.start, chunk.end)]
    assert covered == list(range(start, sizes[-1].end))
