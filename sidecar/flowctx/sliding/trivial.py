"""Turns that leave no card: nothing happened that another session should know."""

import re
from collections.abc import Sequence

from flowctx.tokens import estimate_tokens

# What the host's agents answer when there is nothing to say, and nothing else.
_SILENT = re.compile(r"[\s*_`]*(?:HEARTBEAT_OK|NO_REPLY)[\s*_`.!]*", re.IGNORECASE)
# Tools by which nothing is done: each heartbeat reads its orders, and says so when there are none.
_IDLE = frozenset({"read", "heartbeat_respond"})
# "thanks" – "You're welcome!": below this, wish and answer together say nothing.
_LEAST_TOKENS = 10
# They write syllables: a word of five says no more than one of ten letters, and counts 1.5 each.
_KANA = re.compile("[\u3041-\u30ff]")


def is_silent(answer: str) -> bool:
    """True for an answer that is nothing but the host's word for none."""
    return _SILENT.fullmatch(answer) is not None


def is_trivial(asked: str, answer: str, tools: Sequence[str]) -> bool:
    """True for a silent answer, and for a few words, both without any work."""
    if is_silent(answer):
        return _IDLE.issuperset(tools)
    if tools:
        return False
    said = f"{asked} {answer}"
    return not answer.strip() or estimate_tokens(said) - len(_KANA.findall(said)) < _LEAST_TOKENS
