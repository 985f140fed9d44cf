"""Blocks that other memories put into a prompt; they are theirs to remember."""

import re

from flowctx.dag.wording.blocks import block_spans, without_spans

# Those of the host's active memory and of its LanceDB memory, and their likes.
_OPENING = re.compile(
    r"<(active_memory_plugin|relevant[-_]memories|relevant[-_]memory|memory[-_]context"
    r"|recalled[-_]memories|user[-_]memories)\b[^<>]{0,400}>"
)

# What the host puts before the message of a scheduled job.
_JOB_HEAD = re.compile(r"\A\s*\[cron:[^\]\n]{1,300}\]\s*")


def own_text(text: str) -> str:
    """The text without what other memories injected into it, and without a job's id."""
    text = _JOB_HEAD.sub("", text, count=1)
    if "<" not in text:
        return text
    return without_spans(text, block_spans(text, _OPENING)).strip()
