"""Sessions of every kind, and what ends or shortens them, with flowctx on."""

from __future__ import annotations

import time

from tests.e2e.conftest import OpenRig
from tests.e2e.harness.background_runs import run_job, spawning, tasks, wake
from tests.e2e.harness.gateway import Image, session_key
from tests.e2e.harness.host_config import HostOptions
from tests.e2e.harness.install_flowctx import install_flowctx
from tests.e2e.harness.picture import red_square
from tests.e2e.harness.rig import Rig
from tests.e2e.harness.scenario import MARKER
from tests.e2e.sidecar_process import query, stored_rows

BIG = "run: bin/journalctl -u api --kb 12"
_WAIT_S = 30.0


def test_after_a_reset_nothing_of_the_old_epoch_is_sent(flow: Rig, session: str) -> None:
    """Key and id stay the same, but no old text and no old marker reaches the model."""
    flow.gateway.turn(f"The secret word is zebra-{session}.", session=session)
    flow.gateway.turn(BIG, session=session)
    flow.gateway.reset(session)
    for text in ("hello", "and now?"):
        flow.gateway.turn(text, session=session)
        raw = flow.requests(session)[-1].raw.decode()
        assert "zebra" not in raw
        assert "hash=" not in raw.split('"tools"')[0] or not MARKER.search(raw)
    rows = query(flow, "SELECT epoch, ended_ms IS NULL FROM sessions WHERE key = ?"
                 " ORDER BY epoch", session_key(session))  # fmt: skip
    assert rows == [(1, 0), (2, 1)]
    assert len(stored_rows(flow, session)) >= 3


def test_a_compaction_puts_what_stands_for_history_at_the_head(flow: Rig, session: str) -> None:
    """A digest or the host's own summary comes first, the newest turn follows."""
    for number in range(4):
        flow.gateway.turn(f"{BIG} -n {number}", session=session)
    answer = flow.gateway.compact(session)
    assert answer["compacted"], answer
    flow.gateway.turn("go on", session=session)
    messages = flow.requests(session)[-1].messages
    stands_for_history = ("<flowctx-handoff-note ", "All steps so far were done")
    assert any(mark in messages[1].text for mark in stands_for_history)
    assert messages[-1].text.endswith("go on")
    flow.gateway.turn(BIG, session=session)
    flow.gateway.turn("and on", session=session)


def test_an_image_of_the_first_turn_is_still_there_in_the_third(flow: Rig, session: str) -> None:
    """Messages are handed through as the host's own objects, pictures and all."""
    picture = Image(red_square())
    flow.gateway.turn("look at this", session=session, images=[picture])
    flow.gateway.turn(BIG, session=session)
    flow.gateway.turn("what did you see?", session=session)
    assert any(message.images for message in flow.requests(session)[-1].messages)


def test_a_heartbeat_in_the_users_session_changes_nothing(flow: Rig, session: str) -> None:
    """A heartbeat run gets the same view, and the user's next turn goes on from it."""
    flow.gateway.turn(BIG, session=session)
    before = len(flow.requests(session))
    wake(flow.gateway, "look around", session=session)
    _wait(lambda: len(flow.requests(session)) > before)
    turn = flow.gateway.turn("still fine?", session=session)
    assert turn.text.startswith("done:")
    assert all(MARKER.search(r.text) for r in flow.requests(session)[-1].tool_results)


def test_a_scheduled_job_runs_as_without_flowctx(flow: Rig) -> None:
    """A cron run in a session of its own sees its results whole, and ends well."""
    run = run_job(flow.gateway, BIG)
    assert run.status == "ok", run.payload
    key = run.session.split(":run:")[0]
    results = [r for q in flow.model.requests if q.session == key for r in q.new_tool_results]
    assert results and not any(MARKER.search(result.text) for result in results)


def test_a_subagent_runs_as_without_flowctx(flow: Rig, session: str) -> None:
    """A spawned agent does its task, and its parent is told."""
    flow.gateway.turn(spawning(BIG), session=session)
    child = _wait(lambda: [q for q in flow.model.requests if ":subagent:" in (q.session or "")])
    assert child
    _wait(lambda: "background task" in flow.requests(session)[-1].raw.decode().lower())
    assert flow.gateway.turn("done?", session=session).text.startswith("done:")


def test_no_background_task_of_ours_ever_fails(flow: Rig, session: str) -> None:
    """The host's list of tasks holds our upkeep, all of it finished."""
    flow.gateway.turn(BIG, session=session)
    flow.gateway.turn("hello", session=session)
    ours = [task for task in tasks(flow.gateway) if "context_engine" in str(task.get("kind"))]
    assert [task for task in ours if task["status"] in ("failed", "error", "timeout")] == []


def test_an_incognito_session_leaves_nothing(flow: Rig) -> None:
    """What is promised to leave no trace is neither stored nor reduced."""
    key = "agent:main:dashboard:incognito-5f0c"
    for text in (BIG, "hello"):
        flow.gateway.turn(text, session=key)
    assert not any(MARKER.search(r.text) for r in flow.requests(key)[-1].tool_results)
    assert query(flow, "SELECT 1 FROM sessions WHERE key = ?", key) == []


def test_a_memory_flush_passes_through_and_is_not_stored(brief_rig: OpenRig, session: str) -> None:
    """The host's hidden run gets all messages as they are; its session is nowhere."""
    options = HostOptions(context_window=40_000, max_output=4096)
    small = brief_rig(options, install_flowctx(settings={"projection": False}))
    for number in range(12):
        small.gateway.turn(f"run: bin/journalctl -u api --kb 14 -n {number}", session=session)
    flushes = [q for q in small.model.requests if "internal-session-effects" in (q.session or "")]
    assert flushes
    stored = query(small, "SELECT key FROM sessions WHERE key LIKE '%internal-session%'")
    assert stored == []
    assert all("flowctx-handoff-note" not in q.raw.decode() for q in flushes)
    assert small.model.violations == ()


def _wait(condition):  # type: ignore[no-untyped-def]
    end = time.monotonic() + _WAIT_S
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.1)
    raise TimeoutError("it did not come about")
