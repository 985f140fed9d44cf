"""Wrong settings: the gateway starts, the right ones work, and the wrong ones are named."""

from __future__ import annotations

import json

import pytest

from tests.e2e.conditions import let_downs
from tests.e2e.conftest import OpenRig
from tests.e2e.harness.host_config import HostOptions
from tests.e2e.harness.install_flowctx import install_flowctx
from tests.e2e.harness.rig import Rig
from tests.e2e.harness.scenario import MARKER

WRONG = {
    "projectionThreshold": "many",
    "freshTailWindow": 900,
    "summaryTriggerRatio": -3,
    "noSuchKey": 1,
    "debug": "yes",
}
RIGHT = {"projectionKeepRecentTurns": 2}


@pytest.fixture(scope="module")
def odd(open_rig: OpenRig) -> Rig:
    """A gateway whose plugin has five wrong settings and a right one."""
    return open_rig(HostOptions(), install_flowctx(settings={**WRONG, **RIGHT}))


def test_the_right_ones_work(odd: Rig, session: str) -> None:
    """With two turns kept, a result is reduced one turn later than by default."""
    odd.gateway.turn("run: bin/journalctl -u api --kb 14", session=session)
    odd.gateway.turn("one", session=session)
    assert not MARKER.search(odd.requests(session)[-1].tool_results[0].text)
    odd.gateway.turn("two", session=session)
    assert MARKER.search(odd.requests(session)[-1].tool_results[0].text)
    assert let_downs(odd) == []


def test_the_log_names_each_once(odd: Rig, session: str) -> None:
    """Each wrong key stands in the gateway's log one time."""
    odd.gateway.turn("hello", session=session)
    lines = [str(line) for line in odd.gateway.log.about_flowctx()]
    for key in WRONG:
        assert sum(f"setting {key}:" in line for line in lines) == 1, key


def test_doctor_and_status_name_them(odd: Rig, session: str) -> None:
    """`openclaw flowctx doctor` lists each wrong key; status says that it is in use."""
    odd.gateway.turn("hello", session=session)
    doctor = odd.gateway.host.cli("flowctx", "doctor", "--json")
    named = {c["name"] for c in json.loads(doctor.stdout)["checks"] if not c["is_ok"]}
    assert {f"setting {key}" for key in WRONG} <= named
    status = json.loads(odd.gateway.host.cli("flowctx", "status", "--json").stdout)
    assert status["in_use"] is True, status["why_not"]
    assert {problem["key"] for problem in status["setting_problems"]} == set(WRONG)
