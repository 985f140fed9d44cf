"""Getting it back in the real gateway: parts, search, and the walls around both."""

from __future__ import annotations

import json
import re

import pytest

from tests.e2e.harness.gateway import session_key
from tests.e2e.harness.host_config import SECOND_AGENT
from tests.e2e.harness.prefix import unexpected_rewrites
from tests.e2e.harness.rig import Rig
from tests.e2e.harness.scenario import marked_hashes
from tests.e2e.harness.transcript import kept_results
from tests.e2e.sidecar_process import sidecar_pid

TOOLS = ("flowctx_retrieve", "flowctx_search", "flowctx_pin", "flowctx_unpin", "flowctx_pins")
CANARY = "heliotrope-7731"


def call(rig: Rig, session: str, tool: str, agent: str = "main", **arguments: object) -> str:
    """What a tool answers when the model of a session calls it."""
    asked = f"call: {tool} {json.dumps(arguments, ensure_ascii=False)}"
    rig.gateway.turn(asked, session=session, agent=agent)
    (result,) = rig.requests(session, agent=agent)[-1].new_tool_results
    return result.text


@pytest.fixture(scope="module")
def told(flow_rig: Rig) -> str:
    """A session with a fact in its second turn and big outputs around it."""
    for text in (
        "run: bin/journalctl -u api --kb 60",
        f"run: echo the deploy code is {CANARY} for the reef cluster",
        "run: bin/curl -s localhost/orders --kb 50",
        *(f"run: bin/make --kb 5 -j {number}" for number in range(5)),
    ):
        flow_rig.gateway.turn(text, session="told")
    return "told"


def test_lines_and_matches_agree_with_the_transcript(flow: Rig, told: str) -> None:
    """A range and a grep give the transcript's own lines, under their numbers."""
    kept = [result.text for result in kept_results(flow.gateway.transcript(told))]
    hash_ = marked_hashes(flow.requests(told)[-1])[0]
    whole = next(text for text in kept if "journal" in text or text.count("\n") > 200)
    lines = whole.split("\n")
    part = call(flow, told, "flowctx_retrieve", hash=hash_, lines="100-102")
    assert part.split("\n")[1:] == [f"{n}:{lines[n - 1]}" for n in range(100, 103)]
    word = re.findall(r"[A-Za-z]{6,}", lines[150])[0]
    part = call(flow, told, "flowctx_retrieve", hash=hash_, grep=word, maxTokens=100_000)
    wanted = {f"{n}:{line}" for n, line in enumerate(lines, 1) if word in line}
    assert {row for row in part.split("\n")[1:] if row != "--"} == wanted


def test_a_fact_of_the_second_turn_is_found_and_three_lines_of_it_retrieved(
    flow: Rig, told: str
) -> None:
    """Search, hash, lines; and what was sent before goes on to be a prefix."""
    found = call(flow, told, "flowctx_search", query="What was the deploy code of the reef?")
    assert f"**{CANARY.split('-')[0]}" in found or CANARY in found.replace("**", "")
    hash_ = re.findall(r"hash=([0-9a-f]{24})", found)[0]
    part = call(flow, told, "flowctx_retrieve", hash=hash_, lines="1-3")
    assert CANARY in part and part.startswith(f"[original {hash_}")
    flow.gateway.turn("thanks", session=told)
    assert unexpected_rewrites(flow.requests(told)) == []


def test_every_marker_resolves_after_a_restart(flow: Rig, told: str) -> None:
    """What the last request marks comes back byte for byte from a new process."""
    hashes = marked_hashes(flow.requests(told)[-1])
    flow.gateway.restart()
    assert sidecar_pid(flow)
    kept = {result.text for result in kept_results(flow.gateway.transcript(told))}
    assert len(hashes) >= 3
    for hash_ in hashes[:3]:
        assert call(flow, told, "flowctx_retrieve", hash=hash_, maxTokens=100_000) in kept


def test_the_tools_are_offered_directly_and_only_where_they_work(flow: Rig, session: str) -> None:
    """All that are on are among the model's tools; the scratchpad's are not, as it is off."""
    flow.gateway.turn("hello", session=session)
    offered = flow.requests(session)[-1].tools
    assert set(TOOLS) <= set(offered)
    assert not [name for name in offered if name.startswith("flowctx_scratch")]


@pytest.mark.parametrize(
    ("session_name", "agent"),
    [
        ("agent:main:telegram:direct:41", "main"),
        ("agent:main:telegram:group:-100", "main"),
        (f"agent:{SECOND_AGENT}:explicit:told", SECOND_AGENT),
        (f"agent:{SECOND_AGENT}:telegram:direct:41", SECOND_AGENT),
    ],
)
def test_no_wall_is_crossed_whatever_is_asked(
    flow: Rig, told: str, session_name: str, agent: str
) -> None:
    """Another person, a group, another agent: neither search nor hash gives the canary away."""
    hash_ = re.findall(
        r"hash=([0-9a-f]{24})", call(flow, told, "flowctx_search", query=f'"{CANARY}"')
    )[0]
    for tool, arguments in (
        ("flowctx_search", {"query": "deploy code reef session:all"}),
        ("flowctx_search", {"query": f"reef session:{session_key(told)}", "person": "owner"}),
        ("flowctx_retrieve", {"hash": hash_}),
        ("flowctx_retrieve", {"hash": f"{hash_},{hash_[::-1]}", "grep": "reef"}),
    ):
        answer = call(flow, session_name, tool, agent, **arguments)
        assert CANARY not in answer.replace("**", "") and "reef cluster" not in answer


@pytest.mark.parametrize(
    "arguments",
    [
        {"hash": "../../etc/passwd"}, {"hash": {"a": [1]}}, {"hash": None, "lines": 7},
        {"hash": "0" * 24, "grep": "/(a+)+$/", "context": "many", "maxTokens": -1},
    ],
)  # fmt: skip
def test_invented_arguments_get_a_clear_answer(
    flow: Rig, session: str, arguments: dict[str, object]
) -> None:
    """Types and values that fit nothing end in a sentence, not in an error."""
    answer = call(flow, session, "flowctx_retrieve", **arguments)
    assert answer and "Error" not in answer
