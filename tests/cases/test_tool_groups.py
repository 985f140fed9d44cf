"""Cases 01 to 04: calls stay with their results, reasoning stays whole, whatever the budget."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from flowctx.service.context import Context
from flowctx.store.messages import visible_messages
from tests.cases.conftest import Case
from tests.support.host import HostSession, open_context
from tests.support.provider import violations
from tests.support.transcripts import Body, assistant, call, result, user


def calls_of(message: Body) -> list[Body]:
    content = message.get("content")
    blocks = content if message.get("role") == "assistant" and isinstance(content, list) else []
    return [block for block in blocks if block.get("type") == "toolCall"]


def text_of(message: Body) -> str:
    content = message["content"]
    return content if isinstance(content, str) else content[0]["text"]


def assert_groups_are_whole(view: list[Body], history: list[Body]) -> None:
    """Every group of calls is there with all its results behind it, or not at all."""
    for message in (each for each in history if calls_of(each)):
        ids = {block["id"] for block in calls_of(message)}
        if message not in view:
            assert not [b for each in view for b in calls_of(each) if b["id"] in ids]
            continue
        at = view.index(message)
        answers = view[at + 1 : at + 1 + len(ids)]
        assert {each.get("toolCallId") for each in answers} == ids


def test_01_a_fold_never_splits_a_group(context: Context, case: Case):
    """At any budget a strict provider takes the view, and the newest ask is last."""
    history = case("01")
    folded = set()
    for budget in (*range(50, 400, 5), *range(400, 2001, 200)):
        host = HostSession(context, f"agent:main:explicit:{budget}")
        view = host.assemble(history, budget)
        assert violations(view) == [] and view[-1] == history[-1], budget
        assert_groups_are_whole(view, history)
        assert not any(each.get("isError") for each in view)
        folded.add(len(view))
    assert len(folded) > 1


def constant_id(history: list[Body]) -> list[Body]:
    changed = copy.deepcopy(history)
    for message in changed:
        for block in calls_of(message):
            block["id"] = "same"
        if message["role"] == "toolResult":
            message["toolCallId"] = "same"
    return changed


def two_at_once(history: list[Body]) -> list[Body]:
    out: list[Body] = []
    for message in history:
        if calls_of(message):
            commands = [block["arguments"]["command"] for block in calls_of(message)]
            out.append(assistant(*(call(f"exec:{n}", command=commands[0]) for n in (0, 1))))
        elif message["role"] == "toolResult":
            texts = (text_of(message), f"{text_of(message)} again")
            out += [result(f"exec:{n}", text) for n, text in enumerate(texts)]
        else:
            out.append(message)
    return out


@pytest.mark.parametrize("variant", [list, constant_id, two_at_once])
def test_02_ids_that_restart_every_turn(
    tmp_path, case: Case, variant: Callable[[list[Body]], list[Body]]
):
    """Results are told by their place: all survive a commit told twice, a restart and a view."""
    history = variant(case("02"))
    context = open_context(tmp_path)
    host = HostSession(context)
    host.observe(*history[:3])
    assert host.commit("turn 1", history[:-1]) and not host.commit("turn 1", history[:-1])
    assert host.assemble(history) == history
    context.close()
    context = open_context(tmp_path)
    host = HostSession(context)
    first = history[1 : 2 + len(calls_of(history[1]))]
    again = [*history, *first, user("And now?")]
    host.commit("turn 2", again[len(history) - 1 : -1])
    assert host.assemble(again) == again
    host.settle()
    row = host.state.row
    assert row is not None
    stored = context.database.read(lambda c: visible_messages(c, row.id))
    assert len(stored) == len(again)
    context.close()


def late_write(history: list[Body]) -> list[Body]:
    """The real result of the first call stands before the turn that made the call."""
    (real,) = [m for m in history if m.get("toolCallId") == first_id(history) and not m["isError"]]
    at = next(at for at, message in enumerate(history) if calls_of(message))
    rest = [message for message in history if message is not real]
    return [*rest[:at], real, *rest[at:]]


def first_id(history: list[Body]) -> str:
    return next(calls_of(message)[0]["id"] for message in history if calls_of(message))


@pytest.mark.parametrize("variant", [list, late_write])
def test_03_real_results_stand_behind_their_calls(
    context: Context, case: Case, variant: Callable[[list[Body]], list[Body]]
):
    """A result that was displaced is put back, and the host's stand-in for it goes."""
    given = case("03")
    real = {
        m["toolCallId"]: text_of(m) for m in given if m["role"] == "toolResult" and not m["isError"]
    }
    history = variant(given)
    for budget in (0, 5_000):
        view = HostSession(context, f"agent:main:explicit:{budget}").assemble(history, budget)
        at = next(at for at, message in enumerate(view) if calls_of(message))
        shown = [(m["toolCallId"], text_of(m)) for m in view if m["role"] == "toolResult"]
        assert dict(shown) == real and len(shown) == len(real)
        assert all(m["role"] == "toolResult" for m in view[at + 1 : at + 1 + len(real)])
        assert violations(view) == [] and view[-1] == given[-1]


def thoughts(message: Body) -> list[Any]:
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    return [block for block in blocks if block.get("type") == "thinking"]


@pytest.mark.parametrize("budget", [0, 200, 400, 1_200, 4_000, 100_000])
def test_04_reasoning_is_whole_or_absent(context: Context, case: Case, budget: int):
    """No thought is shortened, none loses its signature, and the newest turn is untouched."""
    history = case("04")
    view = HostSession(context).assemble(history, budget)
    assert violations(view) == []
    newest = max(at for at, message in enumerate(history) if message["role"] == "assistant")
    assert history[newest] in view
    for message in view:
        if thoughts(message) or "reasoning_content" in message:
            assert message in history
    spoken = [m for m in history if thoughts(m) and not calls_of(m)]
    for message in spoken:
        words = message["content"][-1]["text"]
        shown = [m for m in view if m["role"] == "assistant" and words in str(m["content"])]
        assert all(m == message for m in shown)
