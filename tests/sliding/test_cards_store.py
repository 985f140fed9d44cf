"""Cards in the store: the newest of many, expiry, deletion for good."""

from __future__ import annotations

import random

import pytest

from flowctx.config import Settings, parse_settings
from flowctx.service.purge import Selection, purge
from flowctx.service.sliding.clear import clear_cards, expire_old_cards
from flowctx.service.sliding.look import collect_card_stats, count_visible, list_all, search_cards
from flowctx.service.sliding.recall import Query
from flowctx.service.state import SessionTable
from flowctx.sliding_settings import SLIDING_SETTINGS, SlidingSettings
from flowctx.store.card_blocks import CardSelection
from flowctx.store.cards import CardScope, recent_cards
from tests.support.cards import HOUR_MS, block_of, card, live, plant, turn
from tests.support.host import HostSession, open_context

MAIN, CRON = "agent:main:main", "agent:main:cron:daily:run:1"


@pytest.fixture
def context(tmp_path):
    made = open_context(tmp_path)
    yield made
    made.close()


def fill(context, count: int, key: str = MAIN) -> int:
    """So many cards, one a second, written in no order; returns the time of the newest."""
    now = context.now_ms()
    cards = [card(f"thing{n} of place{n % 97}", now - n * 1000) for n in range(count)]
    random.Random(7).shuffle(cards)
    context.database.write(lambda connection: plant(connection, key, cards, now)).result()
    return now


@pytest.mark.parametrize("count", [1, 5, 20])
def test_the_newest_of_ten_thousand_are_the_newest(context, count):
    """Recent-k is right whatever the order in which cards were written."""
    now = fill(context, 10_000)
    scope = CardScope("main", (("owner", "dm"),), now - 48 * HOUR_MS)
    found = context.database.read(lambda connection: recent_cards(connection, scope, count))
    assert [each.card.title.split()[0] for each in found] == [f"thing{n}" for n in range(count)]


def test_one_among_ten_thousand_is_found_by_its_words(context):
    """A question about one card finds it first."""
    now = fill(context, 10_000)
    query = Query(HostSession(context, CRON).state.ref, 0, "what of thing7345?", now)
    found = search_cards(context.database, query, 3, context.settings)["cards"]
    assert "thing7345 " in found[0]


def test_cards_past_the_window_are_deleted_and_sent_blocks_keep_their_bytes(context):
    """Expiry takes rows and index entries, not what a session was already told."""
    at = context.now_ms() - 600_000
    live(HostSession(context, MAIN), turn("Deploy the payment service", "It is on staging.", at))
    session = HostSession(context, CRON)
    session.prompt = "payment?"
    view = session.assemble([])
    session.settle()
    clock = context.now_ms() + 49 * HOUR_MS
    context.now_ms = lambda: clock
    assert expire_old_cards(context) == 1
    assert collect_card_stats(context.database)["cards"] == 0
    session.state.forget()
    assert session.assemble([]) == view and "on staging" in block_of(view)


def test_expiry_is_looked_at_once_an_hour(context):
    """Upkeep on every turn does not scan on every turn."""
    now = context.now_ms()
    context.now_ms = lambda: now
    expire_old_cards(context)
    fill(context, 3)
    context.settings = Settings(sliding=SlidingSettings(window_hours=1))
    context.now_ms = lambda: now + HOUR_MS - 1
    assert expire_old_cards(context) == 0
    context.now_ms = lambda: now + 2 * HOUR_MS
    assert expire_old_cards(context) == 3


@pytest.mark.parametrize("way", ["clear", "purge"])
def test_deleted_cards_are_gone_from_the_file_and_from_other_sessions(tmp_path, way):
    """After a deletion no byte of a card is left: rows, index, blocks, write-ahead log."""
    context = open_context(tmp_path)
    table = SessionTable()
    at = context.now_ms() - 600_000
    live(HostSession(context, MAIN, table), turn("Mind the zanzibarcanary", "I shall mind it.", at))
    session = HostSession(context, CRON, table)
    session.prompt = "zanzibarcanary?"
    assert "zanzibarcanary" in block_of(session.assemble([]))
    session.settle()
    assert b"zanzibarcanary" in files_of(tmp_path)
    if way == "clear":
        assert clear_cards(context, table, CardSelection(session_key=MAIN)) == 1
    purge(context, table, Selection(session_key=MAIN))
    session.prompt = ""
    assert block_of(session.assemble([])) == ""
    context.close()
    assert b"zanzibarcanary" not in files_of(tmp_path)


def files_of(folder) -> bytes:
    """Everything the database keeps on disk."""
    return b"".join(path.read_bytes() for path in folder.glob("flowctx.sqlite*"))


def test_clearing_chooses_by_session_age_and_agent(context):
    """Each field chooses; a dry run only counts."""
    now = context.now_ms()
    for key in (MAIN, CRON, "agent:work:main"):
        fill(context, 4, key)
    table = SessionTable()
    assert clear_cards(context, table, CardSelection(session_key=CRON), dry_run=True) == 4
    assert clear_cards(context, table, CardSelection(session_key=CRON)) == 4
    assert clear_cards(context, table, CardSelection(agent="work", before_ms=now - 1500)) == 2
    assert len(list_all(context.database, CardSelection(), 100)) == 6
    assert clear_cards(context, table, CardSelection()) == 6


def test_stats_count_what_a_caller_may_see(context):
    """The tool's figures are those of its walls; the owner's are of everything."""
    fill(context, 4)
    fill(context, 3, "agent:work:main")
    fill(context, 2, "agent:main:telegram:direct:eve")
    query = Query(HostSession(context, CRON).state.ref, 0, "", context.now_ms())
    told = count_visible(context.database, query, context.settings)
    assert (told["cards"], told["kinds"], told["window_hours"]) == (4, {"dm": 4}, 48)
    assert collect_card_stats(context.database)["agents"] == {"main": {"dm": 6}, "work": {"dm": 3}}


@pytest.mark.parametrize("setting", SLIDING_SETTINGS, ids=lambda setting: setting.key)
def test_every_knob_is_clamped_and_reported(setting):
    """Out of range, of another type, or unknown: told by its whole name, and never an error."""
    wrong = object() if setting.low is None else setting.high + 1
    settings, problems = parse_settings({"sliding": {setting.key: wrong, "nonsense": 1}})
    names = [problem.key for problem in problems]
    assert names == [f"sliding.{setting.key}", "sliding.nonsense"]
    attribute = "".join(f"_{c.lower()}" if c.isupper() else c for c in setting.key)
    expected = setting.default if setting.low is None else setting.high
    assert getattr(settings.sliding, attribute) == expected
    defaults, problems = parse_settings({"sliding": {setting.key: setting.default}})
    assert (defaults, problems) == (Settings(), ())


@pytest.mark.parametrize("value", [7, "on", None, [1], True])
def test_a_group_that_is_no_object_is_reported(value):
    """`sliding: 7` is told and ignored."""
    settings, problems = parse_settings({"sliding": value})
    assert settings == Settings() and [problem.key for problem in problems] == ["sliding"]
