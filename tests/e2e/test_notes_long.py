"""Notes in the real gateway over a long session, and what they cost the replies: nothing."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from itertools import pairwise

import pytest

from tests.bench.results import table, write_section
from tests.e2e.conditions import let_downs, loud_lines
from tests.e2e.harness.host_config import HostOptions
from tests.e2e.harness.host_install import HostPaths
from tests.e2e.harness.install_flowctx import install_flowctx
from tests.e2e.harness.model_reply import Reply
from tests.e2e.harness.model_request import Request
from tests.e2e.harness.rig import Rig, running_gateway
from tests.e2e.note_model import NoteModel, note, well
from tests.e2e.test_notes import COMMITTED, LEAVES, grow, notes_in, rows_of, spans

# The documented debug profile, word for word; folding goes by price, as it comes.
WINDOW = 30_000
DEBUG_PROFILE = {
    "contextWindowTokens": WINDOW,
    "summaryTriggerRatio": 0.3,
    "summaryMinTurns": 2,
    "projectionThreshold": 800,
    "leafChunkTokens": 4000,
    "condenseFanout": 3,
    "dumpSummaryRequests": True,
}
LONG = 40
# A reply may come so much later for notes.
ADDED_S = 0.05
SLOW_S, QUICK_S = 20.0, 1.0
PAIRS = 12
HEAD = [
    "median seconds of a turn without notes",
    "added while a model writes notes of 20 s",
    "standard error",
    "calls until the commit",
    "seconds from gate to commit",
    "of them beside the calls",
]
# Turns within which notes that are written must stand.
MORE = 24
_NOTES = "FROM notes JOIN sessions s ON s.id = session_id WHERE s.key = ? AND notes.kind = 'note'"
WHEN_COMMITTED = f"SELECT committed_ms {_NOTES} AND committed_ms IS NOT NULL"
CALLS = (
    "SELECT j.created_ms, j.started_ms, j.ended_ms FROM jobs j"
    " JOIN sessions s ON s.id = j.session_id WHERE s.key = ? AND j.state = 'done'"
)


@pytest.fixture(scope="module")
def model() -> NoteModel:
    """The script of the module's gateway."""
    return NoteModel()


@pytest.fixture(scope="module")
def module_rig(host: HostPaths, model: NoteModel) -> Iterator[Rig]:
    """A gateway with the debug profile."""
    options = HostOptions(context_window=WINDOW)
    install = install_flowctx(settings=DEBUG_PROFILE)
    with running_gateway(host, options, install=install, script=model) as rig:
        yield rig


@pytest.fixture
def rig(module_rig: Rig, model: NoteModel) -> Iterator[Rig]:
    """The gateway, with a model that writes good notes; the host has no complaint afterwards."""
    model.write = well
    model.asked.clear()
    mark = module_rig.gateway.log.mark()
    yield module_rig
    assert let_downs(module_rig, mark) == []
    assert loud_lines(module_rig, mark) == []


def test_the_debug_profile_yields_leaves_and_a_condensed_note(
    rig: Rig, model: NoteModel, session: str
) -> None:
    """Forty turns: leaves cover the history in order, once; a condensed note is in view."""
    grow(rig, session, LONG)
    assert rows_of(rig, session, COMMITTED + " AND depth = 1")
    assert len(rows_of(rig, session, LEAVES)) >= 3
    covered = spans(rig, session)
    assert all(one[1] == two[0] for one, two in pairwise(covered))
    rig.gateway.turn("and now?", session=session)
    shown = notes_in(rig.requests(session)[-1])
    assert any('depth="1"' in text for text in shown), [text[:120] for text in shown]
    assert len(model.calls_for(session)) < LONG


@pytest.mark.timing
def test_no_reply_waits_for_a_note(rig: Rig, model: NoteModel, session: str) -> None:
    """While notes take 20 s each, turns are answered as fast as in a session without notes."""
    small = "without"
    grow(rig, session, 6)
    grow(rig, small, 2)
    added: list[float] = []
    usual: list[float] = []

    def write(_request: Request) -> Reply:
        return Reply(note(), delay_s=QUICK_S if len(added) == PAIRS else SLOW_S)

    model.write = write
    grow(rig, session, 5, start=6)
    model.wait_for_call(session, 0)
    for number in range(PAIRS):
        with_notes = rig.gateway.turn(f"and {number}?", session=session).seconds
        usual.append(rig.gateway.turn(f"and {number}?", session=small).seconds)
        added.append(with_notes - usual[-1])
    assert rows_of(rig, small, CALLS, wait_s=0) == []
    committed_ms = _committed_ms(rig, session)
    calls = [row for row in rows_of(rig, session, CALLS) if row[2] <= committed_ms]
    seconds = sum(ended - started for _, started, ended in calls) / 1000
    whole = (committed_ms - min(created for created, _, _ in calls)) / 1000
    assert len(calls) > 1 and seconds >= SLOW_S
    # What turns of the same kind differ by themselves is no delay.
    noise = statistics.stdev(usual) / len(usual) ** 0.5
    row = [
        f"{statistics.median(usual):.3f}",
        f"{statistics.median(added):+.3f}",
        f"{noise:.3f}",
        f"{len(calls)}",
        f"{whole:.0f}",
        f"{whole - seconds:.1f}",
    ]
    write_section("Replies while notes are written", table(HEAD, [row]))
    assert statistics.median(added) <= ADDED_S + 2 * noise, (added, usual)


def _committed_ms(rig: Rig, session: str) -> int:
    """When the first note came to stand. Notes that do not fit yet wait for further turns."""
    for number in range(MORE):
        rig.gateway.turn(f"so {number}?", session=session)
        if rows := rows_of(rig, session, WHEN_COMMITTED, wait_s=5):
            return min(int(row[0]) for row in rows)
    raise TimeoutError(f"no note stood {MORE} turns later")
