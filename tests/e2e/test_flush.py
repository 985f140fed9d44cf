"""The host's hidden run that saves memories before it compacts (HOST E6)."""

from __future__ import annotations

from tests.e2e.harness.rig import Rig
from tests.e2e.sidecar_process import query


def test_a_memory_flush_passes_through_and_is_not_stored(whole_rig: Rig, session: str) -> None:
    """The host's hidden run gets all messages as they are; its session is nowhere."""
    for number in range(12):
        whole_rig.gateway.turn(f"run: bin/journalctl -u api --kb 23 -n {number}", session=session)
    flushes = [
        q for q in whole_rig.model.requests if "internal-session-effects" in (q.session or "")
    ]
    assert flushes
    stored = query(whole_rig, "SELECT key FROM sessions WHERE key LIKE '%internal-session%'")
    assert stored == []
    assert all("flowctx-handoff-note" not in q.raw.decode() for q in flushes)
    assert whole_rig.model.violations == ()
