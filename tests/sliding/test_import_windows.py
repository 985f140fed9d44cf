"""Import of sessions that the host keeps in several windows: all come, each once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import apsw
import pytest

from flowctx.identity import resolve_session
from flowctx.service.context import Context
from flowctx.service.hostconfig import HostConfig
from flowctx.service.importing import Imported, find_sessions, import_session
from flowctx.service.search.find import search
from flowctx.store.ledger import own_epochs
from tests.sliding.test_import import host_store
from tests.support.cards import HOUR_MS, turn
from tests.support.host import HostSession, open_context
from tests.support.transcripts import Body

MAIN = "agent:main:main"


@pytest.fixture
def context(tmp_path):
    made = open_context(tmp_path / "ours")
    yield made
    made.close()


def instruments(context: Context) -> dict[str, list[Body]]:
    """Three windows, each with a word of its own."""
    now = context.now_ms()
    return {
        "w1": turn("The harpsichord tuner comes on Tuesday", "Noted.", now - 9 * HOUR_MS),
        "w2": turn("The marimba teacher is called Ines", "I wrote it down.", now - 6 * HOUR_MS),
        "w3": turn("Order 12 reeds for the oboe", "Ordered the reeds.", now - 2 * HOUR_MS),
    }


def windows(state: Path, parts: dict[str, list[Body]]) -> None:
    """A store of the host in which one session has these windows."""
    host_store(state, "main", parts)
    path = state / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE session_windows SET session_key = ?", (MAIN,))
    connection.close()


def run(context: Context, state: Path, *, dry_run: bool = False) -> list[Imported]:
    sessions = find_sessions(state, HostConfig(state / "openclaw.json"))
    done = [import_session(context, each, dry_run=dry_run) for each in sessions]
    context.index.drain(context.settings)
    return done


def found(context: Context, words: Sequence[str]) -> dict[str, bool]:
    """Which of the words are found, and whether in an earlier conversation."""
    ref = resolve_session("agent:main:explicit:asks")
    hits = {word: search(context.database, ref, word).hits for word in words}
    return {word: hits[word][0].is_earlier for word in words if hits[word]}


def epochs(context: Context) -> list[tuple[int, bool]]:
    """Numbers of the epochs, and which goes on."""
    query = "SELECT epoch, ended_ms IS NULL FROM sessions WHERE key = ? ORDER BY epoch"
    rows = context.database.read(lambda c: c.execute(query, (MAIN,)).fetchall())
    return [(epoch, bool(runs)) for epoch, runs in rows]


def test_every_window_of_a_session_comes_and_the_newest_goes_on(context, tmp_path):
    """The dry run promises what the run does; what was reset is an earlier conversation."""
    windows(tmp_path, instruments(context))
    promised = run(context, tmp_path, dry_run=True)
    assert run(context, tmp_path) == promised
    assert [(each.window, each.messages, each.cards) for each in promised] == [
        ("w1", 2, 1), ("w2", 2, 1), ("w3", 2, 1),
    ]  # fmt: skip
    assert found(context, ("harpsichord", "marimba", "oboe")) == {
        "harpsichord": True, "marimba": True, "oboe": False,
    }  # fmt: skip
    assert epochs(context) == [(1, False), (2, False), (3, True)]
    assert {each.skipped for each in run(context, tmp_path)} == {"known already"}


def test_the_host_goes_on_in_the_window_that_was_imported(context, tmp_path):
    """What it hands over is what came: no message twice, no epoch anew."""
    parts = instruments(context)
    windows(tmp_path, parts)
    run(context, tmp_path)
    host = HostSession(context, MAIN)
    host.prompt = "And the strings?"
    assert host.assemble(parts["w3"]) == parts["w3"]
    host.settle()
    assert epochs(context) == [(1, False), (2, False), (3, True)]
    count = context.database.read(lambda c: c.execute("SELECT count(*) FROM messages").get)
    assert count == 6


def test_a_session_that_ran_with_flowctx_still_gets_its_earlier_windows(context, tmp_path):
    """They go below the epoch that runs, which is known by what it holds and stays as it is."""
    parts = instruments(context)
    windows(tmp_path, parts)
    HostSession(context, MAIN).assemble(parts["w3"])
    promised = run(context, tmp_path, dry_run=True)
    assert [each.skipped for each in promised] == ["", "", "known already"]
    assert run(context, tmp_path) == promised
    assert epochs(context) == [(-1, False), (0, False), (1, True)]
    assert found(context, ("harpsichord", "marimba", "oboe")) == {
        "harpsichord": True, "marimba": True, "oboe": False,
    }  # fmt: skip
    assert {each.skipped for each in run(context, tmp_path)} == {"known already"}


def test_a_window_that_began_with_a_copy_is_none_that_is_known(context, tmp_path):
    """A fork that took the last turn over and went on comes whole."""
    parts = instruments(context)
    HostSession(context, MAIN).assemble(parts["w1"])
    windows(tmp_path, {"fork": [*parts["w1"], *parts["w2"], *parts["w3"]]})
    assert [each.messages for each in run(context, tmp_path)] == [6]
    assert "marimba" in found(context, ("marimba",))


def test_a_window_that_began_since_the_last_import_is_the_one_that_goes_on(context, tmp_path):
    """What was the newest one ends with it, and stays no news to its own session."""
    parts = instruments(context)
    windows(tmp_path / "then", {"w1": parts["w1"]})
    run(context, tmp_path / "then")
    windows(tmp_path / "now", parts)
    assert [each.skipped for each in run(context, tmp_path / "now")] == ["known already", "", ""]
    assert epochs(context) == [(1, False), (2, False), (3, True)]
    assert len(context.database.read(lambda c: own_epochs(c, "main", MAIN))) == 3
