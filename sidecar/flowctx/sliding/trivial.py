"""Turns that leave no card: nothing happened that another session should know."""

import re
from collections.abc import Sequence

from flowctx.cjk import is_spaceless
from flowctx.dag.wording.rules import load_table
from flowctx.sliding.terms import asked_terms, terms_of
from flowctx.tokens import estimate_tokens

# What the host's agents answer when there is nothing to say, and nothing else.
_SILENT = re.compile(r"[\s*_`]*(?:HEARTBEAT_OK|NO_REPLY)[\s*_`.!]*", re.IGNORECASE)
# Tools by which nothing is done: each heartbeat reads its orders, and says so when there are none.
_IDLE = frozenset({"read", "heartbeat_respond"})
# Below this, wish and answer together are looked at for what they say at all.
_LEAST_TOKENS = 20
_RULES = load_table("courtesies")
_COURTESIES = frozenset(terms_of(" ".join(_RULES["words"])))
_PHRASES = re.compile("|".join(sorted(_RULES["phrases"], key=len, reverse=True)))
# A number is news, but for the one of a thumb up.
_NUMBER = re.compile(r"(?<!\+)\d")
# Two words that are no courtesies say something, and so do three pairs of unspaced writing.
_WORD_TELLS, _PAIR_TELLS, _TELLING = 3, 2, 6
# They write syllables: a word of five says no more than one of ten letters, and counts 1.5 each.
_KANA = re.compile("[\u3041-\u30ff]")


def is_silent(answer: str) -> bool:
    """True for an answer that is nothing but the host's word for none."""
    return _SILENT.fullmatch(answer) is not None


def is_trivial(asked: str, answer: str, tools: Sequence[str]) -> bool:
    """True for a silent answer, and for a few words that name nothing, without any work."""
    if is_silent(answer):
        return _IDLE.issuperset(tools)
    if tools:
        return False
    said = f"{asked} {answer}"
    is_short = estimate_tokens(said) - len(_KANA.findall(said)) < _LEAST_TOKENS
    return not answer.strip() or (is_short and not _tells(asked, answer))


def _tells(asked: str, answer: str) -> bool:
    """True where a few words name something: "Sell the car" – "done", "thanks" – "bye" not."""
    if _NUMBER.search(asked) or _NUMBER.search(answer):
        return True
    terms = (
        term
        for said in (asked, answer)
        for term in asked_terms(_PHRASES.sub(" ", said), _LEAST_TOKENS)
        if term not in _COURTESIES
    )
    weights = (_PAIR_TELLS if is_spaceless(term[0]) else _WORD_TELLS for term in terms)
    return sum(weights) >= _TELLING
