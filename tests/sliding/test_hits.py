"""How often the card that answers a question is among the first eight."""

from __future__ import annotations

from itertools import islice

import pytest

from flowctx.service.sliding.look import search_cards
from flowctx.service.sliding.recall import Query
from tests.sliding import crowd
from tests.support.cards import block_of, plant
from tests.support.host import HostSession, open_context

MAIN = "agent:main:main"
LEAST = 0.85
CROWD = 600


@pytest.fixture
def context(tmp_path):
    made = open_context(tmp_path)
    yield made
    made.close()


def hits(context, language: crowd.Language, others: list) -> tuple[float, float]:
    """Shares of questions whose card is found by search, and is in the injected block."""
    now = context.now_ms()
    cards = crowd.cards_of(crowd.planted_turns(language, now), now, 1)
    cards += crowd.cards_of(others, now, 2)
    assert len(cards) >= 560
    context.database.write(lambda connection: plant(connection, MAIN, cards, now)).result()
    found = told = 0
    rows = crowd.planted(language)
    for number, each in enumerate(rows):
        session = HostSession(context, f"agent:main:cron:job:run:{number}")
        query = Query(session.state.ref, 0, each.question, now)
        lines = search_cards(context.database, query, 8, context.settings)["cards"]
        found += any(f"] {each.asked} ·" in line for line in lines)
        session.prompt = each.question
        told += f"] {each.asked} ·" in block_of(session.assemble([]))
    return found / len(rows), told / len(rows)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_planted_turns_are_found_among_their_own_words(context, language, record_property):
    """Sixty questions in other words, among 600 turns made of the planted turns' words."""
    found, told = hits(context, language, crowd.mixed_turns(language, CROWD))
    record_property("found", found)
    record_property("told", told)
    assert found >= LEAST


@pytest.mark.shared
@pytest.mark.parametrize("language", ["en", "zh"])
def test_planted_turns_are_found_among_recorded_ones(context, language, shared, record_property):
    """The same among the turns of real sessions."""
    found, told = hits(context, language, list(islice(crowd.recorded_turns(shared), 900)))
    record_property("found", found)
    record_property("told", told)
    assert found >= LEAST
