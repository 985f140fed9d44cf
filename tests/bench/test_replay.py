"""What recorded sessions cost under each policy, against a session for each task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import quantiles
from time import monotonic

import pytest

from flowctx.config import Settings
from flowctx.dag.prices import Prices
from flowctx.replay.figures import Figures, total
from flowctx.replay.policies import Plan
from flowctx.replay.run import Runner
from flowctx.replay.sources import Recording, read_recordings
from tests.bench.results import table, write_section

PRICES = Prices(cached=0.1, write=1.0)
PLANS = {
    "fresh": Plan("fresh", prices=PRICES),
    "raw": Plan("raw", prices=PRICES),
    "reduce": Plan("reduce", prices=PRICES),
    "flowctx, plain gate": Plan("flowctx", settings=Settings(fold_policy="ratio"), prices=PRICES),
    "flowctx": Plan("flowctx", prices=PRICES),
}
# Folder, how many of its recordings, and from which on.
SETS = (
    ("miniswe-lite-test", 40, 0),
    ("entireio-cli", 20, 0),
    ("entireio-cli", 40, 60),
    ("context-evaluator", 18, 0),
    ("pi-mono", 2, 0),
    ("concat-long", 3, 0),
    ("tau-airline", 25, 0),
)
HEAD = [
    "policy", "tokens a task", "× fresh", "spread over tasks", "hit", "cost a task", "× fresh",
    "rounds", "re-sent a task", "visible or one step", "lost", "seconds",
]  # fmt: skip


@pytest.mark.shared
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("folder", "count", "start"), SETS)
def test_replay(shared: Path, folder: str, count: int, start: int) -> None:
    """Tokens, hits and cost of each policy, in one run."""
    paths = sorted((shared / "transcripts" / folder).glob("*.xz"))[start : start + count]
    recordings = [recording for path in paths for recording in read_recordings(path)]
    lines = [
        f"Window {PLANS['raw'].window:,}, digest summariser, prices cached 0.1 and write 1.0,"
        " system part 7,000 tokens. Spread: quartiles of tokens against fresh, task by task."
        " Seconds are those of this run; all other figures are the same in each.",
        "",
        *table(HEAD, _rows(recordings)),
    ]
    write_section(f"Replay of {folder}, {len(recordings)} from number {start + 1} on", lines)


@pytest.mark.shared
@pytest.mark.timeout(1800)
def test_replay_speed(shared: Path) -> None:
    """How many tokens of recordings and of prompts a second of replay takes in."""
    paths = sorted((shared / "transcripts").glob("*/*.xz"))
    recordings = [recording for path in paths for recording in read_recordings(path)]
    started = monotonic()
    result = Runner(PLANS["flowctx"]).run(recordings)
    seconds = monotonic() - started
    recorded = result.turns[-1]["raw_tokens"]
    prompts = total([figures for _, figures in result.tasks]).tokens_in
    line = (
        f"All {len(recordings)} recordings as one session: {recorded / 1e6:.1f}M tokens recorded,"
        f" {prompts / 1e6:.0f}M tokens in prompts, {seconds:.0f} s, so that 25M recorded tokens"
        f" take about {25e6 / recorded * seconds / 60:.1f} minutes here."
    )
    write_section("Replay speed", [line])
    assert recorded > 5e6


def _rows(recordings: Sequence[Recording]) -> list[list[str]]:
    fresh: list[Figures] = []
    rows = []
    for name, plan in PLANS.items():
        tasks = [figures for _, figures in Runner(replace(plan)).run(recordings).tasks]
        fresh = fresh or tasks
        rows.append(_row(name, tasks, fresh))
    return rows


def _row(name: str, tasks: list[Figures], fresh: list[Figures]) -> list[str]:
    whole, base, count = total(tasks), total(fresh), len(tasks)
    ratios = [each.tokens_in / own.tokens_in for each, own in zip(tasks, fresh, strict=True)]
    low, _, high = quantiles(ratios, n=4) if count > 1 else (ratios[0],) * 3
    probes = whole.probes
    near = probes.visible + probes.one_step
    counted = near + probes.found + probes.lost
    return [
        name,
        f"{whole.tokens_in / count / 1000:,.0f}k",
        f"{whole.tokens_in / base.tokens_in:.2f}",
        f"{low:.2f}–{high:.2f}",
        f"{whole.cached_tokens / whole.tokens_in:.1%}",
        f"{whole.cost / count / 1000:,.0f}k",
        f"{whole.cost / base.cost:.2f}",
        f"{whole.rounds}",
        f"{whole.resent_tokens / count / 1000:,.1f}k",
        f"{near / counted:.0%} ({probes.visible / counted:.0%} visible)" if counted else "–",
        f"{probes.lost}",
        f"{whole.seconds:.1f}",
    ]
