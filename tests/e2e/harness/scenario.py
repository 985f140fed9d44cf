"""A scripted agent: the user's words say which tools it calls.

Each line of a message is one step: `run: <command>`, `read: <path>` or
`call: <tool> <json>`; `;;` joins several calls of one step, which the agent
makes at once. `{hash}` stands for the first hash it reads in a marker. When
nothing is left to do it says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.e2e.harness.model_reply import Reply, ToolCall
from tests.e2e.harness.model_request import Request

MARKER = re.compile(
    r"^\[flowctx (?P<what>[^\n]*)flowctx_retrieve hash=(?P<hash>[0-9a-f]{24})\]$", re.MULTILINE
)
SUMMARY = "## Goal\nAll steps so far were done as asked.\n## Next\nWait for the user."

# A scheduled run begins with the name of its job: `[cron:<id> <name>] run: …`.
_STEP = re.compile(r"\A\s*(?:\[cron:[^\]]*\] )?(run|read|call):\s*(.+?)\s*\Z", re.DOTALL)


def scripted_agent(request: Request) -> Reply:
    """The answer of the agent to one request of the host."""
    if request.is_host_call:
        return Reply(SUMMARY)
    steps = _steps(request.user_text)
    done = _rounds_done(request)
    if done < len(steps):
        return Reply(calls=tuple(_calls(request, steps[done])))
    return Reply(f"done: {len(steps)} steps, {len(request.new_tool_results)} results")


def marked_hashes(request: Request) -> list[str]:
    """Hashes in the markers of all tool results in view, in order, each once."""
    found = [m["hash"] for r in request.tool_results for m in MARKER.finditer(r.text)]
    return list(dict.fromkeys(found))


def _steps(text: str) -> list[list[str]]:
    lines = [line.split(";;") for line in text.splitlines()]
    return [calls for calls in lines if all(map(_STEP.match, calls))]


def _rounds_done(request: Request) -> int:
    """How many times the agent has called tools since the user last spoke."""
    rounds = 0
    for message in reversed(request.messages):
        if message.role == "user":
            break
        rounds += bool(message.calls)
    return rounds


def _calls(request: Request, step: Sequence[str]) -> list[ToolCall]:
    calls = []
    for at, words in enumerate(step):
        name, arguments = _call(words, request)
        calls.append(ToolCall(f"call_{request.number}_{at}", name, arguments))
    return calls


def _call(words: str, request: Request) -> tuple[str, Mapping[str, Any]]:
    match = _STEP.match(words)
    if match is None:
        raise ValueError(f"no step: {words!r}")
    kind, rest = match.groups()
    if kind == "run":
        return "exec", {"command": rest}
    if kind == "read":
        return "read", {"path": rest}
    tool, _, arguments = rest.partition(" ")
    return tool, json.loads(_with_hash(arguments or "{}", request))


def _with_hash(arguments: str, request: Request) -> str:
    if "{hash}" not in arguments:
        return arguments
    hashes = marked_hashes(request)
    if not hashes:
        raise ValueError("no marker in view to take a hash from")
    return arguments.replace("{hash}", hashes[0])
