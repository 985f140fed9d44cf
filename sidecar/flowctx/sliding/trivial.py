"""Turns that leave no card: nothing happened that another session should know."""

import re
from collections.abc import Sequence

from flowctx.tokens import estimate_tokens

# What the host's agents answer when there is nothing to say.
_SILENT = re.compile(r"\A[\s*_`]*(?:HEARTBEAT_OK|NO_REPLY)\b", re.IGNORECASE)
# "thanks" – "You're welcome!": below this, wish and answer together say nothing.
_LEAST_TOKENS = 10
# They write syllables: a word of five says no more than one of ten letters, and counts 1.5 each.
_KANA = re.compile("[\u3041-\u30ff]")


def is_trivial(asked: str, answer: str, tools: Sequence[str]) -> bool:
    """True for a silent answer, and for a few words without any work."""
    if _SILENT.match(answer):
        return True
    if tools:
        return False
    said = f"{asked} {answer}"
    return not answer.strip() or estimate_tokens(said) - len(_KANA.findall(said)) < _LEAST_TOKENS
