"""What handing over the new messages alone saves against handing over all of them."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median

import pytest

from tests.bench.results import table, write_section
from tests.support.sidecar import SidecarProcess, running
from tests.support.transcripts import Body, assistant, call, result, user
from tests.support.wire import WireSession

MESSAGES, ROUNDS = 10_000, 9
HEAD = ["handed over", "messages", "bytes", "ms (min–max)", "× delta"]


class Counting(WireSession):
    """Knows what its last request carried, and how long its answer took."""

    bytes = messages = 0
    ms = 0.0

    def _call(self, request):
        self.messages, self.bytes = len(request.bodies), sum(map(len, request.bodies))
        began = time.perf_counter()
        answer = super()._call(request)
        self.ms = (time.perf_counter() - began) * 1000
        return answer


def turn(number: int) -> list[Body]:
    """A small turn with one command."""
    rows = "\n".join(f"{number}.{row} worker {row * 7} done, ok" for row in range(8))
    return [
        user(f"Please look at item {number}.", timestamp=number * 60_000),
        assistant(call(f"c{number}", command=f"show {number}"), timestamp=number * 60_000 + 1),
        result(f"c{number}", rows, timestamp=number * 60_000 + 2),
        assistant(f"Item {number} is fine. " + "As before. " * 20, timestamp=number * 60_000 + 3),
    ]


@pytest.mark.timeout(900)
def test_delta_against_whole() -> None:
    """Both are asked in turn, of one sidecar, for the same session."""
    with tempfile.TemporaryDirectory(prefix="fx-") as folder, running(Path(folder)) as sidecar:
        rows = _measure(sidecar)
    fastest = median(rows["delta"][2])
    lines = [
        [name, f"{messages:,}", f"{size:,}", _spread(times), f"{median(times) / fastest:.1f}"]
        for name, (messages, size, times) in rows.items()
    ]
    write_section("Delta against the whole list", table(HEAD, lines))
    assert median(rows["whole"][2]) > 10 * fastest


def _measure(sidecar: SidecarProcess) -> dict[str, tuple[int, int, list[float]]]:
    host = Counting(sidecar.stub, "agent:main:explicit:delta")
    history = [body for number in range(MESSAGES // 4) for body in turn(number)]
    host.settled(history)
    rows: dict[str, tuple[int, int, list[float]]] = {}
    times: dict[str, list[float]] = {"delta": [], "whole": []}
    for number in range(ROUNDS):
        history += turn(MESSAGES // 4 + number)
        for name in times:
            asking = host if name == "delta" else Counting(sidecar.stub, host.ref.key)
            asking.assemble(history)
            times[name].append(asking.ms)
            rows[name] = asking.messages, asking.bytes, times[name]
            time.sleep(0.3)
    return rows


def _spread(times: list[float]) -> str:
    return f"{median(times):.1f} ({min(times):.1f}–{max(times):.1f})"
