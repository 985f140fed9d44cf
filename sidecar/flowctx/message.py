"""Reading host messages: digests, texts and the facts planning needs.

A message's digest is the first 16 bytes of SHA-256 over its canonical JSON
(sorted keys) without the fields the host changes later, and with tool-call ids
reduced to letters and digits, because the host itself strips them on replay.
Nothing here raises on odd input: what cannot be understood is kept whole.
"""

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson

from flowctx.model import Call, Message, ToolOutput
from flowctx.tokens import estimate_tokens, estimate_total

DIGEST_BYTES = 16
HASH_CHARS = 24

# Nesting up to here is read; beyond it, how deep the stack is would decide what can be.
_MAX_DEPTH = 400
# An image costs about this much with today's vision models (1.15 megapixels ÷ 750).
IMAGE_TOKENS = 1600
# Role, separators and ids that every provider adds to a message.
MESSAGE_OVERHEAD_TOKENS = 4
DETAIL_MAX_CHARS = 2000
# Shorter texts are never stood for by another, so they need no hash.
HASHED_TEXT_TOKENS = 100
_REST_CHARS = 12
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")

_VOLATILE = frozenset({"usage", "details", "__openclaw", "idempotencyKey"})
_NOT_ALNUM = re.compile(r"[^a-zA-Z0-9]")
_EXIT_CODE = re.compile(r"\(Command exited with code (-?\d+)\)\s*$")
_PLACEHOLDER = re.compile(
    r"\A\s*(?:\[openclaw\] missing tool result|\[flowctx\] no result was recorded"
    r"|(?:host: )?no result was recorded for this call|no result provided\s*\Z)",
    re.IGNORECASE,
)
_DETAIL_KEYS = (
    "command", "cmd", "script", "path", "file_path", "filePath", "filename", "file",
    "url", "pattern", "query", "hash",
)  # fmt: skip
# The end of the year 9999: what dates and SQLite's integers both hold.
_LAST_TIME_MS = 253_402_300_799_999
_REASONING_KEYS = ("reasoning_content", "reasoning", "reasoning_text")


@dataclass(frozen=True, slots=True)
class ParsedMessage:
    """A message with its parsed body, for as long as both are needed."""

    message: Message
    body: bytes
    value: Mapping[str, Any]


def parse_message(body: bytes) -> ParsedMessage:
    """Read one host message.

    Anything that is no JSON object, or nested beyond reason, gets role "unknown".
    """
    value = _load(body)
    if isinstance(value, dict):
        with suppress(RecursionError):
            return ParsedMessage(_facts(value), body, value)
    digest = hashlib.sha256(body).digest()[:DIGEST_BYTES]
    return ParsedMessage(Message(digest=digest, role="unknown", tokens=0), body, {})


def text_of(value: Mapping[str, Any]) -> str:
    """All text of a message, its blocks joined by line ends."""
    return "\n".join(_texts(value))


def text_in(body: bytes) -> str:
    """All text of a message as it came, without reading anything else of it."""
    value = _load(body)
    return text_of(value) if isinstance(value, dict) else ""


def tool_output(value: Mapping[str, Any], call: Call | None) -> ToolOutput:
    """A tool result as the reducers see it, with the call it answers if known."""
    text = text_of(value)
    tool = _word(value.get("toolName")) or (call.tool if call else "")
    return ToolOutput(
        text=text,
        tool=tool,
        command=call.detail if call else "",
        exit_code=_exit_code(value, text),
        is_error=value.get("isError") is True,
    )


def hash_text(text: str) -> str:
    """The hash a marker names: 24 hex digits of SHA-256 over the text's (W)UTF-8 bytes."""
    return hashlib.sha256(encode_text(text)).hexdigest()[:HASH_CHARS]


def encode_text(text: str) -> bytes:
    """UTF-8, with lone surrogates as their three bytes, so that nothing is lost."""
    return text.encode("utf-8", "surrogatepass")


