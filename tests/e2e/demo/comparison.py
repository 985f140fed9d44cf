"""Running the session twice, in two private gateways, one after the other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from tests.e2e.demo.claims import Evidence
from tests.e2e.demo.progress import DemoProgress
from tests.e2e.demo.session import STEPS, Retrieved, SessionRecord, retrieve_one, run_session
from tests.e2e.harness.host_config import HostOptions
from tests.e2e.harness.host_install import HostPaths
from tests.e2e.harness.install_flowctx import install_flowctx
from tests.e2e.harness.rig import Install, running_gateway

# Two gateways to start, the turns of both, one retrieval.
STEP_COUNT = 2 * (1 + len(STEPS)) + 1


@dataclass(frozen=True, slots=True)
class Comparison:
    """How to run it.

    *plugin* is the built plugin's folder, *flowctx* the command it starts, none
    to let it look for one. *keep* leaves the private folders in place.
    """

    host: HostPaths
    plugin: Path
    flowctx: Path | None
    progress: DemoProgress
    keep: bool = False

    def run(self) -> Evidence:
        """Both runs; what the host refuses or breaks is raised."""
        env = {"FLOWCTX_BIN": str(self.flowctx)} if self.flowctx else {}
        without = self._run("without flowctx", HostOptions(), None)
        reduced = self._run("with flowctx", HostOptions(env=env), install_flowctx(self.plugin))
        return Evidence(
            without=without.session,
            reduced=reduced.session,
            retrieved=reduced.retrieved,
            left_over=without.left_over + reduced.left_over,
        )

    def _run(self, name: str, options: HostOptions, install: Install | None) -> _Run:
        self.progress.step(f"{name}: starting the gateway")
        with running_gateway(self.host, options, install=install, keep=self.keep) as rig:
            session = run_session(rig, lambda step: self.progress.step(f"{name}: {step}"))
            done = _Run(session)
            if install is not None:
                self.progress.step(f"{name}: the model retrieves an original")
                done = replace(done, retrieved=retrieve_one(rig))
        if self.keep:
            self.progress.note(f"{name}: kept {rig.gateway.host.folders.root}")
        return replace(done, left_over=tuple(rig.gateway.host.living_names()))


@dataclass(frozen=True, slots=True)
class _Run:
    session: SessionRecord
    retrieved: Retrieved | None = None
    left_over: tuple[str, ...] = ()
