"""Host messages for tests: builders, and a strategy for sessions gone wrong."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

Body = dict[str, Any]


def user(text: str, **extra: Any) -> Body:
    return {"role": "user", "content": text, **extra}


def assistant(*blocks: Any, **extra: Any) -> Body:
    content = [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks]
    return {"role": "assistant", "content": content, **extra}


def call(call_id: str | None, tool: str = "exec", **arguments: Any) -> Body:
    block = {"type": "toolCall", "name": tool, "arguments": arguments}
    return block if call_id is None else {**block, "id": call_id}


def result(call_id: str | None, text: str, tool: str = "exec", **extra: Any) -> Body:
    message = {
        "role": "toolResult",
        "toolName": tool,
        "content": [{"type": "text", "text": text}],
        "isError": False,
        **extra,
    }
    return message if call_id is None else {**message, "toolCallId": call_id}


def dump(message: Body) -> bytes:
    return json.dumps(message).encode()


_TEXTS = st.sampled_from(["ok", "done", "错误: 失败", "line\n" * 250, "", '{"a": 1}', "x" * 1500])
_IDS = st.sampled_from(["call_1", "call1", "exec:0", "k1", "k2", "", None])
_CALLS = st.builds(call, _IDS, st.sampled_from(["exec", "read", "flowctx_retrieve"]))
_THINKING = st.sampled_from(
    [
        {"type": "thinking", "thinking": "long " * 50, "thinkingSignature": "c2ln"},
        {"type": "thinking", "thinking": "", "thinkingSignature": "c2ln"},
        {"type": "redacted_thinking", "data": "eA=="},
        {"type": "hologram", "payload": [1, 2]},
    ]
)
MESSAGES = st.one_of(
    st.builds(user, _TEXTS),
    st.builds(
        lambda a, b: {"role": "user", "content": [a, b]},
        *[st.builds(lambda t: {"type": "text", "text": t}, _TEXTS) for _ in range(2)],
    ),
    st.builds(lambda *b: assistant(*b), _TEXTS),
    st.builds(lambda t, *b: assistant(t, *b), _THINKING, _TEXTS),
    st.builds(lambda *b: assistant(*b), _CALLS),
    st.builds(lambda *b: assistant(*b), _CALLS, _CALLS),
    st.builds(lambda t, *b: assistant(t, *b, reasoning_content="plan"), _THINKING, _CALLS, _CALLS),
    st.builds(result, _IDS, _TEXTS),
    st.builds(
        lambda i: result(i, "[openclaw] missing tool result in session history", isError=True), _IDS
    ),
    st.just({"role": "assistant", "content": []}),
    st.just({"role": "compactionSummary", "summary": "earlier …", "tokensBefore": 9}),
    st.just({"foo": 1}),
)


def _answered(turn: list[Body]) -> list[Body]:
    """The messages of a turn, each call followed by a result, as they mostly come."""
    out: list[Body] = []
    for message in turn:
        out.append(message)
        out.extend(
            result(block.get("id"), "answer\n" * 150)
            for block in message.get("content") or []
            if isinstance(block, dict) and block.get("type") == "toolCall"
        )
    return out


SESSIONS = st.lists(
    st.lists(MESSAGES, max_size=4).flatmap(lambda turn: st.sampled_from([turn, _answered(turn)])),
    max_size=10,
).map(lambda turns: [message for turn in turns for message in turn])
