"""The checkpoint: what is done stays done, through every fold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flowctx.service.context import Context
from tests.recall.test_pins import blocks, turns
from tests.support.host import HostSession, open_context
from tests.support.transcripts import Body, assistant, call, result, user

AT_MS = 1_795_000_000_000


@pytest.fixture
def context(tmp_path):
    made = open_context(tmp_path)
    yield made
    made.close()


def plan(number: int, **states: str) -> list[Body]:
    """A turn in which the model writes its list of tasks."""
    todos = [{"content": name.replace("_", " "), "status": s} for name, s in states.items()]
    at = AT_MS + number * 60_000
    return [
        user(f"plan {number}", timestamp=at),
        assistant(call(f"p{number}", "todo_write", todos=todos), timestamp=at + 1),
        result(f"p{number}", "ok", "todo_write", timestamp=at + 2),
        assistant("Noted.", timestamp=at + 3),
    ]


def ran(number: int, command: str, text: str) -> list[Body]:
    at = AT_MS + number * 60_000
    return [
        user(f"run {number}", timestamp=at),
        assistant(call(f"x{number}", command=command), timestamp=at + 1),
        result(f"x{number}", text, timestamp=at + 2),
        assistant("Done.", timestamp=at + 3),
    ]


def listed(view: list[Body]) -> dict[str, list[str]]:
    """The lists of the only checkpoint in a view."""
    (block,) = blocks(view, "checkpoint")
    lists: dict[str, list[str]] = {}
    for row in block.split("\n")[2:-1]:
        if row.endswith(":") and not row.startswith("- "):
            lists[row[:-1]] = []
        else:
            lists[next(reversed(lists))].append(row[2:])
    return lists


def test_a_fold_keeps_done_failed_and_next_apart(context: Context):
    """Plans, exit codes and commits are read by code, and the last word counts."""
    context.settings = replace(context.settings, fold_policy="ratio")
    history = plan(0, migrate_the_ledger="pending", write_the_report="pending")
    history += ran(1, "make test", "boom\n\n(Command exited with code 2)")
    history += ran(2, "git commit -m 'Move the ledger'", "1 file changed")
    history += plan(
        3,
        migrate_the_ledger="completed",
        write_the_report="pending",
        check_the_totals="in_progress",
    )
    host = HostSession(context)
    view = host.assemble(history + turns(*range(24)), 6000)
    assert host.state.folds
    lists = listed(view)
    assert "migrate the ledger" in lists["Done"]
    assert any("git commit" in row for row in lists["Done"])
    assert any("make test" in row and "exit 2" in row for row in lists["Failed"])
    assert lists["In progress"] == ["check the totals"]
    assert lists["Next"] == ["write the report"]


def test_no_fold_turns_done_into_next(context: Context):
    """Over many rounds what was completed stays among what is done, or is left out."""
    history = plan(0, migrate_the_ledger="completed", write_the_report="pending")
    host = HostSession(context)
    rounds = 0
    for number in range(40):
        history += turns(number)
        view = host.assemble(history, 6000)
        rounds += bool(host.answer.round)
        if blocks(view, "checkpoint"):
            assert "migrate the ledger" not in listed(view).get("Next", [])
    assert rounds >= 2


def test_what_was_called_off_is_not_next_and_done_lists_are_remembered(context: Context):
    """A cancelled item is no work; what an earlier list had done stays done beside commits."""
    context.settings = replace(context.settings, fold_policy="ratio")
    history = plan(0, cut_the_planks="completed", order_the_sail="pending")
    for number in range(1, 11):
        history += ran(number, f"git commit -m 'Part {number}'", "1 file changed")
    history += plan(11, glue_the_hull="completed", order_the_sail="cancelled", paint="pending")
    host = HostSession(context)
    lists = listed(host.assemble(history + turns(*range(30, 54)), 6000))
    assert {"cut the planks", "glue the hull"} <= set(lists["Done"])
    assert any("Part 10" in row for row in lists["Done"])
    assert lists["Next"] == ["paint"]


def test_a_failure_is_told_with_its_reason(context: Context):
    """Also where the host names no exit code."""
    context.settings = replace(context.settings, fold_policy="ratio")
    said = "! [rejected] main -> main\nerror: failed to push some refs"
    history = [
        user("push", timestamp=AT_MS),
        assistant(call("x1", command="git push"), timestamp=AT_MS + 1),
        result("x1", said, isError=True, timestamp=AT_MS + 2),
        assistant("Rejected.", timestamp=AT_MS + 3),
    ]
    lists = listed(HostSession(context).assemble(history + turns(*range(24)), 6000))
    assert lists["Failed"] == ["`git push` → error: failed to push some refs (2 lines)"]
