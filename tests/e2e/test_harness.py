"""The harness with flowctx off: sessions, background runs, restarts, and leaving nothing."""

import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from tests.e2e.harness.background_runs import run_job, spawning, tasks, wake
from tests.e2e.harness.gateway import Gateway, session_key
from tests.e2e.harness.gateway_connection import GatewayError
from tests.e2e.harness.host_config import HostOptions
from tests.e2e.harness.host_install import HostPaths
from tests.e2e.harness.private_host import PrivateHost
from tests.e2e.harness.rig import Rig, running_gateway


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


class TestBackgroundRuns:
    def test_wake_runs_in_the_session(self, rig: Rig, session: str) -> None:
        """A heartbeat's request belongs to the user's own session."""
        rig.gateway.turn("hello", session=session)
        before = len(rig.model.requests)

        wake(rig.gateway, "look after the build", session=session)

        request = rig.model.wait_for(
            lambda r: r.number >= before and r.session == session_key(session), timeout_s=30
        )
        assert request.user_text.startswith("Follow the heartbeat monitor")

    def test_scheduled_job_has_a_session_of_its_own(self, rig: Rig) -> None:
        """A job calls its tool and ends; its requests carry the key of its session."""
        before = len(rig.model.requests)

        run = run_job(rig.gateway, "run: echo scheduled")

        requests = [r for r in rig.model.requests[before:] if ":cron:" in (r.session or "")]
        assert run.status == "ok"
        assert run.session.startswith(requests[0].session or "none")
        assert [r.text for r in requests[-1].tool_results] == ["scheduled"]

    def test_subagent_runs_and_reports(self, rig: Rig, session: str) -> None:
        """A spawned agent works in a session of its own and its end is told to the parent."""
        before = len(rig.model.requests)

        rig.gateway.turn(spawning("run: echo child"), session=session)

        told = rig.model.wait_for(
            lambda r: r.number >= before and "background task completed" in r.user_text,
            timeout_s=60,
        )
        assert told.session == session_key(session)
        child = [r for r in rig.model.requests[before:] if ":subagent:" in (r.session or "")]
        assert [r.text for r in child[-1].tool_results] == ["child"]
        assert any(task["status"] == "completed" for task in tasks(rig.gateway))


class TestGateway:
    def test_log_marks_warnings(self, rig: Rig, session: str) -> None:
        """A failing tool leaves a line of level error behind the mark, and none before it."""
        mark = rig.gateway.log.mark()
        rig.gateway.turn("read: no/such/file", session=session)

        def levels() -> set[str]:
            loud = rig.gateway.log.loud(mark)
            return {line.level for line in loud if "no/such/file" in line.text}

        # The host's log is written behind the reply.
        wait_until(lambda: levels() != set())
        assert levels() == {"ERROR"}

    def test_config_edit_is_taken_up(self, rig: Rig, session: str) -> None:
        """A changed file reaches the running gateway, and through it the model."""
        rig.gateway.host.edit_config({"agents": {"defaults": {"userTimezone": "Asia/Tokyo"}}})

        def model_knows() -> bool:
            rig.gateway.turn("hello", session=session)
            return "Asia/Tokyo" in rig.requests(session)[-1].messages[0].text

        wait_until(model_knows)

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
                wait_until(lambda: "sleep" in private[0].living_names())
                raise RuntimeError("the test fails here")

        with pytest.raises(RuntimeError, match="fails here"):
            fail_in_a_turn()
        assert private[0].living_names() == []
        assert not private[0].folders.root.exists()

    def test_of_processes_that_detached_themselves(self, host: HostPaths) -> None:
        """Closing a host also ends what has left its parent, group and session."""
        private = PrivateHost(host, "http://127.0.0.1:1", HostOptions())
        with Gateway(private):
            sleep = subprocess.Popen(["sleep", "300"], env=private.env, start_new_session=True)
            wait_until(lambda: private.living_names() == ["sleep"])
        assert private.living_names() == []
        sleep.wait(timeout=5)


def wait_until(holds: Callable[[], bool], *, timeout_s: float = 60) -> None:
    end = time.monotonic() + timeout_s
    while not holds():
        assert time.monotonic() < end, f"not so within {timeout_s} s"
        time.sleep(0.1)


def _turn_that_breaks(gateway: Gateway) -> None:
    with suppress(GatewayError):
        gateway.turn("run: sleep 300", session="long")