def well_formed(text: str) -> str:
    """The text with every lone surrogate shown as U+FFFD; most texts come back as they are."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", _PAIR.sub(_join, text))
    return text


def _join(pair: re.Match[str]) -> str:
    """The one character that a pair of surrogates stands for."""
    return pair.group().encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def _load(body: bytes) -> Any:
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        pass
    # The standard parser also takes lone surrogates and integers of any size.
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _dump(value: Any) -> bytes:
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except (TypeError, orjson.JSONEncodeError):
        pass
    if _is_too_deep(value):
        raise RecursionError
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_MAX_DEPTH):
        parts = (
            part.values() if isinstance(part, dict) else part
            for part in level
            if isinstance(part, dict | list)
        )
        level = [inner for part in parts for inner in part]
    return bool(level)


def _facts(value: dict[str, Any]) -> Message:
    role = _word(value.get("role")) or "unknown"
    texts = list(_texts(value))
    text_tokens = estimate_total(texts)
    calls = tuple(_calls(value)) if role == "assistant" else ()
    extra = sum(map(_block_tokens, _blocks(value))) + estimate_total(_top_level_reasoning(value))
    return Message(
        digest=_digest(value),
        role=role,
        tokens=text_tokens + extra + MESSAGE_OVERHEAD_TOKENS,
        time_ms=_time_ms(value),
        calls=calls,
        answers=_plain_id(value.get("toolCallId")) if role == "toolResult" else "",
        tool=_word(value.get("toolName")),
        text_tokens=text_tokens,
        is_error=value.get("isError") is True,
        is_blank=_is_blank(value, texts),
        is_placeholder=role == "toolResult" and any(map(_PLACEHOLDER.match, texts)),
        has_media=any(block.get("type") != "text" for block in _blocks(value)),
        text_hash=hash_text("\n".join(texts))
        if role == "toolResult" and text_tokens >= HASHED_TEXT_TOKENS
        else "",
    )


def _digest(value: dict[str, Any]) -> bytes:
    stable = {key: part for key, part in value.items() if key not in _VOLATILE}
    if "toolCallId" in stable:
        stable["toolCallId"] = _plain_id(stable["toolCallId"])
    content = stable.get("content")
    if isinstance(content, list):
        stable["content"] = [_with_plain_id(block) for block in content]
    return hashlib.sha256(_dump(stable)).digest()[:DIGEST_BYTES]


def _with_plain_id(block: Any) -> Any:
    if isinstance(block, dict) and block.get("type") == "toolCall" and "id" in block:
        return {**block, "id": _plain_id(block["id"])}
    return block


def _word(value: Any) -> str:
    return well_formed(value) if isinstance(value, str) else ""


def _plain_id(value: Any) -> str:
    return _NOT_ALNUM.sub("", value) if isinstance(value, str) else ""


def _blocks(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    content = value.get("content")
    if isinstance(content, list):
        yield from (block for block in content if isinstance(block, dict))


def _texts(value: Mapping[str, Any]) -> Iterator[str]:
    for key in ("content", "summary"):
        if isinstance(value.get(key), str):
            yield value[key]
    for block in _blocks(value):
        if block.get("type") == "text" and isinstance(block.get("text"), str):
            yield block["text"]


def _calls(value: Mapping[str, Any]) -> Iterator[Call]:
    for block in _blocks(value):
        if block.get("type") == "toolCall":
            name, host_id = block.get("name"), block.get("id")
            yield Call(
                id=_plain_id(host_id),
                tool=_word(name),
                detail=well_formed(_detail(block.get("arguments"))),
                host_id=_word(host_id),
                rest=_rest(block.get("arguments")),
            )


def _detail(arguments: Any) -> str:
    if not isinstance(arguments, dict):
        return arguments[:DETAIL_MAX_CHARS] if isinstance(arguments, str) else ""
    for key in _DETAIL_KEYS:
        said = arguments.get(key)
        if isinstance(said, list) and said and all(isinstance(word, str) for word in said):
            said = " ".join(said)
        if isinstance(said, str) and said:
            return said[:DETAIL_MAX_CHARS]
    return ""


def _rest(arguments: Any) -> str:
    """A digest of all arguments but the one `_detail` gives."""
    if not isinstance(arguments, dict):
        return ""
    told = _detail(arguments)
    rest = {name: said for name, said in arguments.items() if not told or said != told}
    return hashlib.sha256(_dump(rest)).hexdigest()[:_REST_CHARS] if rest else ""


def _block_tokens(block: Mapping[str, Any]) -> int:
    kind = block.get("type")
    if kind == "text":
        return 0
    if kind == "image":
        return IMAGE_TOKENS
    if kind == "thinking":
        return estimate_tokens(str(block.get("thinking") or ""))
    if kind == "toolCall":
        arguments = _dump(block.get("arguments")).decode("utf-8", "replace")
        return estimate_tokens(f"{block.get('name')}{arguments}")
    return len(_dump(dict(block))) // 4


def _top_level_reasoning(value: Mapping[str, Any]) -> Iterator[str]:
    for key in _REASONING_KEYS:
        if isinstance(value.get(key), str):
            yield value[key]


def _is_blank(value: Mapping[str, Any], texts: list[str]) -> bool:
    has_other_block = any(block.get("type") != "text" for block in _blocks(value))
    return not has_other_block and not any(text.strip() for text in texts)


def _time_ms(value: Mapping[str, Any]) -> int:
    time = value.get("timestamp")
    if isinstance(time, bool) or not isinstance(time, int | float):
        return 0
    if isinstance(time, float) and not math.isfinite(time):
        return 0
    return min(max(int(time), 0), _LAST_TIME_MS)


def _exit_code(value: Mapping[str, Any], text: str) -> int | None:
    details = value.get("details")
    if isinstance(details, dict) and type(details.get("exitCode")) is int:
        return int(details["exitCode"])
    said = _EXIT_CODE.search(text[-80:])
    return int(said.group(1)) if said else None
