"""Anthropic messages: reading requests, writing answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from tests.e2e.harness.anthropic_rules import violations
from tests.e2e.harness.model_reply import Refuse, ToolCall
from tests.e2e.harness.wire import (
    Answer,
    Body,
    Part,
    SeenMessage,
    Wire,
    dump,
    event,
    is_internal_context,
)

Block = dict[str, Any]


def _read(body: Body) -> list[SeenMessage]:
    seen = [SeenMessage("system", _joined(_blocks(body.get("system"))))]
    for message in body.get("messages") or []:
        blocks = _kept_blocks(message)
        seen.extend(_result(block) for block in blocks if block["type"] == "tool_result")
        others = [block for block in blocks if block["type"] != "tool_result"]
        if others:
            seen.append(_seen(message["role"], others))
    return seen


def _parts(body: Body) -> list[Part]:
    head = [_unmarked(body.get("tools") or []), _unmarked(_blocks(body.get("system")))]
    messages = [
        (message["role"], blocks)
        for message in body.get("messages") or []
        if (blocks := _kept_blocks(message))
    ]
    return [
        *(Part("head", dump(part)) for part in head),
        *(Part(_part_role(role, blocks), dump([role, blocks])) for role, blocks in messages),
    ]


def _part_role(role: str, blocks: list[Block]) -> Literal["user", "assistant", "tool"]:
    if role == "assistant":
        return "assistant"
    return "tool" if any(block["type"] == "tool_result" for block in blocks) else "user"


def _tools(body: Body) -> dict[str, bytes]:
    return {tool["name"]: dump(tool) for tool in _unmarked(body.get("tools") or [])}


def _kept_blocks(message: Block) -> list[Block]:
    return [
        block
        for block in _unmarked(_blocks(message.get("content")))
        if not (block["type"] == "text" and is_internal_context(block["text"]))
    ]


def _unmarked(blocks: list[Block]) -> list[Block]:
    """Blocks without `cache_control`: it moves from call to call and is no part of the prompt."""
    return [{k: v for k, v in block.items() if k != "cache_control"} for block in blocks]


def _blocks(content: Any) -> list[Block]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return list(content or [])


def _joined(blocks: list[Block]) -> str:
    return "\n".join(block["text"] for block in blocks if block["type"] == "text")


def _images(blocks: list[Block]) -> tuple[str, ...]:
    return tuple(block["source"]["data"] for block in blocks if block["type"] == "image")


def _seen(role: str, blocks: list[Block]) -> SeenMessage:
    return SeenMessage(
        role="assistant" if role == "assistant" else "user",
        text=_joined(blocks),
        calls=tuple(
            ToolCall(block["id"], block["name"], block["input"])
            for block in blocks
            if block["type"] == "tool_use"
        ),
        images=_images(blocks),
    )


def _result(block: Block) -> SeenMessage:
    inner = _blocks(block.get("content"))
    return SeenMessage(
        role="tool", text=_joined(inner), answers=block["tool_use_id"], images=_images(inner)
    )


def _content(answer: Answer) -> list[Block]:
    blocks: list[Block] = []
    if answer.reply.text:
        blocks.append({"type": "text", "text": answer.reply.text})
    calls = [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": dict(call.arguments)}
        for call in answer.reply.calls
    ]
    return blocks + calls


def _usage(answer: Answer) -> dict[str, int]:
    usage = answer.usage
    return {
        "input_tokens": usage.sent - usage.cached - usage.written,
        "cache_read_input_tokens": usage.cached,
        "cache_creation_input_tokens": usage.written,
        "output_tokens": answer.output_tokens,
    }


def _message(answer: Answer) -> dict[str, Any]:
    return {
        "id": f"msg_{answer.number}",
        "type": "message",
        "role": "assistant",
        "model": answer.model,
        "content": _content(answer),
        "stop_reason": "tool_use" if answer.reply.calls else "end_turn",
        "stop_sequence": None,
        "usage": _usage(answer),
    }


def _plain(answer: Answer) -> bytes:
    return dump(_message(answer))


def _stream(answer: Answer) -> list[bytes]:
    return [event(data, name=data["type"]) for data in _stream_events(answer)]


def _stream_events(answer: Answer) -> Iterator[dict[str, Any]]:
    message = _message(answer)
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    for at, block in enumerate(message["content"]):
        empty, delta = _opened(block)
        yield {"type": "content_block_start", "index": at, "content_block": empty}
        yield {"type": "content_block_delta", "index": at, "delta": delta}
        yield {"type": "content_block_stop", "index": at}
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": stop, "usage": message["usage"]}
    yield {"type": "message_stop"}


def _opened(block: Block) -> tuple[Block, Block]:
    if block["type"] == "text":
        return {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    partial = dump(block["input"]).decode("utf-8", "surrogatepass")
    return {**block, "input": {}}, {"type": "input_json_delta", "partial_json": partial}


def _error(refusal: Refuse) -> bytes:
    kind = {400: "invalid_request_error", 429: "rate_limit_error", 529: "overloaded_error"}
    error = {"type": kind.get(refusal.status, "api_error"), "message": refusal.message}
    return dump({"type": "error", "error": error})


ANTHROPIC = Wire(
    read=_read,
    parts=_parts,
    tools=_tools,
    plain=_plain,
    stream=_stream,
    error=_error,
    violations=violations,
)
