"""Nothing that happens to the sidecar keeps a reply back, or lets the host down."""

from __future__ import annotations

import os
import signal
import statistics
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.conditions import junk_turns, let_downs
from tests.e2e.conftest import OpenRig
from tests.e2e.harness.gateway import Turn, session_key
from tests.e2e.harness.host_config import HostOptions
from tests.e2e.harness.install_flowctx import install_flowctx
from tests.e2e.harness.model_reply import Reply
from tests.e2e.harness.model_request import Request
from tests.e2e.harness.rig import Rig
from tests.e2e.harness.scenario import MARKER, scripted_agent
from tests.e2e.sidecar_process import kill_sidecar, paths, sidecar_pid, stopped_sidecar, stored_rows

BIG = "run: bin/journalctl -u api --kb 12"
# What a turn may take longer than an undisturbed one (HOST B10: the host waits for ever).
ADDED_S = 1.0
# The machine's own unrest between two equal turns.
NOISE_S = 0.7


@pytest.fixture
def rig(rough_rig: Rig) -> Rig:
    """One gateway with flowctx; tests disturb its sidecar, never the gateway."""
    return rough_rig


@pytest.fixture
def warm(rig: Rig, session: str) -> str:
    """A session with two turns behind it, and a sidecar that runs."""
    sidecar_pid(rig)
    rig.gateway.turn(BIG, session=session)
    rig.gateway.turn("hello", session=session)
    return session


@contextmanager
def during_the_answer(rig: Rig, session: str, act: Callable[[], None]) -> Iterator[None]:
    """Act while the model answers: after assemble, before commitTurn."""
    done = threading.Event()

    def script(request: Request) -> Reply:
        if not request.is_host_call and not done.is_set():
            done.set()
            act()
        return scripted_agent(request)

    rig.model.set_script(session_key(session), script)
    try:
        yield
    finally:
        rig.model.set_script(session_key(session), scripted_agent)


def assert_undisturbed(rig: Rig, session: str, turn: Turn, mark: int) -> None:
    """The reply came in time, the next turn works with a reduced view, the host is content."""
    usual = rig.gateway.turn("and now?", session=session)
    assert turn.text.startswith("done:")
    assert turn.seconds <= usual.seconds + ADDED_S + NOISE_S, (turn.seconds, usual.seconds)
    sidecar_pid(rig)
    later = rig.gateway.turn("and again?", session=session)
    assert later.text.startswith("done:")
    results = rig.requests(session)[-1].tool_results
    assert results and all(MARKER.search(result.text) for result in results)
    assert let_downs(rig, mark) == []
    assert junk_turns(rig, session) == []


def test_killed_before_assemble(rig: Rig, warm: str) -> None:
    """A crash between turns: the reply comes, and a new sidecar takes over."""
    mark = rig.gateway.log.mark()
    kill_sidecar(rig)
    turn = rig.gateway.turn("still there?", session=warm)
    assert_undisturbed(rig, warm, turn, mark)


def test_killed_during_assemble(rig: Rig, warm: str) -> None:
    """A crash while the view is being made: the last known view goes out instead."""
    mark = rig.gateway.log.mark()
    with stopped_sidecar(rig, kill_after_s=0.4):
        turn = rig.gateway.turn("still there?", session=warm)
    assert_undisturbed(rig, warm, turn, mark)


def test_killed_during_commit(rig: Rig, warm: str) -> None:
    """A crash while the turn is being committed: the turn is learnt from the next one."""
    mark = rig.gateway.log.mark()
    pid = sidecar_pid(rig)

    def stop_then_kill() -> None:
        os.kill(pid, signal.SIGSTOP)
        threading.Timer(0.3, os.kill, (pid, signal.SIGKILL)).start()

    with during_the_answer(rig, warm, stop_then_kill):
        turn = rig.gateway.turn(BIG, session=warm)
    assert_undisturbed(rig, warm, turn, mark)
    assert_store_is_complete(rig, warm)


