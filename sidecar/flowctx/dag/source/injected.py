"""What flowctx and the host put into messages, recognised and taken out.

The host's shapes are those of OpenClaw 2026.9.6: context blocks under a header
that ends in a fixed mark, runtime context between two delimiters, summaries of
compacted history, events under a bracketed title. Older hosts wrote the headers
with "(untrusted …)"; stored sessions still hold them.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flowctx.dag.wording.blocks import block_spans, without_spans

ENGINE_PREFIX = "flowctx."

_OPENING = re.compile(r"<(flowctx-[a-z-]+|sliding-context|working_memory)\b[^<>]{0,400}>")
_RUNTIME_BEGIN = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>"
_RUNTIME_END = "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"
_RUNTIME_NOTICE = re.compile(
    r"^[^\n]*This context is runtime-generated, not user-authored\.[^\n]*\n?", re.MULTILINE
)
_CONTEXT_HEADER = re.compile(
    r"^([A-Z][^\n]{0,120}?):? ?(?:⟦openclaw:ctx⟧|\(untrusted(?: metadata|, for context)\):)[ \t]*$",
    re.MULTILINE,
)
_TIME_PREFIX = re.compile(r"\A\[[A-Za-z]{3} \d{4}-\d{2}-\d{2} \d{2}:\d{2}[^\]\n]{0,20}\] *")
_REPLY_TAG = re.compile(r"\[\[reply_to[^\]\n]{0,80}\]\] ?")
_SUMMARY_HEAD = re.compile(
    r"\A\s*The (?:conversation history before this point was compacted into the following summary"
    r"|following is a summary of a branch that this conversation came back from):\s*"
)
_SUMMARY_TAG = re.compile(r"</?summary>\n?")
_EVENT_HEAD = re.compile(
    r"\A\s*\[(?:OpenClaw (?:session event|exec completion|cron wake)"
    r"|Internal task completion event)"
)
# A command to flowctx, which the host answers itself; no model ever reads it.
_COMMAND = re.compile(r"^/flowctx(?:[ \t][^\n]*)?$\n?", re.MULTILINE)
_SENDER_FIELDS = ("label", "name", "username", "e164", "id")


@dataclass(frozen=True, slots=True)
class Said:
    """What is left of a message when everything injected is gone."""

    text: str
    sender: str = ""
    is_summary: bool = False


def is_engine_made(value: Mapping[str, Any]) -> bool:
    """True for a message that flowctx itself put into the view."""
    custom_type = value.get("customType")
    return isinstance(custom_type, str) and custom_type.startswith(ENGINE_PREFIX)


def is_host_event(value: Mapping[str, Any], text: str) -> bool:
    """True for a user-role message that no user wrote: heartbeats, wake-ups, completions."""
    provenance = value.get("provenance")
    if isinstance(provenance, dict) and provenance.get("kind") == "internal_system":
        return True
    return _EVENT_HEAD.match(text) is not None


def clean_user_text(text: str, value: Mapping[str, Any]) -> Said:
    """The words of a user-side message, with its sender if it names one."""
    is_summary = _SUMMARY_HEAD.match(text) is not None
    text = _SUMMARY_TAG.sub("", _SUMMARY_HEAD.sub("", text)) if is_summary else text
    text, sender = _without_context(_TIME_PREFIX.sub("", strip_blocks(text)))
    text = _COMMAND.sub("", _REPLY_TAG.sub("", _TIME_PREFIX.sub("", text.strip()))).strip()
    return Said(text, _name_in(value) or sender, is_summary)


def strip_blocks(text: str) -> str:
    """Take out flowctx's own blocks and the host's runtime context; text around them stays.

    An opening tag without its closing one is no block: it stays as text.
    """
    if "<" not in text:
        return text
    spans = [*block_spans(text, _OPENING), *_runtime_blocks(text)]
    return _RUNTIME_NOTICE.sub("", without_spans(text, spans)) if spans else text


def _runtime_blocks(text: str) -> Iterator[tuple[int, int]]:
    at = text.find(_RUNTIME_BEGIN)
    while at >= 0:
        end = text.find(_RUNTIME_END, at)
        # The host cuts to the end where its own closing mark is missing.
        stop = end + len(_RUNTIME_END) if end >= 0 else len(text)
        yield at, stop
        at = text.find(_RUNTIME_BEGIN, stop)


def _without_context(text: str) -> tuple[str, str]:
    parts: list[str] = []
    sender = ""
    at = 0
    while header := _CONTEXT_HEADER.search(text, at):
        end = _context_end(text, header.end())
        parts.append(text[at : header.start()])
        sender = sender or _sender_of(header.group(1), text[header.end() : end])
        at = end
    return "".join([*parts, text[at:]]), sender


def _context_end(text: str, start: int) -> int:
    """Where a context block ends: behind its JSON, or at the next blank line."""
    body = text[start : start + 20].lstrip("\n")
    fence = text.find("\n```", start + 4) if body.startswith("```json") else -1
    if fence >= 0:
        line_end = text.find("\n", fence + 1)
        return line_end + 1 if line_end >= 0 else len(text)
    blank = text.find("\n\n", start)
    return blank + 2 if blank >= 0 else len(text)


def _sender_of(label: str, body: str) -> str:
    if label not in ("Sender", "Conversation info"):
        return ""
    try:
        block = json.loads(body.strip().removeprefix("```json").removesuffix("```"))
    except (ValueError, RecursionError):
        return ""
    if label == "Conversation info" and isinstance(block, dict):
        block = block.get("sender")
    return _name_of(block)


def _name_in(value: Mapping[str, Any]) -> str:
    host = value.get("__openclaw")
    for place in (value, host if isinstance(host, dict) else {}):
        for key in ("senderLabel", "senderName", "sender"):
            if name := _name_of(place.get(key)):
                return name
    return ""


def _name_of(sender: Any) -> str:
    fields = [sender.get(key) for key in _SENDER_FIELDS] if isinstance(sender, dict) else [sender]
    name = next((f for f in fields if isinstance(f, str) and f.strip()), "")
    # Brackets would end the label that names the sender in a note.
    return " ".join(name.replace("[", "(").replace("]", ")").split())[:80]
