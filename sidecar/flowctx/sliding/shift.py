"""When cards are chosen: as a session starts or goes on after a rest, and as its topic shifts."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from flowctx.sliding.terms import asked_terms, terms_of

# After a rest of this long the provider's cache is cold and much may have happened elsewhere.
REST_MS = 3_600_000
# A prompt with fewer telling words ("go on", "why?") has no topic of its own, unless they are
# new to the session and a few cards hold one of them.
LEAST_TERMS = 4
# A word is rare that so many cards hold, or this share of them.
_FEW_CARDS, _FEW_SHARE = 3, 0.01
# A prompt that shares less of its words with the last turns is about something else.
SAME_TOPIC_SHARE = 0.15
PROMPT_TERMS = 60

Occasion = Literal["start", "rest", "shift", ""]


def occasion(
    prompt: str,
    earlier: Iterable[str],
    *,
    turns: int,
    idle_ms: int,
    is_told: Callable[[Sequence[str]], bool],
) -> Occasion:
    """Why cards are due before a prompt; empty when they are not.

    Args:
        prompt: what comes next.
        earlier: what was said in the last turns.
        turns: of the session at hand.
        idle_ms: since its last message.
        is_told: says whether one of some terms is rare among the cards, and in one of them.
    """
    if turns == 0:
        return "start"
    if idle_ms >= REST_MS:
        return "rest"
    return "shift" if _is_shift(prompt, earlier, is_told) else ""


def is_rare(count: int, cards: int) -> bool:
    """True for a term that some of the cards hold, but few: it names what they are about."""
    return 0 < count <= max(_FEW_CARDS, cards * _FEW_SHARE)


def _is_shift(
    prompt: str, earlier: Iterable[str], is_told: Callable[[Sequence[str]], bool]
) -> bool:
    asked = asked_terms(prompt, PROMPT_TERMS)
    said = {term for text in earlier for term in terms_of(text)}
    if not asked or not said:
        return False
    known = sum(term in said for term in asked)
    if len(asked) < LEAST_TERMS:
        return not known and is_told(asked)
    return known < SAME_TOPIC_SHARE * len(asked)
