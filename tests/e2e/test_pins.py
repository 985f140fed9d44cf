"""Pins and working memory in the real gateway: in every request, through folds and a reset."""

from __future__ import annotations

import json

import pytest

from tests.e2e.conditions import let_downs, loud_lines
from tests.e2e.conftest import OpenRig
from tests.e2e.harness.gateway import session_key
from tests.e2e.harness.host_config import HostOptions
from tests.e2e.harness.install_flowctx import install_flowctx
from tests.e2e.harness.model_request import Request
from tests.e2e.harness.rig import Rig
from tests.e2e.sidecar_process import query

RULE = "Never deploy on a Friday; 周五绝不部署."
HABIT = "Answer in one sentence."
NOTE = "plan: 1 measure, 2 cut"
# The rounds that must come, and the turns that may pass until then.
ROUNDS, MOST_TURNS = 2, 30


@pytest.fixture(scope="module")
def rig(open_rig: OpenRig) -> Rig:
    """A gateway with a small window and the scratchpad on; results stay whole, so that it folds."""
    options = HostOptions(context_window=64_000, max_output=2048)
    return open_rig(options, install_flowctx(settings={"scratchpad": True, "projection": False}))


def call(rig: Rig, session: str, tool: str, **arguments: str) -> str:
    asked = json.dumps(arguments, ensure_ascii=False)
    rig.gateway.turn(f"call: {tool} {asked}", session=session)
    (result,) = rig.requests(session)[-1].new_tool_results
    return result.text


def blocks(request: Request, tag: str) -> list[str]:
    """The engine's blocks with a tag in what the model was sent."""
    return [m.text for m in request.messages if m.role == "user" and f"<{tag}" in m.text]


def folded(rig: Rig, session: str) -> int:
    """How many rounds there were with folds in the view."""
    rows = query(
        rig,
        "SELECT l.data FROM ledger l JOIN sessions s ON s.id = l.session_id"
        f" WHERE l.event = 'assemble' AND s.key = '{session_key(session)}' ORDER BY l.id",
    )
    told = [json.loads(data) for (data,) in rows]
    return sum(bool(each["round"]) and each["folded"] > 0 for each in told)


def test_pins_and_notes_stand_through_two_folds_and_a_reset(rig: Rig, session: str) -> None:
    """Both are verbatim in every request; after a reset the session's own are gone."""
    assert "Pinned as" in call(rig, session, "flowctx_pin", text=RULE)
    assert "Pinned as" in call(rig, session, "flowctx_pin", text=HABIT, scope="agent")
    assert "Noted" in call(rig, session, "flowctx_scratch_append", text=NOTE)
    since = rig.requests(session)[-1].number + 1
    for number in range(MOST_TURNS):
        rig.gateway.turn(f"run: bin/journalctl -n {number} --kb 40", session=session)
        if folded(rig, session) >= ROUNDS:
            break
    assert folded(rig, session) >= ROUNDS
    for request in rig.requests(session, since=since):
        last = blocks(request, "flowctx-pins")[-1]
        assert RULE in last and HABIT in last
        assert NOTE in blocks(request, "working_memory")[-1]
    rig.gateway.reset(session)
    rig.gateway.turn("hello", session=session)
    last = blocks(rig.requests(session)[-1], "flowctx-pins")[-1]
    assert HABIT in last and RULE not in last
    assert blocks(rig.requests(session)[-1], "working_memory") == []
    assert let_downs(rig) == [] and loud_lines(rig) == []
    assert rig.model.violations == ()


def test_pins_are_set_and_removed_by_chat(rig: Rig, session: str) -> None:
    """`/flowctx pin`, `pins` and `unpin` work without the model."""
    rig.gateway.turn("hello", session=session)
    said = rig.gateway.command("/flowctx pin keep the reef dry", session=session)
    id_ = said.split()[2].rstrip(",.")
    assert "keep the reef dry" in rig.gateway.command("/flowctx pins", session=session)
    rig.gateway.turn("and now?", session=session)
    assert "keep the reef dry" in blocks(rig.requests(session)[-1], "flowctx-pins")[-1]
    assert "is gone" in rig.gateway.command(f"/flowctx unpin {id_}", session=session)


def test_an_incognito_chat_keeps_no_pin(rig: Rig) -> None:
    """What was promised to leave no trace cannot be pinned in, and is told so."""
    key = "agent:main:dashboard:incognito-77c1"
    rig.gateway.turn("hello", session=key)
    assert "Nothing can be pinned" in rig.gateway.command("/flowctx pin a secret", session=key)
    assert query(rig, "SELECT 1 FROM pins WHERE text LIKE '%secret%'") == []


def test_strangers_see_no_pin(rig: Rig, session: str) -> None:
    """A pin for the agent stands with the same person alone: not in a group, not with a peer."""
    call(rig, session, "flowctx_pin", text="the owner's canary 5501", scope="agent")
    for key in ("agent:main:telegram:group:-7", "agent:main:telegram:direct:9"):
        rig.gateway.turn("hello", session=key)
        assert "canary 5501" not in json.dumps(rig.requests(key)[-1].body)
        assert "canary 5501" not in call(rig, key, "flowctx_pins")
    rig.gateway.turn("hello", session=f"{session}-two")
    assert "canary 5501" in blocks(rig.requests(f"{session}-two")[-1], "flowctx-pins")[-1]
