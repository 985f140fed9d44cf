"""Passes over sessions: what is folded, when it shows, and that it stops."""

from __future__ import annotations

from pathlib import Path

import pytest

from flowctx.service.notes.passes import Rest
from tests.support.host import HostSession
from tests.support.note_passes import BUDGET, Writer, open_clocked
from tests.support.notes import planted_session
from tests.support.transcripts import dump


@pytest.fixture
def writer(tmp_path: Path):
    context, _ = open_clocked(tmp_path)
    yield Writer(HostSession(context))
    context.close()


def test_a_session_past_the_gate_folds_and_then_stops(writer: Writer) -> None:
    """The next view holds the notes, is below the gate, and nothing further is asked for."""
    bodies = planted_session(1, turns=40)
    writer.host.assemble(bodies, BUDGET)
    before = writer.host.answer.estimated_tokens
    rest = writer.run()
    view = writer.host.assemble(bodies, BUDGET)
    assert writer.host.answer.round == "notes"
    assert writer.host.answer.estimated_tokens < before
    notes = [b for b in view if b.get("customType") == "flowctx.note"]
    assert notes and all("<flowctx-handoff-note " in b["content"] for b in notes)
    calls = len(writer.calls)
    assert writer.run() == Rest("below the gate") or writer.run().reason in (rest.reason,)
    assert len(writer.calls) == calls
    assert {row.fold.depth for row in writer.notes()} == {0, 1}


def test_the_prefix_changes_once_a_round(writer: Writer) -> None:
    """Nothing changes in the view while notes are written; it changes with their commit, once."""
    bodies = planted_session(2, turns=40)
    first = writer.host.assemble(bodies, BUDGET)
    changes = 0
    while True:
        done = writer.step()
        view = writer.host.assemble(bodies, BUDGET)
        changes += dump(view) != dump(first)
        first = view
        if isinstance(done, Rest):
            break
    assert changes == 1
    assert len(writer.calls) > 3
