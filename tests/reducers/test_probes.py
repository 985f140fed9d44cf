"""Planted facts survive in outputs of many kinds and languages."""

from __future__ import annotations

import pytest

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.marker import VIEW_MAX_CHARS, render_view
from flowctx.reducers.pipeline import explain_output
from flowctx.tokens import estimate_tokens
from tests.reducers.honesty import faults
from tests.reducers.probes import ALL, languages
from tests.reducers.probes.probe import Probe

HASH = "0123456789abcdef01234567"
# There are more failing tests, or more signatures, in them than a view has room for.
MADE_OF_FACTS = {"pytest_300_failures", *(make().name for make in languages.PROBES)}


def reduced(probe: Probe) -> tuple[Reduction, str]:
    explained = explain_output(ToolOutput(probe.text, probe.tool, probe.command, probe.exit_code))
    result = explained.result
    assert isinstance(result, Reduction), result
    assert not [step for step in explained.steps if step.outcome.startswith("gave up")]
    return result, render_view(result, tool=probe.tool, original_hash=HASH)


@pytest.mark.parametrize("probe", ALL, ids=[probe.name for probe in ALL])
def test_every_planted_fact_is_in_a_view_of_half_the_size_at_most(probe):
    """Small, honest, and with the fact."""
    result, view = reduced(probe)
    assert [fact for fact in probe.facts if fact not in probe.text] == []
    assert [fact for fact in probe.facts if fact not in view] == []
    assert estimate_tokens(view) <= 0.5 * estimate_tokens(probe.text)
    assert faults(probe.text, result) == []


def test_views_are_short_over_all():
    """All together they come to 14 %, and only facts take more than a view may have."""
    views = {probe.name: reduced(probe)[1] for probe in ALL}
    long = {name for name, view in views.items() if len(view) > VIEW_MAX_CHARS}
    assert long <= MADE_OF_FACTS
    others = [probe for probe in ALL if probe.name not in MADE_OF_FACTS]
    after = sum(estimate_tokens(views[probe.name]) for probe in others)
    assert after <= 0.14 * sum(estimate_tokens(probe.text) for probe in others)


def test_at_least_forty_kinds_are_probed():
    """The set is as wide as it claims to be."""
    assert len({probe.name for probe in ALL}) == len(ALL) >= 60
