"""Turn edges in the engine: rounds are announced, recorded, and made once a turn."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from flowctx.config import Settings
from flowctx.reducers.marker import RETRIEVE_TOOL
from flowctx.service.retrieve import retrieve_as_owner
from flowctx.store.ledger import last_events
from flowctx.view.change import shared_ops
from tests.replay.sessions import chat, task
from tests.support.host import HostSession, open_context
from tests.support.provider import violations
from tests.support.transcripts import Body, assistant, call, result, user


@pytest.fixture(name="open_host")
def _open_host(tmp_path: Path):
    """Opens sessions, each over a store of its own; closes what was opened."""
    contexts = []

    def open_host(settings: Settings | None = None) -> HostSession:
        folder = tmp_path / str(len(contexts))
        folder.mkdir()
        contexts.append(open_context(folder, settings))
        return HostSession(contexts[-1])

    yield open_host
    for context in contexts:
        context.close()


def drive(host: HostSession, tasks: int) -> list[tuple[list[Body], str]]:
    """The view and the round before each turn of a session of heavy tasks."""
    history: list[Body] = []
    views = []
    for number in range(tasks):
        views.append((host.assemble(history, budget=180_000), host.answer.round))
        history += task(number)
    return views


def test_bytes_change_in_announced_rounds_only(open_host) -> None:
    """But for the turn that has just ended, a view without a round goes on as the last one."""
    views = drive(open_host(), 10)
    assert sum(bool(reason) for _, reason in views) >= 2
    for (before, _), (after, reason) in pairwise(views):
        if not reason:
            settled = len(before)
            assert after[:settled] == before


def test_every_view_is_one_that_a_strict_provider_takes(open_host) -> None:
    """Calls and results stay together, whatever is outlined, digested or condensed."""
    for view, _ in drive(open_host(), 12):
        assert violations(view) == []


def test_the_newest_turns_words_and_last_steps_stay(open_host) -> None:
    """What the user said last and how the turn ended are never folded."""
    (view, _) = drive(open_host(), 9)[-1]
    last = task(7)
    assert last[0] in view
    assert view[-1] == last[-1]


def test_turns_that_are_kept_are_not_digested(open_host) -> None:
    """The last `summaryKeepRecentTurns` turns, the coming one counted, are outlined at most."""
    (view, _) = drive(open_host(Settings(summary_keep_recent_turns=4)), 10)[-1]
    assert [task(number)[0] in view for number in range(10)] == [False] * 6 + [True] * 3 + [False]


def test_the_same_turn_is_decided_once(open_host) -> None:
    """Asking again, and asking after a restart, gives the same bytes and no further decision."""
    host = open_host()
    history = [body for number in range(7) for body in task(number)]
    first = host.assemble(history, budget=180_000)
    again = host.assemble(history, budget=180_000)
    host.settle()
    other = HostSession(host.context)
    assert first == again == other.assemble(history, budget=180_000)
    host.settle()
    assert len(events(other)) == 1


def test_a_decision_is_recorded_with_what_it_was_made_from(open_host) -> None:
    """The ledger names the pace, the clock's verdict, the form and the saving."""
    host = open_host()
    drive(host, 8)
    host.settle()
    newest = events(host)[0]
    assert newest["form"] in ("outline", "fold", "condense")
    assert newest["turns"] == 7
    assert newest["calls_ahead"] == 31
    assert newest["cache_is_dead"] is False
    assert newest["saved"] > 0


def test_a_talk_of_small_turns_is_left_alone(open_host) -> None:
    """Nothing is folded where little would be gained."""
    host = open_host()
    history = chat(40)
    assert host.assemble(history, budget=180_000) == history
    assert host.answer.round == ""


def test_many_small_turns_are_folded_once_they_have_grown_together(open_host) -> None:
    """No turn alone is worth a round; what they carry with every call is, long before the gate."""
    host = open_host()
    history: list[Body] = []
    rounds: list[int] = []
    for number in range(160):
        host.assemble(history, budget=180_000)
        if host.answer.round:
            rounds.append(host.answer.estimated_tokens)
            assert host.answer.round == "folding pays"
        history += small_turn(number)
    assert 2 <= len(rounds) <= 12
    assert max(rounds) < 16_000


def small_turn(number: int) -> list[Body]:
    """A question that one short look-up answers."""
    return [
        user(f"What is the state of order {number}? " + "Please look it up. " * 6),
        assistant(call("c", command=f"order {number}")),
        result("c", f"order {number} was sent; " + "it is on its way. " * 30),
        assistant(f"Order {number} was sent. " + "It will be there soon. " * 8),
    ]


def test_settings_hold_the_policy_back(open_host) -> None:
    """The plain gate, protected turns and a session that is too short fold nothing early."""
    for settings in (
        Settings(fold_policy="ratio", summary_trigger_ratio=0.95, background_summary=False),
        Settings(projection_keep_recent_turns=100, summary_keep_recent_turns=100),
    ):
        for view, _ in drive(open_host(settings), 3):
            assert not any(body["role"] == "custom" for body in view)
    views = drive(open_host(Settings(summary_min_turns=1000, projection=False)), 3)
    assert not any(body["role"] == "custom" for view, _ in views for body in view)


def test_originals_of_an_outline_come_back(open_host) -> None:
    """Each hash that an outline names gives the whole output."""
    host = open_host()
    history = task(0, lines=120)
    text = str(host.assemble(history, budget=180_000))
    assert 'kind="digest"' in text
    hashes = re.findall(r"\[original ([0-9a-f]{24})\]", text)
    found = [retrieve_as_owner(host.context.database, hash_).text for hash_ in hashes]
    assert found
    assert all(any(body["role"] == "toolResult" and body["content"][0]["text"] == text
                   for body in history) for text in found)  # fmt: skip


def test_views_share_the_digests_of_old_turns(open_host) -> None:
    """A round leaves the older digests as they stand, so that the cache holds them."""
    host = open_host()
    history: list[Body] = []
    shared = []
    for number in range(12):
        before = host.ops
        host.assemble(history, budget=180_000)
        shared.append(shared_ops(before, host.ops))
        history += task(number)
    assert sum(count > 0 for count in shared[7:]) >= 3


def events(host: HostSession) -> list[dict[str, object]]:
    row = host.state.row
    return host.context.database.read(lambda db: last_events(db, row.id, "edge", 50))


@pytest.mark.parametrize("tasks", [3, 8])
def test_what_was_retrieved_in_a_kept_turn_outlives_a_round(open_host, tasks: int) -> None:
    """A result of flowctx_retrieve is read once more at least: its turn is not outlined."""
    host, history = open_host(), []
    for number in range(tasks):
        host.assemble(history, budget=180_000)
        history += task(number)
    original = next(b["content"][0]["text"] for b in history if b["role"] == "toolResult") * 40
    history += retrieving(original)
    view = host.assemble(history, budget=180_000)
    assert [b["content"][0]["text"] for b in view if b.get("toolName") == RETRIEVE_TOOL] == [
        original
    ]
    history += task(tasks)
    host.assemble(history, budget=180_000)
    history += task(tasks + 1)
    later = host.assemble(history, budget=180_000)
    assert not [b for b in later if b.get("toolName") == RETRIEVE_TOOL]


def retrieving(text: str) -> list[Body]:
    asked = call("own", RETRIEVE_TOOL, hash="0" * 24)
    return [
        user("Look it up."),
        assistant(asked),
        result("own", text, RETRIEVE_TOOL),
        assistant("I see."),
    ]
