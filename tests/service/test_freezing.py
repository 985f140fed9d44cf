"""Sent bytes stay: over restarts, settings, newer reducers, and stores that were lost."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from flowctx.config import Settings
from flowctx.model import Reduction
from flowctx.service import projection
from flowctx.service.context import Context
from tests.support.host import HostSession, open_context
from tests.support.turns import text_at, turn, turns

SMALL = "\n".join(f"line {n} of a result below the default threshold" for n in range(60))


def reopened(context: Context) -> Context:
    """The same store in a new process, as far as memory tells."""
    context.close()
    return open_context(context.state_dir, context.settings)


@pytest.fixture
def newer_reducer(monkeypatch):
    """A later version whose reductions read differently."""

    def reduce_newly(output):
        return Reduction("text/newer", f"[… all of {len(output.text)} characters omitted …]")

    def install() -> None:
        monkeypatch.setattr(projection, "reduce_output", reduce_newly)

    return install


def test_what_was_sent_survives_a_newer_reducer(tmp_path, newer_reducer):
    """A newer version reduces new results its way and leaves the ones that were sent."""
    context = open_context(tmp_path)
    before = HostSession(context).assemble(turns(4))
    context = reopened(context)
    newer_reducer()
    host = HostSession(context)
    after = host.assemble(turns(6))
    assert after[:14] == before[:14] and host.answer.round == ""
    assert "text/newer" in text_at(after, 18) and "text/newer" not in text_at(after, 14)
    context.close()


def test_what_was_only_reduced_ahead_is_final_too(context: Context, newer_reducer):
    """A result reduced before anybody saw it is not reduced again by another version."""
    host = HostSession(context)
    host.observe(*turn(0))
    host.settle()
    newer_reducer()
    assert "text/newer" not in text_at(host.assemble(turns(1)), 2)


@pytest.mark.parametrize(
    ("change", "rewrites"),
    [
        pytest.param({"projection_threshold": 200}, True, id="threshold"),
        pytest.param({"projection": False}, True, id="reduction off"),
        pytest.param({"verbatim_read_turns": 3}, True, id="file reads"),
        pytest.param({"projection_keep_recent_turns": 2}, True, id="recent turns"),
        pytest.param({"summary_trigger_ratio": 0.9}, False, id="notes"),
        pytest.param({"input_cost_per_m_tok": 9.0}, False, id="price"),
        pytest.param({"debug": True}, False, id="log"),
    ],
)
def test_settings_change_sent_bytes_only_in_one_announced_round(context, change, rewrites):
    """A setting that decides how results appear is one round; others touch nothing."""
    history = turn(0, SMALL) + turn(1) + turn(2, tool="read", path="a.py") + turn(3)
    host = HostSession(context)
    before = host.assemble(history)
    context.settings = replace(context.settings, **change)
    after = host.assemble(history)
    assert (after != before) is rewrites
    assert host.answer.round == ("settings changed" if rewrites else "")
    assert host.assemble(history) == after and host.answer.round == ""


def test_a_setting_that_changes_and_changes_back_gives_the_old_bytes(context: Context):
    """Frozen views are kept while they are not shown."""
    host, history = HostSession(context), turns(3)
    before = host.assemble(history)
    context.settings = Settings(projection=False)
    assert host.assemble(history) == history
    context.settings = Settings()
    assert host.assemble(history) == before


def test_settings_that_change_during_a_restart_are_a_round(tmp_path):
    """The first view under other settings says so, whoever remembers the ones before."""
    context = open_context(tmp_path)
    HostSession(context).assemble(turns(3))
    context.settings = Settings(projection=False)
    context = reopened(context)
    host = HostSession(context)
    assert host.assemble(turns(3)) == turns(3)
    assert host.answer.round == "settings changed"
    context.close()


def test_a_fold_right_after_a_restart_is_a_round(tmp_path):
    """What was sent before the restart counts as sent after it; without a change none is told."""
    context = open_context(tmp_path)
    before = HostSession(context).assemble(turns(8))
    context = reopened(context)
    host = HostSession(context)
    assert host.assemble(turns(9))[:31] == before[:31] and host.answer.round == ""
    context = reopened(context)
    host = HostSession(context)
    assert host.assemble(turns(10), 1_000) != turns(10)
    assert host.answer.round == "over budget"
    context = reopened(context)
    host = HostSession(context)
    host.assemble(turns(10), 1_000)
    assert host.answer.round == ""
    context.close()


@pytest.mark.parametrize("lost", ["views", "views, ledger and notes", "whole database"])
def test_the_view_survives_the_loss_of_what_was_stored(tmp_path, lost):
    """The view is a function of the messages: deleting what we keep gives the same bytes."""
    context = open_context(tmp_path)
    host = HostSession(context)
    before = host.assemble(turns(12), budget=6_000)
    host.settle()
    if lost != "whole database":
        tables = ("views", "ledger", "notes") if "," in lost else ("views",)
        for table in tables:
            context.database.write(lambda c, t=table: c.execute(f"DELETE FROM {t}")).result()
    context.close()
    if lost == "whole database":
        for file in tmp_path.glob("flowctx.sqlite*"):
            file.unlink()
    context = open_context(tmp_path)
    assert HostSession(context).assemble(turns(12), budget=6_000) == before
    context.close()


def test_the_same_messages_give_the_same_view_in_any_store(tmp_path):
    """Two machines, two histories of calls: the same list, the same bytes."""
    one, other = (open_context(tmp_path / name) for name in ("one", "other"))
    step_by_step = HostSession(one)
    for count in range(1, 9):
        at_last = step_by_step.assemble(turns(count))
    at_once = HostSession(other, "agent:other:main")
    other.now_ms = lambda: 5
    assert at_once.assemble(turns(8)) == at_last
    one.close()
    other.close()


@pytest.mark.parametrize("jump_ms", [-400 * 86_400_000, 3_600_000, 2 * 86_400_000])
def test_a_clock_that_jumps_changes_nothing(context: Context, jump_ms):
    """Time passing or going back is no reason to send other bytes."""
    host = HostSession(context)
    before = json.dumps(host.assemble(turns(5)))
    now = context.now_ms()
    context.now_ms = lambda: now + jump_ms
    host.state.forget()
    after = json.dumps(host.assemble(turns(6)))
    assert after.startswith(before[:-1]) and host.answer.round == ""


def test_what_a_view_does_not_touch_are_the_hosts_own_messages(context: Context):
    """Kept messages come back as the very objects; a reduced one keeps all but its text."""
    history = turns(3)
    history[6]["content"].append({"type": "image", "data": "AAAA", "mimeType": "image/png"})
    history[6] |= {"details": {"exitCode": 0}, "__openclaw": {"runId": "r"}, "odd": [1]}
    view = HostSession(context).assemble(history)
    assert all(view[at] is history[at] for at in (0, 1, 3, 4, 5, 7))
    text, image = view[6]["content"]
    assert image == history[6]["content"][1] and "flowctx_retrieve" in text["text"]
    assert {**view[6], "content": 0} == {**history[6], "content": 0}
