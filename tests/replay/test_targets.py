"""The savings that flowctx promises, on recorded sessions."""

from __future__ import annotations

from pathlib import Path

import pytest

from flowctx.dag.prices import Prices
from flowctx.replay.figures import Figures, total
from flowctx.replay.policies import Plan, Policy
from flowctx.replay.run import Runner
from flowctx.replay.sources import read_recordings

PRICES = Prices(cached=0.1, write=1.0)


def _total(paths: list[Path], policy: Policy) -> Figures:
    recordings = [recording for path in paths for recording in read_recordings(path)]
    assert len(recordings) == len(paths) > 0
    return total([f for _, f in Runner(Plan(policy, prices=PRICES)).run(recordings).tasks])


@pytest.mark.shared
@pytest.mark.parametrize(
    ("folder", "count", "limits"),
    [("miniswe-lite-test", 40, (1.6, 0.985, 1.6)), ("entireio-cli", 20, (0.85, 0.97, 0.95))],
)
def test_a_shared_session_is_near_fresh_ones(
    shared: Path, folder: str, count: int, limits: tuple[float, float, float]
) -> None:
    """Tokens, cache hits and cost stay within these multiples of a session for each task."""
    tokens, hit, cost = limits
    paths = sorted((shared / "transcripts" / folder).glob("*.xz"))[:count]
    fresh, folded = _total(paths, "fresh"), _total(paths, "flowctx")
    assert folded.calls == fresh.calls
    assert folded.tokens_in <= tokens * fresh.tokens_in
    assert folded.cached_tokens >= hit * folded.tokens_in
    assert folded.cost <= cost * fresh.cost
    probes = folded.probes
    assert probes.lost == 0
    near = probes.visible + probes.one_step
    assert near >= 0.9 * (near + probes.found) > 0


@pytest.mark.shared
@pytest.mark.parametrize("folder", ["pi-mono", "concat-long", "context-evaluator"])
def test_no_recording_loses_anything_or_costs_more_than_reduction(
    shared: Path, folder: str
) -> None:
    """On sessions that the policy was not tuned on it folds for less than it costs."""
    paths = sorted((shared / "transcripts" / folder).glob("*.xz"))
    reduced, folded = _total(paths, "reduce"), _total(paths, "flowctx")
    assert folded.cost < reduced.cost
    assert folded.tokens_in < reduced.tokens_in
    assert folded.probes.lost == 0
