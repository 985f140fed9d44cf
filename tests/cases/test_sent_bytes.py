"""Cases 10 and 12: sent bytes stay, and nothing crosses a reset or a wall."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from flowctx.errors import OriginalNotFoundError
from flowctx.identity import resolve_session
from flowctx.reducers.marker import marked_hashes
from flowctx.service.context import Context
from flowctx.service.events import record_event
from flowctx.service.retrieve import retrieve
from tests.cases.conftest import Case
from tests.support.host import HostSession, open_context
from tests.support.notes import ran
from tests.support.transcripts import assistant, user
from tests.support.turns import text_at

HOUR_MS = 3_600_000


def requests_of(context: Context, history: list[dict], budget: int, restart: bool) -> list[tuple]:
    """Each turn's view as bytes, and whether a round was announced with it."""
    host, sent = HostSession(context), []
    ends = [at + 1 for at, message in enumerate(history) if message["role"] == "user"]
    for end in [*ends[1:], len(history)]:
        if restart:
            host.settle()
            host = HostSession(context)
        view = host.assemble(history[:end], budget)
        assert host.answer is not None
        sent.append((json.dumps(view)[:-1], bool(host.answer.round)))
    return sent


@pytest.mark.parametrize("budget", [0, 4_000, 2_500])
def test_10_only_announced_rounds_change_earlier_bytes(tmp_path, case: Case, budget: int):
    """Views are prefixes of one another between rounds, whatever clock, folder or restart."""
    history, all_sent = case("10"), []
    for name, ahead_ms, restart in (
        ("plain", 0, False),
        ("an hour on", HOUR_MS, False),
        ("two days on", 48 * HOUR_MS, False),
        ("restarted", 0, True),
    ):
        context = open_context(tmp_path / name)
        now = context.now_ms()
        context.now_ms = lambda now=now, ahead_ms=ahead_ms: now + ahead_ms
        all_sent.append(requests_of(context, history, budget, restart))
        context.close()
    for sent in all_sent:
        for (before, _), (after, is_round) in pairwise(sent):
            assert is_round or after.startswith(before), all_sent.index(sent)
        assert [each for each, _ in sent] == [each for each, _ in all_sent[0]]
    rounds = sum(is_round for _, is_round in all_sent[0])
    assert rounds <= (2 if budget else 0)


def test_12_a_reset_leaves_nothing_and_walls_hold(tmp_path, case: Case):
    """What the first person said is in nobody else's view, nor in their own after a reset."""
    given = case("12")
    key, told = given["mine"]
    context = open_context(tmp_path)
    mine = HostSession(context, key)
    log = "\n".join(f"{n} {given['words'][0]} {given['words'][1]}" for n in range(900))
    history = [*told, user("log?"), *ran("x", "cat log", log), assistant("read"), user("so?")]
    view = mine.assemble(history)
    (hash_,) = marked_hashes(text_at(view, len(told) + 2))
    mine.assemble(history, budget=600)
    for other, asked in given["others"]:
        shown = HostSession(context, other).assemble(asked)
        assert not any(word in json.dumps(shown) for word in given["words"])
        with pytest.raises(OriginalNotFoundError) as refused:
            retrieve(context.database, resolve_session(other), hash_)
        assert refused.value.reason == "not-yours"
        assert not any(word in str(refused.value) for word in given["words"])
    record_event(context, mine.state, "reset")
    fresh = [user("what is a monad?")]
    assert mine.assemble(fresh) == fresh
    mine.settle()
    context.close()
    context = open_context(tmp_path)
    assert HostSession(context, key).assemble(fresh) == fresh
    assert retrieve(context.database, resolve_session(key), hash_).text == log
    context.close()
