"""What the model receives with flowctx on, in the real gateway."""

from __future__ import annotations

import json
import re

import pytest

from tests.e2e.harness.gateway import session_key
from tests.e2e.harness.host_config import SECOND_AGENT
from tests.e2e.harness.prefix import unexpected_rewrites
from tests.e2e.harness.rig import Rig
from tests.e2e.harness.scenario import MARKER, marked_hashes
from tests.e2e.harness.transcript import kept_results
from tests.e2e.sidecar_process import sidecar_pid

TURNS = (
    "run: bin/pytest -q --kb 40",
    "run: bin/journalctl -u api --kb 60",
    "run: bin/curl -s localhost/orders --kb 50",
    "run: bin/rg -n retry src --kb 20",
    "run: bin/git diff main --kb 30",
    "run: bin/make --kb 50",
    "run: bin/psql -c jobs --kb 20 ;; run: bin/rg -n lock src --kb 10",
    "read: data/orders.csv",
    "run: bin/journalctl -u api --since yesterday --kb 300",
    "run: bin/curl -s localhost/refunds --kb 25\nrun: bin/make --kb 5",
    "run: bin/pytest -q tests/test_ledger.py --kb 5",
    "What failed in the first test run?",
)
# HOST D3: a result over the host's limit is cut again for its own turn.
_HOST_CUT = re.compile(r"\[… \d+ more characters truncated[^\]]*\]\s*\Z")
RETRIEVE = 'call: flowctx_retrieve {"hash": "%s", "maxTokens": 100000}'


@pytest.fixture(scope="module")
def long_session(flow_rig: Rig) -> str:
    """A session of twelve turns with outputs of 5 to 300 KB."""
    for text in TURNS:
        flow_rig.gateway.turn(text, session="twelve")
    return "twelve"


def test_the_running_turn_is_verbatim_and_older_results_are_reduced(
    flow: Rig, long_session: str
) -> None:
    """What a tool just returned is whole; all above the threshold before it is a marker."""
    kept = {r.call_id: r.text for r in kept_results(flow.gateway.transcript(long_session))}
    for request in flow.requests(long_session):
        for result in request.new_tool_results:
            assert _uncut(result.text).startswith(_uncut(kept[result.answers])[:60_000])
        for result in request.tool_results[: -len(request.new_tool_results) or None]:
            whole = kept[result.answers]
            if len(whole) > 4 * 1000:
                assert MARKER.search(result.text), result.text[:200]
                # The names of all files of a diff are facts, and may need more room.
                assert len(result.text) <= (8000 if "[flowctx diff" in result.text else 4000)
            else:
                assert result.text == whole


def test_each_request_is_a_byte_prefix_of_the_next(flow: Rig, long_session: str) -> None:
    """Only results of the turn that has just ended change, and they change once."""
    assert unexpected_rewrites(flow.requests(long_session)) == []


def test_at_least_sixty_percent_fewer_tokens_are_sent(
    flow: Rig, rig: Rig, long_session: str
) -> None:
    """Twelve turns with flowctx cost at most 40 % of the same turns without."""
    for text in TURNS:
        rig.gateway.turn(text, session=long_session)
    without = sum(request.tokens for request in rig.requests(long_session))
    with_flowctx = sum(request.tokens for request in flow.requests(long_session))
    assert with_flowctx <= 0.4 * without, (with_flowctx, without)


def test_the_model_gets_back_exactly_what_the_transcript_holds(
    flow: Rig, long_session: str
) -> None:
    """By the hash it reads in a marker; also after the sidecar and the gateway restarted."""
    hash_ = marked_hashes(flow.requests(long_session)[-1])[0]
    first = _retrieve(flow, long_session, hash_)
    flow.gateway.restart()
    assert sidecar_pid(flow)
    again = _retrieve(flow, long_session, hash_)
    kept = [result.text for result in kept_results(flow.gateway.transcript(long_session))]
    assert first in kept
    assert again == first


def test_what_was_retrieved_is_not_reduced_again(flow: Rig, long_session: str) -> None:
    """The result of flowctx_retrieve stays whole when its turn has ended."""
    hash_ = marked_hashes(flow.requests(long_session)[-1])[1]
    text = _retrieve(flow, long_session, hash_)
    flow.gateway.turn("thanks", session=long_session)
    assert text in [result.text for result in flow.requests(long_session)[-1].tool_results]


def test_a_foreign_agent_is_refused(flow: Rig, long_session: str, session: str) -> None:
    """A hash is no capability: another agent's model is told so, and gets nothing."""
    hash_ = next(marked_hashes(r)[0] for r in flow.requests(long_session) if marked_hashes(r))
    flow.gateway.turn(RETRIEVE % hash_, session=session, agent=SECOND_AGENT)
    (answer,) = flow.requests(session, agent=SECOND_AGENT)[-1].new_tool_results
    assert "belongs to another" in answer.text


@pytest.mark.parametrize("asked", ["0" * 24, "nonsense", "[flowctx text · exec]"])
def test_a_wrong_hash_gets_a_final_answer(flow: Rig, session: str, asked: str) -> None:
    """Never stored or no hash at all: each says so once and for all."""
    flow.gateway.turn(f"call: flowctx_retrieve {json.dumps({'hash': asked})}", session=session)
    (answer,) = flow.requests(session)[-1].new_tool_results
    assert "hash" in answer.text or "Retrying will not help" in answer.text


def test_the_tool_is_offered_directly(flow: Rig, session: str) -> None:
    """flowctx_retrieve is among the model's tools, not behind tool search."""
    flow.gateway.turn("hello", session=session)
    assert "flowctx_retrieve" in flow.requests(session)[-1].tools


def test_the_system_prompt_never_changes(flow: Rig, long_session: str) -> None:
    """The guidance is constant, and the host's own memory section is still there."""
    prompts = {request.messages[0].text for request in flow.requests(long_session)}
    assert len(prompts) == 1
    assert "flowctx_retrieve" in prompts.pop()


def _uncut(text: str) -> str:
    """A text without the host's own cut, which it makes elsewhere in the running turn."""
    return _HOST_CUT.sub("", text)


def _retrieve(rig: Rig, session: str, hash_: str) -> str:
    rig.gateway.turn(RETRIEVE % hash_, session=session)
    (result,) = rig.requests(session)[-1].new_tool_results
    return result.text


def test_sessions_are_known_by_their_key(flow: Rig, long_session: str) -> None:
    """The store names the session as the host does."""
    from tests.e2e.sidecar_process import query

    keys = {row[0] for row in query(flow, "SELECT key FROM sessions")}
    assert session_key(long_session) in keys
