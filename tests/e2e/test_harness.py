"""The harness itself, with flowctx off: what it brings up, drives, records and takes down."""

import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from tests.e2e.conftest import OpenRig
from tests.e2e.harness.gateway import Gateway, Image, session_key
from tests.e2e.harness.gateway_connection import GatewayError
from tests.e2e.harness.host_config import SECOND_AGENT, HostOptions
from tests.e2e.harness.host_install import HostPaths
from tests.e2e.harness.model_reply import Cut, Hang, Refuse, Reply
from tests.e2e.harness.model_request import Request
from tests.e2e.harness.outputs import render
from tests.e2e.harness.picture import red_square
from tests.e2e.harness.prefix import shared_prefix, unexpected_rewrites
from tests.e2e.harness.private_host import PrivateHost
from tests.e2e.harness.rig import Rig, running_gateway
from tests.e2e.harness.scenario import scripted_agent
from tests.e2e.harness.transcript import kept_results


@pytest.fixture(scope="module")
def rig(open_rig: OpenRig) -> Rig:
    """One gateway for the whole module; its second agent has an Anthropic model."""
    return open_rig(HostOptions(second_agent="anthropic"))


@pytest.fixture(autouse=True)
def _nothing_refused(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "rig" in request.fixturenames:
        rig: Rig = request.getfixturevalue("rig")
        assert rig.model.violations == ()
        assert rig.model.script_errors == ()


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


class TestSessions:
    def test_reset_forgets(self, rig: Rig, session: str) -> None:
        """After a reset the model sees nothing of what was said before."""
        rig.gateway.turn("remember the word heron", session=session)
        rig.gateway.reset(session)
        rig.gateway.turn("hello again", session=session)

        request = rig.requests(session)[-1]
        assert [message.role for message in request.messages] == ["system", "user"]
        assert not any("heron" in message.text for message in request.messages)

    def test_compact_puts_a_summary_at_the_head(self, rig: Rig, session: str) -> None:
        """Compacting asks the model for a summary, and the next request begins with it."""
        for at in range(3):
            rig.gateway.turn(f"run: bin/journalctl --kb 30 -n {at}", session=session)
        before = len(rig.model.requests)

        answer = rig.gateway.compact(session)
        rig.gateway.turn("and now?", session=session)

        assert answer["compacted"], answer
        assert any(request.is_summary for request in rig.model.requests[before:])
        assert "All steps so far were done" in rig.requests(session)[-1].messages[1].text

    def test_sessions_are_listed(self, rig: Rig, session: str) -> None:
        """A session is listed under its key once it has had a turn."""
        rig.gateway.turn("hello", session=session)

        assert session_key(session) in [each["key"] for each in rig.gateway.sessions()]

    def test_slash_command_is_answered(self, rig: Rig, session: str) -> None:
        """A chat command gets its answer without a model call."""
        rig.gateway.turn("hello", session=session)
        before = len(rig.model.requests)

        assert "OpenClaw" in rig.gateway.command("/status", session=session)
        assert before == len(rig.model.requests)


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


class TestGateway:
    def test_log_marks_warnings(self, rig: Rig, session: str) -> None:
        """A failing tool leaves a line of level error behind the mark, and none before it."""
        mark = rig.gateway.log.mark()
        rig.gateway.turn("read: no/such/file", session=session)

        loud = [line for line in rig.gateway.log.loud(mark) if "no/such/file" in line.text]
        assert {"ERROR"} == {line.level for line in loud}

    def test_config_edit_is_taken_up(self, rig: Rig) -> None:
        """A changed file reaches the running gateway."""
        rig.gateway.host.edit_config({"agents": {"defaults": {"userTimezone": "Asia/Tokyo"}}})

        config = rig.gateway.call("config.get", {})
        assert "Asia/Tokyo" in str(config)

    def test_restarts_keep_the_session(self, rig: Rig, session: str) -> None:
        """Both kinds of restart end with a gateway that knows the session."""
        gateway = rig.gateway
        gateway.turn("run: echo before", session=session)
        pid = gateway.pid

        gateway.restart_in_process()
        assert pid == gateway.pid
        gateway.turn("between", session=session)

        gateway.restart()
        assert pid != gateway.pid
        gateway.turn("after", session=session)
        assert [r.text for r in rig.requests(session)[-1].tool_results] == ["before"]


class TestNothingIsLeft:
    def test_after_a_crash_in_a_turn(self, host: HostPaths) -> None:
        """A body that fails while a turn runs leaves no process and no folder."""
        private: list[PrivateHost] = []

        def fail_in_a_turn() -> None:
            with running_gateway(host, HostOptions()) as broken:
                private.append(broken.gateway.host)
                threading.Thread(target=_turn_that_breaks, args=(broken.gateway,)).start()
                wait_until(lambda: "sleep" in _names(private[0]))
                raise RuntimeError("the test fails here")

        with pytest.raises(RuntimeError, match="fails here"):
            fail_in_a_turn()
        assert _names(private[0]) == []
        assert not private[0].folders.root.exists()

    def test_of_processes_that_detached_themselves(self, host: HostPaths) -> None:
        """Closing a host also ends what has left its parent, group and session."""
        private = PrivateHost(host, "http://127.0.0.1:1", HostOptions())
        with Gateway(private):
            sleep = subprocess.Popen(["sleep", "300"], env=private.env, start_new_session=True)
            wait_until(lambda: _names(private) == ["sleep"])
        assert _names(private) == []
        sleep.wait(timeout=5)


def wait_until(holds: Callable[[], bool], *, timeout_s: float = 60) -> None:
    end = time.monotonic() + timeout_s
    while not holds():
        assert time.monotonic() < end, f"not so within {timeout_s} s"
        time.sleep(0.1)


def _names(host: PrivateHost) -> list[str]:
    return [process.name() for process in host.living()]


def _turn_that_breaks(gateway: Gateway) -> None:
    with suppress(GatewayError):
        gateway.turn("run: sleep 300", session="long")
