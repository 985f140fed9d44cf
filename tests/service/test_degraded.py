"""A store that cannot be used: views go on, nothing is promised that is not kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from flowctx.errors import InvalidRequestError, StoreError, StoreUnavailableError
from flowctx.identity import resolve_session
from flowctx.reducers.marker import marked_hashes
from flowctx.service.context import Context
from flowctx.service.events import Outcome, record_event, record_outcome
from flowctx.service.recall.pins import list_pins, pin
from flowctx.service.retrieve import retrieve
from flowctx.service.stats import collect_stats
from flowctx.service.upkeep import maintain
from tests.support.host import HostSession, open_context
from tests.support.provider import violations
from tests.support.turns import text_at, turn, turns

ME = resolve_session("agent:main:main")


@pytest.fixture
def unavailable(tmp_path):
    """A context whose database can be neither read nor written: its path is a folder."""
    (tmp_path / "flowctx.sqlite").mkdir()
    made = open_context(tmp_path)
    assert made.database.status.state == "unavailable"
    yield made
    made.close()


def test_without_a_store_views_are_whole_and_valid(unavailable: Context):
    """Messages come through, nothing is reduced, nothing is promised to come back."""
    host = HostSession(unavailable)
    for count in (1, 2, 5):
        assert host.assemble(turns(count)) == turns(count)
        assert host.answer.reduced == 0


def test_without_a_store_the_budget_still_holds(unavailable: Context):
    """Folding needs no file: asks and outcomes are told from memory."""
    host = HostSession(unavailable)
    view = host.assemble(turns(40), budget=6_000)
    assert host.answer.estimated_tokens <= 6_000 and violations(view) == []
    assert "do 30" in view[0]["content"] and "[original" not in view[0]["content"]


def test_without_a_store_every_call_answers(unavailable: Context):
    """Observing, committing, events, outcomes and upkeep neither raise nor hang."""
    host = HostSession(unavailable)
    host.observe(*turn(0))
    assert host.commit("key", turn(0))
    assert not host.commit("key", turn(0))
    record_event(unavailable, host.state, "reset")
    record_outcome(unavailable, host.state, Outcome(True, "", 3, 5))
    maintain(unavailable, host.state)
    with pytest.raises(StoreUnavailableError):
        retrieve(unavailable.database, ME, "0" * 24)
    assert collect_stats(unavailable.database)["store"]["state"] == "unavailable"


def test_without_a_store_memory_does_not_grow_with_bodies(unavailable: Context):
    """No body and no original is kept where nothing is kept for good."""
    host = HostSession(unavailable)
    host.observe(*turns(5))
    host.commit("key", turns(5))
    host.assemble(turns(5))
    blobs = unavailable.database.read(lambda c: c.execute("SELECT count(*) FROM blobs").get)
    assert blobs == 0


def test_a_log_that_cannot_be_written_costs_only_the_log(tmp_path):
    """An unwritable continuity log must not undo what a view records in the store."""
    (tmp_path / "flowctx-sessions.jsonl").mkdir()
    context = open_context(tmp_path)
    said = []
    context.notify = lambda kind, text: said.append(text)
    host = HostSession(context)
    host.assemble(turns(3))
    host.settle()
    (session,) = collect_stats(context.database)["sessions"]
    assert session["assembles"] == 1 and session["reduced_results"] == 3
    assert any("flowctx-sessions.jsonl" in text for text in said)
    context.close()


def run_as_nobody(folder: Path, hash_: str) -> dict:
    """What a user without write permission sees; run apart, because root may write anything."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.as_nobody", str(folder), hash_],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.fixture
def filled():
    """A folder anybody may look into, with a store of three turns, and a hash from it."""
    if os.name == "nt" or os.getuid() != 0:
        pytest.skip("only root can become somebody who may not write")
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        context = open_context(folder)
        host = HostSession(context)
        (hash_,) = marked_hashes(text_at(host.assemble(turns(3)), 2))
        host.settle()
        context.close()
        yield folder, hash_


@pytest.mark.parametrize("what", ["file", "folder and file"])
def test_a_store_that_may_only_be_read_is_read(filled, what):
    """Old views and originals are there, new results stay raw, and the status says so."""
    folder, hash_ = filled
    for file in folder.iterdir():
        file.chmod(0o644)
    folder.chmod(0o777 if what == "file" else 0o755)
    seen = run_as_nobody(folder, hash_)
    assert seen["state"] == "read-only" and seen["refused"] == "StoreReadOnlyError"
    three, four = seen["views"]
    assert hash_ in text_at(three, 2) and seen["text"] == text_at(turns(3), 2)
    assert four[14] == turns(4)[14] and four[:12] == three
    assert violations(seen["small"]) == [] and "do 30" in seen["small"][0]["content"]


def test_a_store_that_may_not_be_read_is_stood_in_for(filled):
    """Without any permission work goes on in memory."""
    folder, hash_ = filled
    seen = run_as_nobody(folder, hash_)
    assert seen["state"] == "unavailable" and seen["refused"] == ""
    assert seen["views"][0] == turns(3) and "not available now" in seen["text"]


def test_pins_are_listed_where_nothing_can_be_written(tmp_path):
    """A session that cannot be stored now sees what is pinned for all, and is refused its own."""
    context = open_context(tmp_path)
    host = HostSession(context)
    pin(context, host.state, "never touch prod", "agent")
    context.close()
    context = open_context(tmp_path)
    context.database.write_outside_transaction(lambda c: c.pragma("query_only", True)).result()
    late = HostSession(context, "agent:main:explicit:late")
    assert [each.text for each in list_pins(context, late.state).pins] == ["never touch prod"]
    with pytest.raises((StoreError, InvalidRequestError)):
        pin(context, late.state, "another", "session")
    context.close()


def test_a_closed_store_refuses_instead_of_hanging(tmp_path):
    """A call that comes after the end fails at once."""
    context = open_context(tmp_path)
    context.close()
    with pytest.raises(StoreError):
        context.database.write(lambda _: None).result(timeout=5)
