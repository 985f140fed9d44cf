"""Recall: what a view pays for the cards of other sessions."""

from __future__ import annotations

import itertools
import random

import pytest

from tests.support.cards import card, plant
from tests.support.host import HostSession, open_context

WORDS = [f"word{n}" for n in range(3_000)]


@pytest.mark.parametrize("count", [1_000, 10_000])
def test_first_view_with_cards(benchmark, tmp_path, count):
    """The first view of a session, with so many cards of 120 words to choose from."""
    context = open_context(tmp_path)
    pick = random.Random(3)
    now = context.now_ms()
    cards = [
        card(f"card{n} " + " ".join(pick.choices(WORDS, k=120)), now - n * 1_000)
        for n in range(count)
    ]
    context.database.write(lambda c: plant(c, "agent:main:main", cards, now)).result()
    numbers = itertools.count()

    def fresh() -> tuple[tuple[HostSession], dict]:
        session = HostSession(context, f"agent:main:cron:job:run:{next(numbers)}")
        session.prompt = "Tell me about " + " ".join(pick.choices(WORDS, k=30))
        return (session,), {}

    def first_view(session: HostSession) -> None:
        assert session.assemble([])

    benchmark.pedantic(first_view, setup=fresh, rounds=200)
    seconds = sorted(benchmark.stats.stats.data)
    benchmark.extra_info["p95_ms"] = round(seconds[int(len(seconds) * 0.95)] * 1000, 2)
    context.close()
