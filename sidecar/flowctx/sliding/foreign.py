"""What others put around the words of a turn: other memories, and the host for its own runs.

The host's shapes are those of OpenClaw 2026.9.6.
"""

import re

from flowctx.dag.wording.blocks import block_spans, without_spans

# Those of the host's active memory and of its LanceDB memory, and their likes.
_OPENING = re.compile(
    r"<(active_memory_plugin|relevant[-_]memories|relevant[-_]memory|memory[-_]context"
    r"|recalled[-_]memories|user[-_]memories)\b[^<>]{0,400}>"
)

# Around the message of a scheduled job, the task of a sub-agent, and what came by a webhook.
_ENVELOPES = (
    re.compile(r"\A\s*\[cron:[^\]\n]{1,300}\]\s*"),
    re.compile(r"\A\s*Job ID: [^\n|]{1,200}(?: \| Received: [^\n]{1,60})?\n+"),
    re.compile(r"^Current time: [^\n]{1,120}\nReference UTC: [^\n]{1,60}$", re.MULTILINE),
    re.compile(r"^\[Subagent (?:Context\][^\n]*|Task\])[ \t]*$", re.MULTILINE),
    re.compile(r"^Begin\. Execute the assigned task to completion\.\s*\Z", re.MULTILINE),
    re.compile(
        r"^SECURITY NOTICE: The following content is from an EXTERNAL, UNTRUSTED source"
        r".{0,2000}?(?=<<<EXTERNAL_UNTRUSTED_CONTENT)",
        re.MULTILINE | re.DOTALL,
    ),
    re.compile(r"<<<(?:END_)?EXTERNAL_UNTRUSTED_CONTENT[^<>\n]{0,80}>>>(?:\nSource: [^\n]{0,40})?"),
)


def own_text(text: str) -> str:
    """The text without what other memories injected into it, and without the host's envelopes."""
    for envelope in _ENVELOPES:
        text = envelope.sub("", text)
    text = text.strip()
    if "<" not in text:
        return text
    return without_spans(text, block_spans(text, _OPENING)).strip()
