"""A model's reply, and the part of it that is meant to be read."""

import re
from dataclasses import dataclass

from flowctx.dag.wording.blocks import block_spans, without_spans

# The host's word for a reply that ended by itself.
STOPPED = "stop"

_REASONING = "think|thinking|thought|reasoning|reflection|analysis|scratchpad"
_OPENED = re.compile(rf"<({_REASONING})\b[^<>]*>", re.IGNORECASE)
_CLOSING = re.compile(rf"</(?:{_REASONING})\s*>", re.IGNORECASE)
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)[^<]*<\|message\|>")
_TEMPLATE = re.compile(r"<\|[a-z_]+\|>")
_WRAPPER = re.compile(r"\A\s*```[\w-]*\n(.*?)\n?```\s*\Z", re.DOTALL)
_NOTE_TAG = re.compile(r"</?(?:flowctx-[\w-]+|handoff[\w-]*|note)\b[^>\n]*>")


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered.

    Attributes:
        text: everything it put out.
        stop_reason: the host's word for how it ended.
    """

    text: str
    stop_reason: str = STOPPED


def visible_text(text: str) -> str:
    """The reply without reasoning, template tokens, and a fence or tag around the whole."""
    text = _final_channel(text)
    text = without_spans(text, block_spans(text, _OPENED))
    if closing := list(_CLOSING.finditer(text)):
        # Some servers send only the end of the reasoning.
        text = text[closing[-1].end() :]
    if opened := _OPENED.search(text):
        text = text[: opened.start()]
    text = _NOTE_TAG.sub("", _TEMPLATE.sub("", text)).strip()
    wrapped = _WRAPPER.match(text)
    return wrapped.group(1).strip() if wrapped else text


def holds_reasoning(text: str) -> bool:
    """True where a reply has reasoning in it."""
    return bool(_OPENED.search(text) or _CLOSING.search(text) or _CHANNEL.search(text))


def _final_channel(text: str) -> str:
    channels = list(_CHANNEL.finditer(text))
    if not channels:
        return text
    last = channels[-1]
    return text[last.end() :] if last.group(1) == "final" else ""
