"""`make demo` shows what it claims, or fails."""

import json
import subprocess
from pathlib import Path

from tests.e2e.harness.host_install import ROOT, HostPaths


def test_every_claim_holds(host: HostPaths, tmp_path: Path) -> None:
    """The demo ends well, and its figures say the same as its table."""
    figures = tmp_path / "figures.json"
    done = subprocess.run(
        [ROOT / ".venv" / "bin" / "python", "-m", "tests.e2e.demo", "--json", figures],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=550,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(claim["holds"] for claim in json.loads(figures.read_text())["claims"])
