"""Scores worked out by hand, and the choice that is made by them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.sliding.choose import Candidate, choose, within_budget, without_duplicates
from flowctx.sliding.clip import clip
from flowctx.sliding.score import HALF_LIFE_MS, WEIGHTS, Signals, recency
from flowctx.sliding.terms import Question, terms_of
from flowctx.sliding_settings import SlidingSettings
from tests.support.cards import HOUR_MS, stored

# relevance, recency, same session, work, dm, and the score worked out by hand.
BY_HAND = [
    (0.0, 0.0, 0, 0, 0, 0.0),
    (1.0, 1.0, 1, 1, 1, 1.0),
    (1.0, 0.0, 0, 0, 0, 0.40),
    (0.0, 1.0, 0, 0, 0, 0.30),
    (0.0, 0.0, 1, 0, 0, 0.10),
    (0.0, 0.0, 0, 1, 0, 0.10),
    (0.0, 0.0, 0, 0, 1, 0.10),
    (1.0, 1.0, 0, 0, 0, 0.70),
    (0.5, 0.5, 0, 0, 0, 0.35),
    (0.5, 1.0, 0, 0, 1, 0.60),
    (0.25, 0.5, 0, 1, 0, 0.35),
    (0.75, 0.25, 0, 0, 0, 0.375),
    (0.8, 0.125, 1, 0, 1, 0.5575),
    (0.1, 0.9, 0, 1, 1, 0.51),
    (0.9, 0.1, 1, 1, 0, 0.59),
    (0.6, 0.0, 0, 1, 1, 0.44),
    (0.0, 0.5, 0, 0, 1, 0.25),
    (0.33, 0.0, 0, 0, 0, 0.132),
    (0.0, 0.77, 1, 0, 0, 0.331),
    (0.42, 0.64, 0, 1, 0, 0.46),
]


@pytest.mark.parametrize("case", BY_HAND, ids=[str(case[:5]) for case in BY_HAND])
def test_the_score_is_the_weighted_sum(case):
    """Twenty cases worked out with the weights 40, 30, 10, 10 and 10."""
    assert Signals(*case[:5]).score == pytest.approx(case[5])


def test_the_weights_are_whole():
    """All signals together make 1."""
    assert sum(WEIGHTS.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("hours", "left"), [(0, 1.0), (8, 0.5), (16, 0.25), (24, 0.125), (4, 0.7071)]
)
def test_half_of_the_recency_is_left_after_eight_hours(hours, left):
    """The half-life is exactly eight hours."""
    assert HALF_LIFE_MS == 8 * HOUR_MS
    assert recency(0, hours * HOUR_MS) == pytest.approx(left, abs=1e-4)


@given(st.integers(-(10**15), 10**15), st.integers(0, 10**15))
def test_recency_stays_between_nothing_and_all(time_ms, now_ms):
    """A clock that went backwards makes no card more than new."""
    assert 0.0 <= recency(time_ms, now_ms) <= 1.0


def test_a_rare_word_tells_more_than_a_common_one():
    """Of two cards that each hold one word of the question the rarer word's wins."""
    counts = dict(zip(terms_of("deploy zebra"), (900, 1), strict=True))
    question = Question.of(counts, counts, 1000)
    rare, common = (question.answered_by(" ".join(terms_of(t))) for t in ("zebra", "deploy"))
    assert rare > 2 * common > 0
    assert question.answered_by(" ".join(counts)) == 1.0
    assert Question.of([], {}, 0).answered_by("zebra") == 0.0


def candidate(text: str, hours: float, id_: int, relevance_: float = 0.0) -> Candidate:
    """A card of so many hours ago."""
    at = round((1_000 - hours) * HOUR_MS)
    signals = Signals(relevance_, recency(at, 1_000 * HOUR_MS), 0.0, 0.0, 1.0)
    return Candidate(stored(text, at, id_), "full", signals)


def many(count: int) -> list[Candidate]:
    """Cards about different things, one an hour, newest first."""
    return [candidate(f"thing{n} of kind{n} in place{n}", n, n) for n in range(count)]


def test_the_newest_are_always_there_and_the_relevant_ones_on_top():
    """Five newest and three most relevant: none pushes another out."""
    cards = [
        *many(20),
        *[candidate(f"far away {n} about pay{n}", 40 + n, 90 + n, 0.9 - n / 10) for n in range(5)],
    ]
    ids = {each.stored.id for each in choose(cards, SlidingSettings())}
    assert ids == {0, 1, 2, 3, 4, 90, 91, 92}


