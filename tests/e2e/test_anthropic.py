"""The Anthropic route with cache-ttl pruning, where commitTurn and upkeep never come (HOST M1)."""

from __future__ import annotations

import pytest

from tests.e2e.conditions import let_downs, loud_lines
from tests.e2e.conftest import OpenRig
from tests.e2e.harness.host_config import HostOptions
from tests.e2e.harness.install_flowctx import install_flowctx
from tests.e2e.harness.prefix import unexpected_rewrites
from tests.e2e.harness.rig import Rig
from tests.e2e.harness.scenario import MARKER, marked_hashes
from tests.e2e.harness.transcript import kept_results
from tests.e2e.sidecar_process import kill_sidecar, query, sidecar_pid, stored_rows

BIG = "run: bin/journalctl -u api --kb 14"


@pytest.fixture(scope="module")
def claude(open_rig: OpenRig) -> Rig:
    """A gateway as the host sets it up for users of Anthropic."""
    return open_rig(HostOptions(api="anthropic", cache_ttl_pruning=True), install_flowctx())


def test_turns_are_learnt_without_commits(claude: Rig, session: str) -> None:
    """Every message is stored after the next turn, once, though nothing was committed."""
    for number in range(5):
        claude.gateway.turn(f"{BIG} -n {number}", session=session)
    claude.gateway.turn("sync", session=session)
    rows = stored_rows(claude, session)
    kept = [(m["role"], m["timestamp"]) for m in claude.gateway.transcript(session)]
    assert query(claude, "SELECT count(*) FROM advancements") == [(0,)]
    assert len(set(rows)) == len(rows)
    assert set(kept[:-2]) <= set(rows)


def test_old_results_are_reduced_and_the_prefix_holds(claude: Rig, session: str) -> None:
    """The same view as on every route: reduced, frozen, valid for a strict provider."""
    for number in range(6):
        claude.gateway.turn(f"{BIG} -n {number}", session=session)
    last = claude.gateway.turn("and?", session=session)
    assert last.text.startswith("done:")
    results = claude.requests(session)[-1].tool_results
    assert len(results) == 6
    assert all(MARKER.search(result.text) for result in results)
    assert unexpected_rewrites(claude.requests(session)) == []
    assert claude.model.violations == ()


def test_an_original_comes_back(claude: Rig, session: str) -> None:
    """flowctx_retrieve works on this route as on any other."""
    claude.gateway.turn(BIG, session=session)
    claude.gateway.turn("next", session=session)
    hash_ = marked_hashes(claude.requests(session)[-1])[0]
    asked = f'{{"hash": "{hash_}", "maxTokens": 100000}}'
    claude.gateway.turn(f"call: flowctx_retrieve {asked}", session=session)
    (result,) = claude.requests(session)[-1].new_tool_results
    assert result.text == kept_results(claude.gateway.transcript(session))[0].text


def test_what_an_outage_hid_is_learnt_from_the_next_view(claude: Rig, session: str) -> None:
    """With the sidecar killed in the middle of a turn, nothing is missing afterwards."""
    claude.gateway.turn(BIG, session=session)
    kill_sidecar(claude)
    claude.gateway.turn(f"{BIG}\n{BIG} -n 2", session=session)
    sidecar_pid(claude)
    claude.gateway.turn("back?", session=session)
    claude.gateway.turn("sync", session=session)
    rows = stored_rows(claude, session)
    kept = [(m["role"], m["timestamp"]) for m in claude.gateway.transcript(session)]
    assert set(kept[:-2]) <= set(rows)
    assert len(set(rows)) == len(rows)


def test_the_host_has_nothing_to_complain_of(claude: Rig) -> None:
    """No degraded turn; of us, only that a view was not used while the sidecar was dead."""
    assert let_downs(claude) == []
    assert all("last known one sent" in line for line in loud_lines(claude))
