"""Texts that are never reduced again: what the host had cleared, and what we had reduced."""

import re

from flowctx.reducers.host_lines import is_cut_within
from flowctx.reducers.marker import VIEW_MAX_CHARS, marked_hashes

# OpenClaw's session pruning, as its documentation shows the results.
_SOFT_TRIMMED = re.compile(
    r"\[Tool result trimmed: kept first \d+ chars? and last \d+ chars? of \d+ chars?\.?\]\s*\Z"
)
_CLEARED = re.compile(
    r"\A\s*\[(?:Old tool result content cleared|compacted: tool output removed[^\]]*)\]\s*\Z",
    re.IGNORECASE,
)
# The host's own marks stand at the edges of a text; a log that quotes them was not cut.
_EDGE_CHARS = 600


def exempt_reason(text: str) -> str:
    """Why a text must stay as it is; empty when it may be reduced."""
    if _CLEARED.match(text):
        return "cleared by the host"
    if _SOFT_TRIMMED.search(text[-_EDGE_CHARS:]):
        return "trimmed by the host"
    if len(text) <= VIEW_MAX_CHARS and is_cut_within(text):
        return "cut by the host to what a view may take"
    if _is_own_view(text):
        return "already reduced"
    return ""


def _is_own_view(text: str) -> bool:
    """True for a view of ours: it begins and ends with the same pointer."""
    first, line_end, rest = text.strip().partition("\n")
    return bool(line_end) and first == rest.rpartition("\n")[2] and bool(marked_hashes(first))
