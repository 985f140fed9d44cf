"""Recall: what the first view of a session pays for the cards of other sessions."""

from __future__ import annotations

import itertools
import random
import time
from pathlib import Path

import pytest

from flowctx.service.context import Context
from tests.support.cards import card, plant
from tests.support.host import HostSession, open_context

WORDS = [f"word{n}" for n in range(3_000)]
COUNTS = (0, 1_000, 10_000)
ROUNDS = 200
# Ten times the cards: an index is looked into, not gone through.
MOST_GROWTH = 4.0


@pytest.fixture
def contexts(tmp_path: Path):
    """A store for each count of cards, of 120 words each, one a second."""
    made = {count: _filled(tmp_path / str(count), count) for count in COUNTS}
    yield made
    for context in made.values():
        context.close()


def test_first_view_with_cards(contexts: dict[int, Context], record_property) -> None:
    """Wall and processor time, taken in turns: they grow far less than the number of cards."""
    pick, numbers = random.Random(7), itertools.count()
    taken: dict[int, list[tuple[float, float]]] = {count: [] for count in COUNTS}
    for _ in range(ROUNDS):
        prompt = "Tell me about " + " ".join(pick.choices(WORDS, k=30))
        for count, context in contexts.items():
            session = HostSession(context, f"agent:main:cron:job:run:{next(numbers)}")
            session.prompt = prompt
            taken[count].append(_timed(session, shows=bool(count)))
    for count, rows in taken.items():
        for at, clock in enumerate(("wall", "processor")):
            times = sorted(row[at] for row in rows)
            for share in (50, 95):
                value = times[len(times) * share // 100] * 1000
                record_property(f"{count}_{clock}_p{share}_ms", round(value, 2))
    medians = {count: sorted(row[1] for row in rows)[ROUNDS // 2] for count, rows in taken.items()}
    record_property("growth", round(medians[10_000] / medians[1_000], 2))
    assert medians[10_000] < MOST_GROWTH * medians[1_000]


def _timed(session: HostSession, *, shows: bool) -> tuple[float, float]:
    """Seconds by the wall and of the processor; views of a session are made in one thread."""
    wall, processor = time.perf_counter(), time.thread_time()
    view = session.assemble([])
    seconds = time.perf_counter() - wall, time.thread_time() - processor
    assert bool(view) is shows
    return seconds


def _filled(folder: Path, count: int) -> Context:
    folder.mkdir()
    context = open_context(folder)
    pick, now = random.Random(3), context.now_ms()
    cards = [
        card(f"card{n} " + " ".join(pick.choices(WORDS, k=120)), now - n * 1_000)
        for n in range(count)
    ]
    context.database.write(lambda c: plant(c, "agent:main:main", cards, now)).result()
    return context
