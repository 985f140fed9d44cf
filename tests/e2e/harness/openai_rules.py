"""What OpenAI chat completions, and DeepSeek behind the same API, refuse with status 400."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.e2e.harness.wire import Body

_ROLES = frozenset({"system", "developer", "user", "assistant", "tool"})
_NAME = re.compile(r"\A[a-zA-Z0-9_-]{1,64}\Z")


def violations(body: Body) -> list[str]:
    """What is wrong with a request, in words; empty when it would be taken."""
    messages = body.get("messages") or []
    found = [] if messages else ["no messages"]
    open_ids: list[str] = []
    for at, message in enumerate(messages):
        role = message.get("role")
        found += [f"messages[{at}]: {wrong}" for wrong in _wrong_shape(message)]
        if role == "tool":
            found += _answer(at, message.get("tool_call_id"), open_ids)
            continue
        if open_ids:
            found.append(f"messages[{at}]: tool calls {open_ids} are not answered before it")
        open_ids = [call.get("id", "") for call in message.get("tool_calls") or []]
    if open_ids:
        found.append(f"end: tool calls {open_ids} are not answered")
    return found


def _answer(at: int, call_id: str | None, open_ids: list[str]) -> list[str]:
    if call_id not in open_ids:
        return [f"messages[{at}]: tool result {call_id!r} follows no such call (open: {open_ids})"]
    open_ids.remove(call_id)
    return []


def _wrong_shape(message: dict[str, Any]) -> list[str]:
    role = message.get("role")
    if role not in _ROLES:
        return [f"unknown role {role!r}"]
    calls = message.get("tool_calls") or []
    found = [wrong for call in calls for wrong in _wrong_call(call)]
    ids = [call.get("id") for call in calls]
    if len(set(ids)) < len(ids):
        found.append(f"tool call ids are not unique: {ids}")
    if message.get("content") in (None, [], "") and not (role == "assistant" and calls):
        found += [f"empty content of role {role}"] if role in ("user", "assistant") else []
    return found


def _wrong_call(call: dict[str, Any]) -> list[str]:
    function = call.get("function") or {}
    found = []
    if not call.get("id"):
        found.append("tool call without id")
    if not _NAME.match(function.get("name") or ""):
        found.append(f"tool name {function.get('name')!r}")
    try:
        json.loads(function.get("arguments", ""))
    except (TypeError, ValueError):
        found.append(f"arguments of {function.get('name')} are not JSON")
    return found
