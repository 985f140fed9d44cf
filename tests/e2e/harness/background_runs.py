"""Runs that no user asks for: heartbeats, scheduled jobs, subagents (HOST L1, L2)."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.e2e.harness.gateway import Gateway, session_key

_POLL_S = 0.2
_RUN_S = 60.0


@dataclass(frozen=True, slots=True)
class JobRun:
    """A finished run of a scheduled job: its session's key, and how it ended."""

    session: str
    status: str
    payload: Mapping[str, Any]


def wake(gateway: Gateway, text: str, *, session: str = "agent:main:main") -> None:
    """Have a heartbeat run now, in a session, whatever its rhythm is; does not wait for it."""
    params = {"mode": "now", "text": text, "sessionKey": session_key(session)}
    gateway.call("wake", params)


def run_job(
    gateway: Gateway, message: str, *, agent: str = "main", timeout_s: float = _RUN_S
) -> JobRun:
    """Add a scheduled job with a session of its own, run it now to its end, remove it."""
    job = gateway.call(
        "cron.add",
        {
            "name": "harness",
            "agentId": agent,
            "schedule": {"kind": "every", "everyMs": 24 * 3600 * 1000},
            "sessionTarget": "isolated",
            "wakeMode": "now",
            "payload": {"kind": "agentTurn", "message": message},
            "delivery": {"mode": "none"},
        },
    )
    try:
        run = gateway.call("cron.run", {"id": job["id"], "mode": "force"})
        return _finished(gateway, job["id"], run["runId"], timeout_s=timeout_s)
    finally:
        gateway.call("cron.remove", {"id": job["id"]})


def spawning(task: str) -> str:
    """The words that make the scripted agent start a subagent on a task."""
    arguments = {"id": "sessions_spawn", "args": {"task": task, "context": "isolated"}}
    return f"call: tool_call {json.dumps(arguments)}"


def tasks(gateway: Gateway) -> list[Mapping[str, Any]]:
    """The host's record of background tasks, newest first; a failed one is told to the user."""
    return list(gateway.call("tasks.list", {"limit": 500})["tasks"])


def _finished(gateway: Gateway, job_id: str, run_id: str, *, timeout_s: float) -> JobRun:
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        for entry in gateway.call("cron.runs", {"id": job_id, "runId": run_id})["entries"]:
            if entry.get("action") == "finished":
                return JobRun(entry["sessionKey"], entry["status"], entry)
        time.sleep(_POLL_S)
    raise TimeoutError(f"the job did not end in {timeout_s} s")
