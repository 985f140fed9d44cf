"""Applying ops to host messages, as the shim does it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from flowctx.model import Insert, Keep, Op, Replace


def apply_ops(messages: list[dict[str, Any]], ops: Iterable[Op]) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    for op in ops:
        if isinstance(op, Keep):
            out.extend(messages[op.start : op.end])
        elif isinstance(op, Replace):
            out.append(with_text(messages[op.index], op.text))
        elif isinstance(op, Insert):
            out.append(json.loads(op.body))
    return out


def with_text(message: dict[str, Any], text: str) -> dict[str, Any]:
    content = message["content"]
    if isinstance(content, str):
        return {**message, "content": text}
    others = [block for block in content if block.get("type") != "text"]
    return {**message, "content": [{"type": "text", "text": text}, *others]}
