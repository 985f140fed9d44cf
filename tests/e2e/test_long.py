"""Two hundred turns: nothing degrades, nothing grows without bound."""

from __future__ import annotations

import psutil

from tests.e2e.conditions import junk_turns, let_downs, loud_lines
from tests.e2e.harness.prefix import unexpected_rewrites
from tests.e2e.harness.rig import Rig
from tests.e2e.sidecar_process import sidecar_pid, stored_rows

TURNS = 200
MEGABYTE = 1_000_000


def test_two_hundred_turns(rough_rig: Rig, session: str) -> None:
    """No turn degraded, no error of ours, and memory of both processes stays bounded."""
    rig = rough_rig
    mark = rig.gateway.log.mark()
    sizes = []
    for number in range(TURNS):
        tool = f"run: bin/journalctl -n {number} --kb {6 + number % 7}"
        turn = rig.gateway.turn(tool if number % 2 else "and?", session=session)
        assert turn.text.startswith("done:")
        if number in (TURNS // 2, TURNS - 1):
            sizes.append(_resident(rig))
    assert let_downs(rig, mark) == []
    assert loud_lines(rig, mark) == []
    assert junk_turns(rig, session) == []
    assert rig.model.violations == ()
    _assert_rounds_are_rare(rig, session)
    assert sizes[1]["sidecar"] < 120 * MEGABYTE, sizes
    assert sizes[1]["sidecar"] - sizes[0]["sidecar"] < 25 * MEGABYTE, sizes
    rows = stored_rows(rig, session)
    assert len(rows) == len(set(rows))


def _assert_rounds_are_rare(rig: Rig, session: str) -> None:
    rewrites = unexpected_rewrites(rig.requests(session))
    requests = {line.split(" rewrites")[0] for line in rewrites}
    assert len(requests) <= 2, sorted(requests)


def _resident(rig: Rig) -> dict[str, int]:
    processes = {"gateway": rig.gateway.pid, "sidecar": sidecar_pid(rig)}
    return {name: psutil.Process(pid).memory_info().rss for name, pid in processes.items()}