def test_killed_during_maintain(rig: Rig, warm: str) -> None:
    """A crash while the host runs background upkeep starts no run of its own."""
    mark = rig.gateway.log.mark()
    turn = rig.gateway.turn(BIG, session=warm)
    kill_sidecar(rig)
    assert_undisturbed(rig, warm, turn, mark)
    assert_store_is_complete(rig, warm)


def test_stopped_for_five_seconds(rig: Rig, warm: str) -> None:
    """A sidecar that hangs costs at most a second, then nothing until it is back."""
    mark = rig.gateway.log.mark()
    with stopped_sidecar(rig) as pid:
        first = rig.gateway.turn(BIG, session=warm)
        second = rig.gateway.turn("and?", session=warm)
        third = rig.gateway.turn("and?", session=warm)
        threading.Event().wait(max(5 - first.seconds - second.seconds - third.seconds, 0))
        os.kill(pid, signal.SIGCONT)
    assert second.seconds <= first.seconds + NOISE_S
    assert_undisturbed(rig, warm, first, mark)
    assert sidecar_pid(rig) == pid
    assert_store_is_complete(rig, warm)


def test_view_of_an_outage_fits_the_budget(brief_rig: OpenRig, session: str) -> None:
    """Without a sidecar, a history of many windows is cut to what the model can take."""
    small = brief_rig(HostOptions(context_window=32_000), install_flowctx())
    sidecar_pid(small)
    for _ in range(12):
        small.gateway.turn("run: bin/journalctl -u api --kb 15", session=session)
    with stopped_sidecar(small):
        turn = small.gateway.turn("what now?", session=session)
    assert turn.text.startswith("done:")
    assert max(request.tokens for request in small.requests(session)) < 32_000
    assert let_downs(small) == []


def assert_store_is_complete(rig: Rig, session: str) -> None:
    """Every message of the transcript but the last turn's is stored, and stored once."""
    rig.gateway.turn("sync", session=session)
    rows = stored_rows(rig, session)
    kept = [(m["role"], m["timestamp"]) for m in rig.gateway.transcript(session)]
    assert len(set(rows)) == len(rows)
    assert set(kept[:-2]) <= set(rows)


class TestWithoutASidecar:
    """The program is not there, or its folder cannot be used."""

    def test_never_installed(self, brief_rig: OpenRig, session: str, tmp_path: Path) -> None:
        """A missing program costs no time and no turn; the log says once what is wrong."""
        missing = str(tmp_path / "no-such-flowctx")
        rig = brief_rig(HostOptions(env={"FLOWCTX_BIN": missing}), install_flowctx())
        self._three_turns(rig, session)
        said = [str(line) for line in rig.gateway.log.about_flowctx() if "not found" in str(line)]
        assert said and missing in said[0]

    def test_run_folder_unwritable(self, brief_rig: OpenRig, session: str) -> None:
        """Where no socket can be made, replies go on without flowctx."""

        def install(host: object) -> None:
            install_flowctx()(host)  # type: ignore[arg-type]
            folder = host.folders.state  # type: ignore[attr-defined]
            # A file in the folder's place stops root as well as everybody else.
            (folder / "flowctx").mkdir(parents=True)
            (folder / "flowctx" / "run").write_text("in the way")

        rig = brief_rig(HostOptions(), install)
        self._three_turns(rig, session)
        assert not paths(rig).socket.exists()

    def _three_turns(self, rig: Rig, session: str) -> None:
        texts = (BIG, "a", "b", "c", "d", "e")
        turns = [rig.gateway.turn(text, session=session) for text in texts]
        assert all(turn.text.startswith("done:") for turn in turns)
        waits = [turn.seconds for turn in turns[1:]]
        assert max(waits) <= statistics.median(waits) + ADDED_S + NOISE_S, waits
        assert let_downs(rig) == []
        assert junk_turns(rig, session) == []
