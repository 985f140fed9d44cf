"""The harness with flowctx off: turns, what the model sees of them, failures of a provider."""

import threading
import time

import pytest

from tests.e2e.harness.gateway import Image, session_key
from tests.e2e.harness.gateway_connection import GatewayError
from tests.e2e.harness.host_config import SECOND_AGENT
from tests.e2e.harness.model_reply import Cut, Hang, Refuse, Reply
from tests.e2e.harness.model_request import Request
from tests.e2e.harness.outputs import render
from tests.e2e.harness.picture import red_square
from tests.e2e.harness.prefix import shared_prefix, unexpected_rewrites
from tests.e2e.harness.rig import Rig
from tests.e2e.harness.scenario import scripted_agent
from tests.e2e.harness.transcript import kept_results


class Failing:
    """A script whose first answer is a failure."""

    def __init__(self, failure: Refuse | Cut | Hang) -> None:
        self.failure = failure
        self.asked = 0

    def __call__(self, request: Request) -> Reply:
        self.asked += 1
        return Reply(failure=self.failure) if self.asked == 1 else scripted_agent(request)


class TestTurns:
    def test_reply_reaches_the_user(self, rig: Rig, session: str) -> None:
        """What the scripted model says is what the user gets, within a bounded time."""
        turn = rig.gateway.turn("hello", session=session)

        assert turn.text == "done: 0 steps, 0 results"
        assert 0 < turn.seconds < 30

    def test_model_sees_what_the_transcript_keeps(self, rig: Rig, session: str) -> None:
        """A command's output is in the next request and, the same, in the transcript."""
        rig.gateway.turn("run: bin/pytest -q --kb 6", session=session)

        (kept,) = kept_results(rig.gateway.transcript(session))
        (seen,) = rig.requests(session)[-1].new_tool_results
        assert render("tests", 6000).rstrip("\n") == kept.text
        assert (kept.call_id, kept.text) == (seen.answers, seen.text)

    def test_steps_follow_each_other_and_calls_of_one_go_together(
        self, rig: Rig, session: str
    ) -> None:
        """A message with two steps, the first of two calls, makes three model calls."""
        turn = rig.gateway.turn(
            "run: echo one ;; run: echo two\nread: data/orders.csv", session=session
        )

        requests = rig.requests(session)
        assert turn.text == "done: 2 steps, 3 results"
        assert [len(request.new_tool_results) for request in requests] == [0, 2, 3]
        assert [r.text for r in requests[1].new_tool_results] == ["one", "two"]
        assert requests[2].new_tool_results[2].text.startswith("id,customer,status,total\n")

    def test_sessions_do_not_mix(self, rig: Rig, session: str) -> None:
        """Requests are told apart by session even when two turns run at once."""
        names = [f"{session}-{each}" for each in "ab"]
        threads = [
            threading.Thread(target=rig.gateway.turn, args=(name,), kwargs={"session": name})
            for name in names
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert names == [rig.requests(name)[0].user_text for name in names]

    def test_history_is_a_stable_prefix(self, rig: Rig, session: str) -> None:
        """With flowctx off each request continues the one before it, byte for byte."""
        for text in ("hello", "run: bin/rg -n retry --kb 5", "thanks"):
            rig.gateway.turn(text, session=session)

        requests = rig.requests(session)
        assert unexpected_rewrites(requests) == []
        last = shared_prefix(requests[-2], requests[-1])
        assert len(requests[-2].parts) == last.parts
        assert 0.9 < last.share < 1

    def test_image_reaches_the_model(self, rig: Rig, session: str) -> None:
        """An image sent with one turn is in that request and in the next turn's."""
        rig.gateway.turn("look at this", session=session, images=[Image(red_square())])
        rig.gateway.turn("what was it?", session=session)

        images = [
            [len(m.images) for m in request.messages if m.role == "user"]
            for request in rig.requests(session)
        ]
        assert images == [[1], [1, 0]]

    def test_second_agent_speaks_anthropic(self, rig: Rig, session: str) -> None:
        """The other agent's turns arrive at the other dialect, calls and results included."""
        turn = rig.gateway.turn("run: echo a ;; run: echo b", session=session, agent=SECOND_AGENT)

        requests = rig.requests(session, agent=SECOND_AGENT)
        assert turn.text == "done: 1 steps, 2 results"
        assert {"/v1/messages"} == {request.path for request in requests}
        assert [result.text for result in requests[-1].tool_results] == ["a", "b"]
        assert requests[-1].agent == SECOND_AGENT


class TestFailures:
    @pytest.mark.parametrize(
        "failure", [Refuse(500), Cut()], ids=["server error", "connection cut in the answer"]
    )
    def test_host_asks_again(self, rig: Rig, session: str, failure: Refuse | Cut) -> None:
        """A passing failure of the provider costs a second call, not the reply."""
        script = Failing(failure)
        rig.model.set_script(session_key(session), script)

        assert rig.gateway.turn("hello", session=session).text == "done: 0 steps, 0 results"
        assert script.asked == 2

    def test_refused_request_fails_the_turn(self, rig: Rig, session: str) -> None:
        """Status 400 ends the turn with an error that carries the gateway's log."""
        rig.model.set_script(session_key(session), lambda _: Reply(failure=Refuse(400)))

        with pytest.raises(GatewayError, match="rejected") as caught:
            rig.gateway.turn("hello", session=session)
        assert "--- log" in "\n".join(caught.value.__notes__)

    def test_waiting_is_bounded(self, rig: Rig, session: str) -> None:
        """A silent provider ends a turn at the time the test allows."""
        rig.model.set_script(session_key(session), lambda _: Reply(failure=Hang(5)))

        began = time.monotonic()
        with pytest.raises(TimeoutError):
            rig.gateway.turn("hello", session=session, timeout_s=1)
        assert time.monotonic() - began < 3
