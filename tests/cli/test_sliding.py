"""`flowctx sliding` and `flowctx import`: what they print and what they leave alone."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from flowctx.cli.main import main
from flowctx.paths import StatePaths
from tests.sliding.test_import import host_store
from tests.support.cards import card, plant
from tests.support.host import open_context

MAIN, WORK = "agent:main:main", "agent:work:main"


def run(state: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments, "--state-dir", str(state)])


def fill(state: Path) -> None:
    """Three cards of one agent, one of another, none of them of now."""
    home = StatePaths(state).home
    home.mkdir(parents=True)
    context = open_context(home)
    now = context.now_ms()
    for key, names in ((MAIN, ("walrus", "otter", "heron")), (WORK, ("badger",))):
        cards = [card(f"Feed the {name}", now - 7_200_000 - n) for n, name in enumerate(names)]
        context.database.write(lambda c, k=key, m=cards: plant(c, k, m, now)).result()
    context.close()


@pytest.mark.parametrize("words", [("stats",), ("list",), ("clear",)], ids=" ".join)
def test_without_a_store_nothing_is_made(tmp_path, words):
    """Looking and deleting where nothing is stored says so and leaves the folder alone."""
    result = run(tmp_path, "sliding", *words)
    assert result.exit_code == 1 and "There is no store" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_cards_are_listed_newest_first_and_by_agent(tmp_path):
    """`--agent` shows nothing of another agent."""
    fill(tmp_path)
    listed = json.loads(run(tmp_path, "sliding", "list", "--agent", "main", "--json").stdout)
    assert [each["title"] for each in listed] == [
        "Feed the walrus",
        "Feed the otter",
        "Feed the heron",
    ]
    assert "badger" in run(tmp_path, "sliding", "list").stdout
    limited = json.loads(run(tmp_path, "sliding", "list", "--limit", "1", "--json").stdout)
    assert len(limited) == 1


def test_stats_count_by_agent_and_kind(tmp_path):
    """All cards of the store, for its owner."""
    fill(tmp_path)
    told = json.loads(run(tmp_path, "sliding", "stats", "--json").stdout)
    assert told["agents"] == {"main": {"dm": 3}, "work": {"dm": 1}}
    assert "4 cards" in run(tmp_path, "sliding", "stats").stdout


def test_clear_deletes_what_is_chosen(tmp_path):
    """A dry run only counts; age, session and agent choose; without any, all goes."""
    fill(tmp_path)
    assert (
        "Would delete 3 cards"
        in run(tmp_path, "sliding", "clear", "--session", MAIN, "--dry-run").stdout
    )
    for words, count in (
        (("--older-than", "3h"), 0),
        (("--session", MAIN, "--older-than", "1h"), 3),
        ((), 1),
    ):
        result = run(tmp_path, "sliding", "clear", *words, "--json")
        assert json.loads(result.stdout)["cards"] == count


def test_an_import_counts_first_and_then_does_it(tmp_path):
    """Without `--yes` nothing is made; with it cards come, and a second time nothing does."""
    now = time.time_ns() // 1_000_000
    bodies = [
        {"role": "user", "content": "Feed the walrus at noon", "timestamp": now - 5_000},
        {"role": "assistant", "content": [{"type": "text", "text": "It is fed and content."}]},
    ]
    state = tmp_path / "state"
    host_store(state, "main", {MAIN: bodies})
    before = sorted(state.rglob("*"))
    counted = run(state, "import")
    assert "Would import 1 session: 2 messages, 1 card." in counted.stdout
    assert sorted(state.rglob("*")) == before
    assert "Imported 1 session: 2 messages, 1 card." in run(state, "import", "--yes").stdout
    assert "walrus" in run(state, "sliding", "list").stdout
    again = json.loads(run(state, "import", "--yes", "--json").stdout)
    assert [each["skipped"] for each in again["sessions"]] == ["known already"]
    assert f"known already ({MAIN})." in run(state, "import").stdout


def test_an_import_that_finds_nothing_says_where_it_looked(tmp_path):
    """An empty answer names the places."""
    said = " ".join(run(tmp_path, "import").stdout.split())
    assert "Would import 0 sessions" in said and "openclaw-agent.sqlite" in said


def test_the_cards_of_no_session_are_no_empty_list(tmp_path):
    """A key that is none is named, as by every other command; so is a limit below nothing."""
    fill(tmp_path)
    done = run(tmp_path, "sliding", "list", "--session", "nope")
    assert done.exit_code == 1 and "nope" in done.stderr
    assert run(tmp_path, "sliding", "list", "--limit", "-4").exit_code == 2
