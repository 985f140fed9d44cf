"""Handoff notes in the real gateway: written behind the replies, shown in one round."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from tests.e2e.harness.gateway import session_key
from tests.e2e.harness.model_request import Request
from tests.e2e.harness.prefix import unexpected_rewrites
from tests.e2e.harness.rig import Rig
from tests.e2e.note_model import WRONG, NoteModel, slowly, well
from tests.e2e.sidecar_process import kill_sidecar, query, sidecar_pid

# The documented debug profile: everything fires early on a small window.
DEBUG_PROFILE = {
    "debug": True,
    "summaryTriggerRatio": 0.22,
    "foldPolicy": "ratio",
    "summaryMinTurns": 2,
    "projectionThreshold": 800,
    "leafChunkTokens": 4000,
    "condenseFanout": 3,
    "summaryMaxCallsPerHour": 1000,
}
WINDOW = 40_000
# About 1,200 tokens of a view, most of them what the user says.
TURN = "run: bin/journalctl -u {session} -n {n} --kb 2\n" + "Mind what we said of {session}. " * 90
TAG = "<flowctx-handoff-note "
_PATIENCE_S = 60.0
_QUIET_S = 3.0
_COVERED = re.compile(r'messages="(\d+)"')
COMMITTED = (
    "SELECT node, depth, count FROM notes JOIN sessions s ON s.id = session_id"
    " WHERE s.key = ? AND notes.kind = 'note' AND committed_ms IS NOT NULL"
)
LEAVES = (
    "SELECT first, count FROM notes JOIN sessions s ON s.id = session_id"
    " WHERE s.key = ? AND notes.kind = 'note' AND depth = 0"
)


# Past the gate, with one turn kept: 11 turns of about 1,000 tokens each in the view.
GROWN = 11


def settled(count: Callable[[], int]) -> int:
    """A count once it has stayed the same for a while."""
    last, since = count(), time.monotonic()
    while time.monotonic() - since < _QUIET_S:
        time.sleep(0.2)
        if count() != last:
            last, since = count(), time.monotonic()
    return last


def folds_in(request: Request) -> list[str]:
    """Notes, and the digests that the budget asked for meanwhile."""
    return [*notes_in(request), *notes_in(request, "digest")]


def test_notes_appear_behind_the_reply_and_it_stops(
    note_rig: Rig, model: NoteModel, session: str
) -> None:
    """Past the gate notes come, the view falls below it, and no further note is asked for."""
    grow(note_rig, session, GROWN)
    assert rows_of(note_rig, session, COMMITTED, least=1)
    note_rig.gateway.turn("and now?", session=session)
    asked = settled(lambda: len(model.calls_for(session)))
    note_rig.gateway.turn("and then?", session=session)
    requests = note_rig.requests(session)
    shown = [bool(notes_in(request)) for request in requests]
    first = shown.index(True)
    assert all(shown[first:])
    assert requests[-1].tokens - requests[0].tokens < WINDOW * 0.3
    assert settled(lambda: len(model.calls_for(session))) == asked
    rewrites = {int(line.split()[1]) for line in unexpected_rewrites(requests)}
    pairs = list(pairwise(requests))
    assert rewrites <= {late.number for early, late in pairs if folds_in(early) != folds_in(late)}
    assert {depth for _, depth, _ in rows_of(note_rig, session, COMMITTED)} == {0, 1}


def test_covered_messages_leave_with_the_commit_and_the_newest_user_message_stays_last(
    note_rig: Rig, session: str
) -> None:
    """What a note names as covered is no longer sent, and nothing else is missing."""
    grow(note_rig, session, GROWN)
    assert rows_of(note_rig, session, COMMITTED)
    note_rig.gateway.turn("what is left?", session=session)
    request = note_rig.requests(session)[-1]
    # A turn that came while notes were written may have had to be digested for the budget.
    blocks = folds_in(request)
    beside = [m for m in request.messages if m.role == "user" and "<flowctx-checkpoint" in m.text]
    covered = sum(int(each) for block in blocks for each in _COVERED.findall(block))
    kept = [m for m in request.messages if m.role in ("user", "assistant", "tool")]
    whole = len(note_rig.gateway.transcript(session)) - 1
    shown = len(kept) - len(blocks) - len(beside)
    assert covered + shown == whole, (covered, len(blocks), len(kept), whole)
    assert request.user_text == "what is left?"


@pytest.mark.parametrize("kind", list(WRONG))
def test_a_model_that_writes_no_note_changes_nothing(
    note_rig: Rig, model: NoteModel, session: str, kind: str
) -> None:
    """Whatever comes instead of a note, replies go on, the history stays raw, calls are few."""
    model.write = WRONG[kind]
    grow(note_rig, session, GROWN)
    model.wait_for_call(session, 0)
    for number in range(2):
        assert note_rig.gateway.turn(f"and {number}?", session=session).text.startswith("done:")
    assert rows_of(note_rig, session, COMMITTED, wait_s=0) == []
    assert not any(map(notes_in, note_rig.requests(session)))
    assert len(model.calls_for(session)) <= 3


def test_after_bad_notes_a_good_one_is_taken(note_rig: Rig, model: NoteModel, session: str) -> None:
    """After a pause it is tried again, and the note comes."""
    model.write = WRONG["garbage"]
    grow(note_rig, session, GROWN)
    model.wait_for_call(session, 0)
    model.write = well
    model.wait_for_call(session, 1, timeout_s=40)
    assert rows_of(note_rig, session, COMMITTED)


@pytest.mark.parametrize("victim", ["sidecar", "gateway"])
def test_killed_in_the_middle_of_a_call(
    note_rig: Rig, model: NoteModel, session: str, victim: str
) -> None:
    """After a crash the pass goes on: every chunk is covered, and none twice."""
    model.write = slowly(4)
    grow(note_rig, session, GROWN)
    model.wait_for_call(session, 1)
    if victim == "sidecar":
        killed = kill_sidecar(note_rig)
        # A turn before the shim has noticed would be told of a broken link, rightly.
        while sidecar_pid(note_rig) == killed:
            time.sleep(0.05)
    else:
        note_rig.gateway.kill()
        note_rig.gateway.start()
    model.write = well
    note_rig.gateway.turn("go on", session=session)
    assert rows_of(note_rig, session, COMMITTED, wait_s=90)
    assert rows_of(note_rig, session, COMMITTED + " AND depth = 1")
    covered = spans(note_rig, session)
    assert covered == sorted(set(covered))
    assert all(one[1] == two[0] for one, two in pairwise(covered))


def spans(rig: Rig, session: str) -> list[tuple[int, int]]:
    """The messages that leaves cover, by position in the session."""
    visible = [
        row[0]
        for row in rows_of(
            rig,
            session,
            "SELECT m.digest FROM messages m JOIN sessions s ON s.id = m.session_id"
            " WHERE s.key = ? AND m.visible = 1 ORDER BY m.position",
        )
    ]
    leaves = rows_of(rig, session, LEAVES)
    return sorted((visible.index(first), visible.index(first) + count) for first, count in leaves)


def grow(rig: Rig, session: str, turns: int, start: int = 0) -> None:
    """Some turns with an output each."""
    for number in range(start, start + turns):
        rig.gateway.turn(TURN.format(session=session, n=number), session=session)


def notes_in(request: Request, kind: str = "note") -> list[str]:
    """Messages of a request that are notes, or digests."""
    shown = [m.text for m in request.messages if TAG in m.text and m.role == "user"]
    return [text for text in shown if f'kind="{kind}"' in text]


def rows_of(
    rig: Rig, session: str, sql: str, *, least: int = 1, wait_s: float = _PATIENCE_S
) -> list[tuple[Any, ...]]:
    """Rows of the session that a query finds, once there are so many."""
    end = time.monotonic() + wait_s
    while True:
        rows = query(rig, sql, session_key(session))
        if len(rows) >= least or time.monotonic() > end:
            return rows
        time.sleep(0.2)