def test_a_card_that_is_recent_and_relevant_gets_both():
    """Its score has both parts, it says so, and its place is not counted twice."""
    cards = [
        *many(8),
        candidate("new and about it", 0.5, 50, 0.9),
        candidate("old and about it too", 30, 51, 0.9),
    ]
    chosen = {each.stored.id: each for each in choose(cards, SlidingSettings())}
    both, old = chosen[50], chosen[51]
    assert both.why == "recent, relevant" and old.why == "relevant"
    assert both.signals.score == pytest.approx(0.4 * 0.9 + 0.3 * 0.5 ** (0.5 / 8) + 0.1)
    assert both.signals.score > old.signals.score


def test_near_duplicates_collapse_to_the_newest():
    """An hourly report is one line, with its number."""
    cards = [
        candidate(f"Backup of the shop database finished without errors run {n}", n, n)
        for n in range(6)
    ]
    (left,) = without_duplicates([*cards])
    assert (left.stored.id, left.times) == (0, 6)
    assert len(without_duplicates(many(6))) == 6


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Deploy release 4.1.7 of billing to staging",
            "Deploy release 4.2.0 of billing to staging",
        ),
        ("Deploy billing to staging now", "Deploy billing to production now"),
        ("Close ticket BUG-102 as fixed", "Close ticket BUG-103 as fixed"),
        ("Review PR #12 of the shop please", "Review PR #13 of the shop please"),
        (
            "Restart the web server in berlin and say whether it answers again afterwards",
            "Restart the web server in munich and say whether it answers again afterwards",
        ),
        (
            "Give Alice the admin role in the shop system please",
            "Give Bob the admin role in the shop system please",
        ),
        ("Copy the orders from alpha to beta", "Copy the orders from beta to alpha"),
        ("请帮我重启柏林机房的网站服务器", "请帮我重启上海机房的网站服务器"),
        (
            f"{'Look through all of the logs ' * 4} of berlin",
            f"{'Look through all of the logs ' * 4} of rome",
        ),
    ],
)
def test_other_work_of_the_same_kind_is_not_a_duplicate(one: str, other: str):
    """Another release, place, person, ticket or request is another thing that was done."""
    assert len(without_duplicates([candidate(one, 1, 1), candidate(other, 2, 2)])) == 2


def test_a_run_that_failed_is_no_duplicate_of_one_that_did_not():
    """What went wrong an hour ago is not hidden behind the next run."""
    fine, broken = candidate("back up the shop", 1, 1), candidate("back up the shop", 2, 2)
    card = replace(broken.stored.card, outcome="failed")
    broken = replace(broken, stored=replace(broken.stored, card=card))
    assert len(without_duplicates([fine, broken])) == 2


def test_long_reports_collapse_wherever_their_counters_cut_them():
    """Numbers of another length do not make another wish of a long one."""
    wish = "Report run {} of the nightly job that copies the orders of the shop to the archive, "
    cards = [candidate(wish.format(9 * 10**n) * 5, n, n) for n in range(4)]
    for at, each in enumerate(cards):
        title, text = (clip(each.stored.card.text, tokens) for tokens in (16, 38))
        card = replace(each.stored.card, title=title, text=text)
        cards[at] = replace(each, stored=replace(each.stored, card=card))
    assert [each.times for each in without_duplicates(cards)] == [4]


@given(st.integers(0, 400), st.lists(st.integers(1, 120), max_size=12))
def test_a_budget_is_never_exceeded(room, costs):
    """Lines are taken best first while they fit, and shown oldest first."""
    cards = [candidate(f"card {n}", n, n) for n in range(len(costs))]
    kept = within_budget(cards, room, lambda each: costs[each.stored.id])
    assert sum(costs[each.stored.id] for each in kept) <= room
    times = [each.stored.card.time_ms for each in kept]
    assert times == sorted(times)


@pytest.mark.parametrize(("entries", "recent"), [(3, 5), (8, 0), (0, 5), (50, 50)])
def test_counts_are_caps(entries, recent):
    """`maxInjectEntries` and `recentCount` hold."""
    settings = SlidingSettings(recent_count=recent, max_inject_entries=entries)
    assert len(choose(many(60), settings)) == min(entries, recent)


def test_a_twin_that_may_be_told_in_full_stands_for_the_others() -> None:
    """A newer card behind a wall does not hide what an older one of the caller's says."""
    older = candidate("deploy the till to staging", hours=3, id_=1)
    newer = replace(candidate("deploy the till to staging", hours=1, id_=2), level="titles")
    (kept,) = without_duplicates([older, newer])
    assert (kept.stored.id, kept.level, kept.times) == (1, "full", 2)
