"""The planner where digests stand: when notes are due, and how long they may be."""

from __future__ import annotations

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from flowctx.dag.plan.chunks import Node, cut_chunks
from flowctx.dag.plan.planner import gate_tokens, plan
from flowctx.dag.plan.room import hidden_tokens, noted_tokens, rooms
from flowctx.dag.plan.standing import standing
from tests.dag.test_fold_planner import (
    PLAN_SETTINGS,
    SETTINGS,
    TURNS,
    commit,
    spans,
    state,
    turns,
    view_tokens,
)


def test_a_digest_stands_until_notes_cover_all_of_it_in_less():
    """The view never grows for the sake of a better note."""
    digest = Node(0, 8, 0, 2000, "digest", "d")
    left, right = Node(0, 4, 0, 900, node="a"), Node(4, 8, 0, 900, node="b")
    assert standing([digest, left]) == (digest,)
    assert standing([digest, left, right]) == (left, right)
    assert standing([digest, left, dataclasses.replace(right, tokens=1200)]) == (digest,)
    assert standing([left, right, Node(0, 8, 1, 500, node="c")])[0].node == "c"


def test_notes_take_the_place_of_a_digest_in_a_later_round():
    """They are cut as if it were not there, and have at least the part of it that they replace."""
    digest = Node(0, 10, 0, 1500, "digest", "d")
    sizes = turns(*[3900] * 4, 100)
    full = state(sizes, digest, noted_tokens=30_000)
    leaves = [step for step in plan(full, SETTINGS).steps if step.kind == "leaf"]
    assert spans(tuple(leaves)) == [(0, 4), (4, 8), (8, 12), (12, 16)]
    assert [step.ceiling_tokens for step in leaves] == [1200, 1200, 1275, 1950]


def test_a_note_may_be_longer_than_the_digest_while_the_gate_leaves_room():
    """But never as long as what it stands for takes without any fold."""
    digest = Node(0, 16, 0, 600, "digest", "d")
    sizes = turns(*[3900] * 4, 100)
    roomy = plan(state(sizes, digest, noted_tokens=4_000), SETTINGS).steps
    full = plan(state(sizes, digest, noted_tokens=12_000), SETTINGS).steps
    assert [step.ceiling_tokens for step in roomy if step.kind == "leaf"] == [1950] * 4
    some = plan(state(sizes, digest, noted_tokens=7_000), SETTINGS).steps
    assert [step.ceiling_tokens for step in some if step.kind == "leaf"] == [1400] * 4
    # And it never gets less than it needs to be of use.
    assert [step.ceiling_tokens for step in full if step.kind == "leaf"] == [1200] * 4


def test_the_gate_counts_what_digests_hide():
    """A digest of old turns counts as what it covers; the outline inside a turn as it stands."""
    costs, starts = [100] * 12, {0, 4, 8}
    old, outline = Node(0, 4, 0, 50, "digest", "d"), Node(9, 11, 0, 30, "digest", "o")
    assert hidden_tokens([old, outline], costs, starts) == 350
    assert hidden_tokens([old, Node(0, 4, 0, 40, node="n")], costs, starts) == 0


def test_written_notes_count_though_they_do_not_stand_yet():
    """Each in place of its messages, and of a digest only what they leave of it."""
    costs, raw = [100] * 12, [200] * 12
    digest, note = Node(0, 8, 0, 80, "digest", "d"), Node(0, 4, 0, 60, node="n")
    assert noted_tokens([digest], costs, raw) == 80 + 400
    assert noted_tokens([digest, note], costs, raw) == 60 + 40 + 400
    assert noted_tokens([digest, note, Node(4, 8, 0, 70, node="m")], costs, raw) == 130 + 400


@given(TURNS, PLAN_SETTINGS, st.floats(0, 1), st.tuples(st.integers(0, 25), st.integers(1, 25)))
def test_notes_replace_a_digest_without_the_view_ever_growing(raw, settings, share, place):
    """Whatever it covered, and though its notes come one by one."""
    sizes = turns(*raw)
    covered = sizes[place[0] : place[0] + place[1]]
    if not covered:
        return
    tokens = sum(turn.view_tokens for turn in covered) // 3
    nodes = [Node(covered[0].start, covered[-1].end, 0, tokens, "digest", "d")]
    before = view_tokens(sizes, nodes)
    found = plan(state(sizes, *nodes), settings)
    for after in commit(nodes, found.steps, share):
        assert view_tokens(sizes, after) <= before
        before = view_tokens(sizes, after)


@given(
    TURNS,
    st.integers(500, 9000),
    st.tuples(st.integers(0, 25), st.integers(1, 25)),
    st.integers(0, 60_000),
)
def test_notes_that_fill_their_rooms_leave_the_view_below_the_gate(raw, size, place, window):
    """Whatever a digest covers; but for what each needs to be of use, which waits for its turn."""
    sizes = turns(*raw)
    covered = sizes[place[0] : place[0] + place[1]]
    if not covered:
        return
    digest = Node(covered[0].start, covered[-1].end, 0, 300, "digest", "d")
    now = view_tokens(sizes, [digest])
    found = state(sizes, digest, window_tokens=window, noted_tokens=now)
    chunks = cut_chunks(sizes, covered[0].start, covered[-1].end, size)
    gate = gate_tokens(found, SETTINGS)
    room = rooms(found, gate, chunks)
    after = now - digest.tokens + sum(tokens for tokens in room if tokens > 1200)
    assert after <= max(now, gate)
    assert all(tokens <= chunk.view_tokens for tokens, chunk in zip(room, chunks, strict=True))
