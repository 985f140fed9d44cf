"""How fast each family of reducers is, and what it leaves, on outputs made for the tests."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from statistics import quantiles

from flowctx.message import hash_text
from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.marker import render_view
from flowctx.reducers.pipeline import reduce_output
from flowctx.tokens import estimate_tokens
from tests.bench.results import table, write_section
from tests.reducers.probes import ALL

RUNS = 3
HEAD = ["type", "outputs", "KB", "MB/s", "p50 ms", "p90 ms", "tokens left", "spread over outputs"]
LONG_LINE_CHARS = 1_000_000

# Bytes, milliseconds, share of the tokens that is left.
Measured = tuple[int, float, float]


def test_reducers() -> None:
    """Each output is reduced a few times; the least processor time counts."""
    by_type: defaultdict[str, list[Measured]] = defaultdict(list)
    for probe in ALL:
        output = ToolOutput(probe.text, probe.tool, probe.command, probe.exit_code)
        kind, measured = _measure(output)
        by_type[kind].append(measured)
    every = [measured for several in by_type.values() for measured in several]
    rows = [_row(kind, several) for kind, several in sorted(by_type.items())]
    line, long_ms = _long_line()
    write_section("Reducers", [*table(HEAD, [*rows, _row("all", every)]), "", line])
    assert long_ms < 5_000


def _measure(output: ToolOutput) -> tuple[str, Measured]:
    size, before = len(output.text.encode()), estimate_tokens(output.text)
    reduction, ms = _timed(output)
    if not isinstance(reduction, Reduction):
        return "whole", (size, ms, 1.0)
    view = render_view(reduction, tool=output.tool, original_hash=hash_text(output.text))
    return reduction.type.partition("/")[0], (size, ms, estimate_tokens(view) / before)


def _timed(output: ToolOutput) -> tuple[object, float]:
    times = []
    for _ in range(RUNS):
        began = time.thread_time()
        reduction = reduce_output(output)
        times.append((time.thread_time() - began) * 1000)
    return reduction, min(times)


def _row(kind: str, several: list[Measured]) -> list[str]:
    sizes, times, shares = zip(*several, strict=True)
    low, middle, high = _quartiles(shares)
    return [
        kind,
        str(len(several)),
        f"{sum(sizes) / 1000:,.0f}",
        f"{sum(sizes) / 1000 / sum(times):.1f}",
        f"{_quantile(times, 50):.1f}",
        f"{_quantile(times, 90):.1f}",
        f"{middle:.0%}",
        f"{low:.0%}–{high:.0%}",
    ]


def _quartiles(values: tuple[float, ...]) -> tuple[float, float, float]:
    return _quantile(values, 25), _quantile(values, 50), _quantile(values, 75)


def _quantile(values: tuple[float, ...], percent: int) -> float:
    several = values if len(values) > 1 else values * 2
    return quantiles(several, n=100, method="inclusive")[percent - 1]


def _long_line() -> tuple[str, float]:
    chance = random.Random(7)
    words = " ".join(f"{chance.randrange(10**6)}" for _ in range(LONG_LINE_CHARS // 6))
    _, ms = _timed(ToolOutput(words[:LONG_LINE_CHARS], "exec"))
    return f"One line of {LONG_LINE_CHARS / 1e6:.0f} MB: {ms:.0f} ms.", ms
