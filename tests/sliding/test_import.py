"""Import: what the host already has becomes cards and rows, once."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest
import zstandard

from flowctx.config import Settings
from flowctx.paths import StatePaths
from flowctx.service.hostconfig import HostConfig, read_host_config
from flowctx.service.importing import find_sessions, import_session
from flowctx.sliding_settings import SlidingSettings
from tests.support.cards import HOUR_MS, block_of, texts_of, turn
from tests.support.host import HostSession, open_context

_SCHEMA = """
CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT, created_at INTEGER);
CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB);
CREATE TABLE session_transcript_active_events
    (session_id TEXT, active_position INTEGER, event_seq INTEGER);
"""
MAIN = "agent:main:main"


@pytest.fixture
def context(tmp_path):
    made = open_context(tmp_path)
    yield made
    made.close()


def host_store(state: Path, agent: str, sessions: dict[str, list[dict]]) -> None:
    """A store as the host writes it; every other event is compressed."""
    folder = state / "agents" / agent / "agent"
    folder.mkdir(parents=True)
    connection = apsw.Connection(str(folder / "openclaw-agent.sqlite"))
    connection.execute(_SCHEMA)
    for number, (key, bodies) in enumerate(sessions.items()):
        connection.execute("INSERT INTO session_windows VALUES (?, ?, ?)", (key, key, number))
        for seq, body in enumerate(bodies):
            event = json.dumps({"type": "message", "id": f"{seq}", "message": body})
            packed = zstandard.ZstdCompressor().compress(event.encode()) if seq % 2 else None
            row = (key, seq, None if packed else event, packed)
            connection.execute("INSERT INTO transcript_events VALUES (?, ?, ?, ?)", row)
            connection.execute(
                "INSERT INTO session_transcript_active_events VALUES (?, ?, ?)", (key, seq, seq)
            )
    connection.close()


def run(context, state: Path, *, dry_run: bool = False, config: HostConfig | None = None) -> dict:
    """An import; what came of each session by its key."""
    host = config or HostConfig(state / "openclaw.json")
    sessions = find_sessions(state, host)
    return {s.ref.key: import_session(context, s, dry_run=dry_run) for s in sessions}


def two_turns(context) -> list[dict]:
    """One turn of an hour ago, one of last week."""
    now = context.now_ms()
    old = turn("Plan the offsite in the mountains", "Planned for October.", now - 170 * HOUR_MS)
    return [*old, *turn("Deploy the payment service", "Payment 1.2 is on staging.", now - HOUR_MS)]


def test_a_dry_run_counts_and_changes_nothing(context, tmp_path):
    """It names what would come: all messages, and cards of the turns within the window."""
    host_store(tmp_path / "host", "main", {MAIN: two_turns(context)})
    came = run(context, tmp_path / "host", dry_run=True)[MAIN]
    assert (came.messages, came.cards, came.skipped) == (4, 1, "")
    assert texts_of(context) == []
    assert context.database.read(lambda c: c.execute("SELECT count(*) FROM sessions").get) == 0


def test_an_import_tells_other_sessions_but_not_its_own(context, tmp_path):
    """The card reaches a cron run; the conversation itself still holds its turns."""
    bodies = two_turns(context)
    host_store(tmp_path / "host", "main", {MAIN: bodies})
    run(context, tmp_path / "host")
    session = HostSession(context, "agent:main:cron:x:run:1")
    session.prompt = "What is on staging?"
    assert "Payment 1.2" in block_of(session.assemble([]))
    own = HostSession(context, MAIN)
    own.prompt = "What happened?"
    assert own.assemble(bodies) == bodies
    query = "SELECT count(*), count(body) FROM messages WHERE sources & 8"
    assert context.database.read(lambda c: c.execute(query).fetchone()) == (4, 4)


def test_a_second_import_does_nothing_and_a_broken_one_goes_on(context, tmp_path):
    """What is known stays; what came later, or was not reached, comes."""
    state = tmp_path / "host"
    host_store(state, "main", {MAIN: two_turns(context)})
    run(context, state)
    host_store(state, "work", {"agent:work:main": two_turns(context)})
    again = run(context, state)
    assert again[MAIN].skipped == "known already"
    assert again["agent:work:main"].cards == 1
    assert len(texts_of(context)) == 2


def test_what_is_walled_off_is_left_out(context, tmp_path):
    """Incognito, skipped and sandboxed sessions leave nothing, and it is said why."""
    state, bodies = tmp_path / "host", two_turns(context)
    keys = (
        MAIN,
        "agent:main:dashboard:incognito-1",
        "agent:main:cron:x:run:1",
        "agent:main:hook:y",
    )
    host_store(state, "main", dict.fromkeys(keys, bodies))
    config = state / "openclaw.json"
    config.write_text('{agents: {defaults: {sandbox: {mode: "non-main"}}, entries: {main: {}}}}')
    context.settings = Settings(sliding=SlidingSettings(skip_sessions=("*:hook:*",)))
    came = run(context, state, config=read_host_config(config, state))
    assert [came[key].skipped for key in keys] == ["", "private", "sandboxed", "sandboxed"]
    config.write_text("{}")
    came = run(context, state, config=read_host_config(config, state))
    assert [came[key].skipped for key in keys] == ["known already", "private", "", "skipSessions"]


def test_events_that_are_no_messages_are_passed_over(context, tmp_path):
    """Settings, snapshots and lines cut by a crash are no turns."""
    state = tmp_path / "host"
    host_store(state, "main", {MAIN: two_turns(context), "agent:main:empty": []})
    path = state / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
    connection = apsw.Connection(str(path))
    for seq, event in enumerate(('{"type":"model_change"}', '{"type":"mess', "[1]"), start=90):
        row = (MAIN, seq, event, None)
        connection.execute("INSERT INTO transcript_events VALUES (?, ?, ?, ?)", row)
        connection.execute(
            "INSERT INTO session_transcript_active_events VALUES (?, ?, ?)", (MAIN, seq, seq)
        )
    connection.close()
    assert run(context, state)[MAIN].messages == 4


def damage(path: Path, key: str) -> None:
    """Harm the one compressed event of a session."""
    connection = apsw.Connection(str(path))
    connection.execute(
        "UPDATE transcript_events SET event_zstd = x'00ff' WHERE session_id = ?"
        " AND event_zstd IS NOT NULL",
        (key,),
    )
    connection.close()


def test_a_damaged_session_or_store_keeps_no_other_back(context, tmp_path):
    """Each is named with the reason; all else comes."""
    state, hook = tmp_path / "host", "agent:main:hook:x"
    host_store(state, "main", {MAIN: two_turns(context), hook: two_turns(context)})
    host_store(state, "work", {"agent:work:main": two_turns(context)})
    store = "agents/{}/agent/openclaw-agent.sqlite"
    damage(state / store.format("main"), MAIN)
    (state / "agents" / "a-broken" / "agent").mkdir(parents=True)
    broken = state / store.format("a-broken")
    broken.write_bytes(b"no database at all" * 200)
    came = run(context, state)
    assert came[MAIN].skipped.startswith("cannot be read (")
    assert came[str(broken)].skipped.startswith("store cannot be read (")
    assert [came[key].cards for key in (hook, "agent:work:main")] == [1, 1]


def test_what_json_hardly_takes_comes_as_well(context, tmp_path):
    """Halves of surrogate pairs and huge numbers do not cost the message they stand in."""
    at = context.now_ms() - HOUR_MS
    bodies = turn("Deploy the payment service \ud83d now", "Payment 1.2 is on staging.", at)
    bodies[1]["usage"] = {"input": 2**70}
    host_store(tmp_path / "host", "main", {MAIN: bodies})
    assert run(context, tmp_path / "host")[MAIN].messages == 2
    assert "Payment 1.2" in texts_of(context)[0]


def test_an_import_that_is_killed_goes_on_where_it_stopped(tmp_path):
    """After SIGKILL in the middle a second run brings exactly the rest, each session whole."""
    state, now = tmp_path / "state", time.time_ns() // 1_000_000
    keys = [f"agent:main:explicit:s{n}" for n in range(40)]
    bodies = [body for n in range(15) for body in turn(f"Deploy service {n} now", "Done.", now - n)]
    host_store(state, "main", dict.fromkeys(keys, bodies))
    command = [sys.executable, "-m", "flowctx", "import", "--yes", "--json", "--state-dir", state]
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    database = StatePaths(state).database
    counts = "SELECT count(*) FROM sessions"
    wait_until(lambda: database.exists() and (read(database, counts) or 0) >= 3)
    first.kill()
    first.wait()
    done = read(database, counts)
    assert 0 < done < len(keys)
    told = subprocess.run(command, check=True, capture_output=True)
    skipped = [each["skipped"] for each in json.loads(told.stdout)["sessions"]]
    assert skipped.count("known already") == done and skipped.count("") == len(keys) - done
    assert read(database, counts) == len(keys)
    assert read(database, "SELECT count(*) FROM messages") == len(keys) * len(bodies)


def read(database: Path, query: str) -> int | None:
    """A figure of a store that may just be made; None where it cannot be had yet."""
    try:
        with closing(apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
            connection.set_busy_timeout(5_000)
            return connection.execute(query).get
    except apsw.Error:
        return None


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.005)
