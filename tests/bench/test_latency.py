"""What flowctx adds to a reply, and what the sidecar costs: the real engine and a real sidecar."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.bench.results import ROOT, table, write_section

SHIM = ROOT / "plugin-shim"
SIZES = [1_000, 10_000, 50_000]
STARTS = 7
_BUNDLE = """
import("esbuild").then(({ build }) => build({
  entryPoints: ["../tests/bench/latency.ts"], outfile: process.argv[1], bundle: true,
  platform: "node", format: "esm", target: "node20", logLevel: "warning",
  alias: { "openclaw/plugin-sdk/core": "../tests/bench/sdk_standin.ts" },
  banner: { js: 'import { createRequire } from "node:module";' +
    " const require = createRequire(import.meta.url);" },
}));
"""


@pytest.mark.timeout(900)
def test_added_reply_time(tmp_path: Path) -> None:
    """What a reply waits for grows with what is new, far slower than with the history."""
    bundle = tmp_path / "latency.mjs"
    subprocess.run(["node", "-e", _BUNDLE, str(bundle)], cwd=SHIM, check=True)
    rows, medians, resident = [], {}, {}
    for size in SIZES:
        timing = _latency(bundle, tmp_path / str(size), size, resident)
        medians[size] = statistics.median(timing["assemble_ms"])
        rows.append(_row(timing, medians[SIZES[0]], resident[size]))
    head = [
        "messages",
        "assemble ms (min–max)",
        "÷ 1k",
        "first sight ms",
        "commitTurn ms",
        "RSS MB",
    ]
    write_section("Added reply time", table(head, rows))
    assert medians[SIZES[-1]] / medians[SIZES[0]] < SIZES[-1] / SIZES[0] / 2


def test_start_of_the_sidecar(tmp_path: Path) -> None:
    """A sidecar answers soon after it is started, and takes little memory while idle."""
    times, resident = [], []
    for n in range(STARTS):
        began = time.perf_counter()
        process = _serve(tmp_path / str(n))
        times.append((time.perf_counter() - began) * 1000)
        resident.append(_resident_mb(process))
        process.terminate()
        process.communicate(timeout=20)
    row = [_spread(times), f"{statistics.median(resident):.0f}"]
    write_section("Start of the sidecar", table(["spawn → READY ms", "RSS MB idle"], [row]))
    assert max(resident) < 200


def _latency(bundle: Path, state: Path, size: int, resident: dict[int, float]) -> dict[str, Any]:
    command = ["node", str(bundle), str(state), str(SHIM), str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    [timing] = json.loads(done.stdout)
    [sidecar] = _sidecars_of(state)
    resident[size] = _resident_mb(sidecar)
    sidecar.terminate()
    sidecar.wait(timeout=20)
    return dict(timing)


def _row(timing: dict[str, Any], smallest: float, resident: float) -> list[str]:
    median = statistics.median(timing["assemble_ms"])
    return [
        f"{timing['size']:,}",
        _spread(timing["assemble_ms"]),
        f"{median / smallest:.1f}",
        f"{timing['first_ms']:.0f}",
        _spread(timing["commit_ms"]),
        f"{resident:.0f}",
    ]


def _spread(times: list[float]) -> str:
    return f"{statistics.median(times):.1f} ({min(times):.1f}–{max(times):.1f})"


def _serve(state: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "flowctx", "serve", "--state-dir", str(state)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("READY")
    return process


def _sidecars_of(state: Path) -> list[psutil.Process]:
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if str(state) in (process.info["cmdline"] or []) and "node" not in process.name()
    ]


def _resident_mb(process: subprocess.Popen[str] | psutil.Process) -> float:
    return float(psutil.Process(process.pid).memory_info().rss) / 1e6
