"""`openclaw agent --local`: no gateway, no service; the engine finds its sidecar itself."""

from __future__ import annotations

from tests.e2e.harness.host_config import HostOptions
from tests.e2e.harness.host_install import HostPaths
from tests.e2e.harness.install_flowctx import install_flowctx
from tests.e2e.harness.rig import waiting_gateway
from tests.e2e.harness.scenario import MARKER
from tests.e2e.sidecar_process import sidecar_pid, stored_rows


def test_a_local_run_starts_the_sidecar_and_gets_a_view(host: HostPaths, session: str) -> None:
    """Two local runs after another: the second one's view is reduced."""
    words = ("agent", "--local", "--agent", "main", "--session-id", session, "--message")
    with waiting_gateway(host, HostOptions(), install=install_flowctx()) as rig:
        for text in ("run: bin/journalctl -u api --kb 14", "hello"):
            rig.gateway.host.checked_cli(*words, text, timeout_s=240)
        assert sidecar_pid(rig)
        results = rig.requests(session)[-1].tool_results
        assert results and MARKER.search(results[0].text)
        assert len(stored_rows(rig, session)) >= 4
