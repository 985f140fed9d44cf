"""What Anthropic's messages API refuses with status 400."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tests.e2e.harness.wire import Body

_ID = re.compile(r"\A[a-zA-Z0-9_-]+\Z")
# Documented with the API's prompt caching.
_MAX_CACHE_MARKS = 4

Block = dict[str, Any]


def violations(body: Body) -> list[str]:
    """What is wrong with a request, in words; empty when it would be taken."""
    turns = _turns(body.get("messages") or [])
    found = [] if turns else ["no messages"]
    if turns and turns[0][0] != "user":
        found.append(f"first message has role {turns[0][0]!r}")
    if not isinstance(body.get("max_tokens"), int) or body["max_tokens"] < 1:
        found.append(f"max_tokens is {body.get('max_tokens')!r}")
    marks = sum(1 for block in _blocks_with_marks(body) if "cache_control" in block)
    if marks > _MAX_CACHE_MARKS:
        found.append(f"{marks} blocks with cache_control")
    open_ids: list[str] = []
    for at, (role, blocks) in enumerate(turns):
        found += [f"turn {at}: {wrong}" for wrong in _wrong_turn(role, blocks, open_ids)]
        open_ids = [block.get("id", "") for block in blocks if block.get("type") == "tool_use"]
    if open_ids:
        found.append(f"end: tool_use {open_ids} has no tool_result")
    return found


def _turns(messages: list[Block]) -> list[tuple[str, list[Block]]]:
    """Messages with neighbours of one role joined, as the API does before it looks."""
    turns: list[tuple[str, list[Block]]] = []
    for message in messages:
        role = message.get("role", "")
        if turns and turns[-1][0] == role:
            turns[-1][1].extend(_blocks(message))
        else:
            turns.append((role, list(_blocks(message))))
    return turns


def _blocks(message: Block) -> list[Block]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return list(content or [])


def _wrong_turn(role: str, blocks: list[Block], open_ids: list[str]) -> Iterator[str]:
    if role not in ("user", "assistant"):
        yield f"unknown role {role!r}"
    if not blocks:
        yield "no content"
    answered = [block.get("tool_use_id", "") for block in _results(blocks)]
    if sorted(answered) != sorted(open_ids):
        yield f"tool_result {answered} where tool_use {open_ids} was open"
    if any(block.get("type") == "tool_result" for block in blocks[len(answered) :]):
        yield "tool_result does not come first"
    for block in blocks:
        yield from _wrong_block(block)


def _results(blocks: list[Block]) -> Iterator[Block]:
    for block in blocks:
        if block.get("type") != "tool_result":
            return
        yield block


def _wrong_block(block: Block) -> Iterator[str]:
    kind = block.get("type")
    if kind == "text" and not block.get("text", "").strip():
        yield "empty text block"
    if kind == "tool_use" and not _ID.match(block.get("id") or ""):
        yield f"tool_use id {block.get('id')!r}"
    if kind == "tool_use" and not isinstance(block.get("input"), dict):
        yield f"input of {block.get('name')} is no object"
    if kind == "thinking" and not block.get("signature"):
        yield "thinking without signature"


def _blocks_with_marks(body: Body) -> Iterator[Block]:
    system = body.get("system")
    if isinstance(system, list):
        yield from system
    yield from body.get("tools") or []
    for message in body.get("messages") or []:
        yield from _blocks(message)
