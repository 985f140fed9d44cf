"""OpenAI chat completions: reading requests, writing answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from tests.e2e.harness.model_reply import Refuse, ToolCall
from tests.e2e.harness.openai_rules import violations
from tests.e2e.harness.wire import (
    Answer,
    Body,
    Part,
    SeenMessage,
    Wire,
    arguments_of,
    dump,
    event,
    is_internal_context,
)


def _read(body: Body) -> list[SeenMessage]:
    return [_seen(message) for message in _kept(body)]


def _parts(body: Body) -> list[Part]:
    tools = Part("head", dump(body.get("tools")))
    return [tools, *(Part(_part_role(message), dump(message)) for message in _kept(body))]


def _tools(body: Body) -> dict[str, bytes]:
    return {tool["function"]["name"]: dump(tool) for tool in body.get("tools") or []}


def _kept(body: Body) -> list[dict[str, Any]]:
    return [
        message
        for message in body.get("messages") or []
        if not (message.get("role") == "user" and is_internal_context(_text(message)))
    ]


def _seen(message: dict[str, Any]) -> SeenMessage:
    return SeenMessage(
        role=_role(message),
        text=_text(message),
        calls=tuple(map(_call, message.get("tool_calls") or [])),
        answers=message.get("tool_call_id") or "",
        images=tuple(_images(message)),
    )


def _role(message: dict[str, Any]) -> Literal["system", "user", "assistant", "tool"]:
    match message.get("role"):
        case "system" | "developer":
            return "system"
        case "assistant":
            return "assistant"
        case "tool":
            return "tool"
        case _:
            return "user"


def _part_role(message: dict[str, Any]) -> Literal["head", "user", "assistant", "tool"]:
    role = _role(message)
    return "head" if role == "system" else role


def _call(call: dict[str, Any]) -> ToolCall:
    function = call["function"]
    return ToolCall(call["id"], function["name"], arguments_of(function["arguments"]))


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(b["text"] for b in content or [] if b.get("type") == "text")


def _images(message: dict[str, Any]) -> Iterable[str]:
    content = message.get("content")
    if isinstance(content, list):
        yield from (b["image_url"]["url"] for b in content if b.get("type") == "image_url")


def _message(answer: Answer) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.reply.text or None}
    if answer.reply.calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": dump(call.arguments).decode()},
            }
            for call in answer.reply.calls
        ]
    return message


def _envelope(answer: Answer, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{answer.number}",
        "object": kind,
        "created": 1,
        "model": answer.model,
    }


def _usage(answer: Answer) -> dict[str, Any]:
    return {
        "prompt_tokens": answer.usage.sent,
        "completion_tokens": answer.output_tokens,
        "total_tokens": answer.usage.sent + answer.output_tokens,
        "prompt_tokens_details": {"cached_tokens": answer.usage.cached},
    }


def _finish(answer: Answer) -> str:
    return "tool_calls" if answer.reply.calls else "stop"


def _plain(answer: Answer) -> bytes:
    choice = {"index": 0, "message": _message(answer), "finish_reason": _finish(answer)}
    return dump(
        {
            **_envelope(answer, "chat.completion"),
            "choices": [choice],
            "usage": _usage(answer),
        }
    )


def _stream(answer: Answer) -> list[bytes]:
    envelope = _envelope(answer, "chat.completion.chunk")
    delta = _message(answer)
    for at, call in enumerate(delta.get("tool_calls", [])):
        call["index"] = at
    chunks: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": _finish(answer)}]},
        {"choices": [], "usage": _usage(answer)},
    ]
    return [*(event({**envelope, **chunk}) for chunk in chunks), b"data: [DONE]\n\n"]


def _error(refusal: Refuse) -> bytes:
    kind = "invalid_request_error" if refusal.status == 400 else "server_error"
    return dump({"error": {"message": refusal.message, "type": kind, "code": None}})


OPENAI = Wire(
    read=_read,
    parts=_parts,
    tools=_tools,
    plain=_plain,
    stream=_stream,
    error=_error,
    violations=violations,
)
