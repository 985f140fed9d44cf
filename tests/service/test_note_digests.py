"""Digests and notes: what code wrote for want of a model gives way to what a model wrote."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from flowctx.config import Settings
from flowctx.service.notes.passes import Rest
from flowctx.store.ledger import last_events
from tests.replay.sessions import task
from tests.support.host import HostSession
from tests.support.note_passes import Writer, good, open_clocked
from tests.support.provider import violations
from tests.support.transcripts import user

WINDOW, BUDGET = 60_000, 20_000
# All as it comes, but for a window that a test can fill.
DEFAULTS = Settings(context_window_tokens=WINDOW)
GATE = int(WINDOW * DEFAULTS.summary_trigger_ratio)


def opened(folder: Path, settings: Settings = DEFAULTS) -> Writer:
    context, _ = open_clocked(folder, settings)
    writer = Writer(HostSession(context))
    writer.state.notes.window_tokens = WINDOW
    return writer


@pytest.fixture(name="writer")
def _writer(tmp_path: Path):
    writer = opened(tmp_path)
    yield writer
    writer.context.close()


def folds_in(view: list[dict[str, Any]], kind: str) -> list[str]:
    shown = [body["content"] for body in view if body.get("customType") == "flowctx.note"]
    return [text for text in shown if f'kind="{kind}"' in text]


def grow(writer: Writer, tasks: int, *, notes: bool = True) -> list[tuple[list[Any], str, int]]:
    """The view, the round and its tokens before each of some heavy turns; notes between them."""
    history, seen = [], []
    for number in range(tasks):
        view = writer.host.assemble([*history, user("go on")], BUDGET)
        answer = writer.host.answer
        seen.append((view, answer.round, answer.estimated_tokens))
        if notes:
            writer.run()
        history += task(number, steps=10)
    writer.host.assemble(history, BUDGET)
    return seen


def events(writer: Writer, kind: str) -> list[dict[str, Any]]:
    row = writer.state.row
    assert row is not None
    return writer.context.database.read(lambda c: last_events(c, row.id, kind, 100))[::-1]


def test_by_default_digests_give_way_to_notes(writer: Writer) -> None:
    """Digests keep the view below the gate, and yet notes come in their place."""
    seen = grow(writer, 14)
    assert any(folds_in(view, "digest") for view, _, _ in seen)
    passes = events(writer, "notes")
    assert sum(each["digests"] for each in passes) > 0
    last = writer.host.assemble([*_history(14), user("and now?")], BUDGET)
    notes, digests = folds_in(last, "note"), folds_in(last, "digest")
    assert notes
    covered = [_messages(text) for text in notes]
    assert sum(covered) > sum(_messages(text) for text in digests)
    assert violations(last) == []


def test_the_view_stays_below_the_gate_for_notes(writer: Writer) -> None:
    """A note may be longer than the digest was, but each commit shrinks the view or keeps it so."""
    grow(writer, 14)
    for each in events(writer, "notes"):
        assert each["tokens_after"] < max(each["tokens_before"], GATE)


def test_notes_change_sent_bytes_in_announced_rounds_only(writer: Writer) -> None:
    """Where a view does not go on as the last one did, a round is told."""
    for (before, _, _), (after, reason, _) in pairwise(grow(writer, 14)):
        if not reason:
            assert after[: len(before) - 1] == before[:-1]


def test_what_is_noted_is_asked_for_once(writer: Writer) -> None:
    """Without new turns there is no further call, and no message is in two leaves."""
    grow(writer, 14)
    calls = len(writer.calls)
    assert calls > 2
    assert isinstance(writer.run(), Rest)
    assert len(writer.calls) == calls or _is_quiet(writer)
    spans = sorted(
        (call.covers.first_turn, call.covers.last_turn)
        for call in writer.calls
        if call.key.depth == 0
    )
    assert all(one[1] < two[0] for one, two in pairwise(spans))


def test_a_small_session_asks_for_nothing(writer: Writer) -> None:
    """Below the gate, digests counted as what they cover, no model is called."""
    grow(writer, 3)
    assert writer.calls == []


def test_notes_take_the_place_of_part_of_a_digest(tmp_path: Path) -> None:
    """What a model did not write of yet is a digest again, and nothing is told twice."""
    writer = opened(tmp_path, replace(DEFAULTS, leaf_chunk_tokens=6_000))
    grow(writer, 12, notes=False)
    (before,) = folds_in(writer.host.assemble(_history(12), BUDGET), "digest")[:1]
    # The pass began when there were fewer turns.
    writer.state.notes.pass_end = len(_history(8))
    writer.run()
    view = writer.host.assemble([*_history(12), user("and now?")], BUDGET)
    notes, digests = folds_in(view, "note"), folds_in(view, "digest")
    assert notes and digests and before not in digests
    shown = sum(map(_messages, [*notes, *digests]))
    kept = [body for body in view if body["role"] in ("user", "assistant", "toolResult")]
    assert shown + len(kept) == len(_history(12)) + 1
    writer.context.close()


def test_notes_that_do_not_fit_wait_until_they_do(tmp_path: Path) -> None:
    """Where notes would take the view over the gate, the digest stands and nothing is lost."""
    writer = opened(tmp_path, replace(DEFAULTS, summary_trigger_ratio=0.05))
    writer.ask = good
    seen = grow(writer, 12)
    gate = int(WINDOW * 0.05)
    for each in events(writer, "notes"):
        assert each["tokens_after"] < max(each["tokens_before"], gate)
    assert all(tokens <= BUDGET for _, _, tokens in seen)
    writer.context.close()


def _history(tasks: int) -> list[Any]:
    return [body for number in range(tasks) for body in task(number, steps=10)]


def _messages(text: str) -> int:
    return int(text.split('messages="')[1].split('"')[0])


def _is_quiet(writer: Writer) -> bool:
    calls = len(writer.calls)
    writer.run()
    return len(writer.calls) == calls
