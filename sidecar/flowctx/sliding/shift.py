"""When cards are chosen: as a session starts or goes on after a rest, and as its topic shifts."""

from collections.abc import Iterable
from typing import Literal

from flowctx.sliding.terms import asked_terms, terms_of

# After a rest of this long the provider's cache is cold and much may have happened elsewhere.
REST_MS = 3_600_000
# A prompt with fewer telling words ("go on", "why?") has no topic of its own.
LEAST_TERMS = 4
# A prompt that shares less of its words with the last turns is about something else.
SAME_TOPIC_SHARE = 0.15
PROMPT_TERMS = 60

Occasion = Literal["start", "rest", "shift", ""]


def occasion(prompt: str, earlier: Iterable[str], *, turns: int, idle_ms: int) -> Occasion:
    """Why cards are due before a prompt; empty when they are not.

    Args:
        prompt: what comes next.
        earlier: what was said in the last turns.
        turns: of the session at hand.
        idle_ms: since its last message.
    """
    if turns == 0:
        return "start"
    if idle_ms >= REST_MS:
        return "rest"
    return "shift" if _is_shift(prompt, earlier) else ""


def _is_shift(prompt: str, earlier: Iterable[str]) -> bool:
    asked = asked_terms(prompt, PROMPT_TERMS)
    said = {term for text in earlier for term in terms_of(text)}
    if len(asked) < LEAST_TERMS or not said:
        return False
    return sum(term in said for term in asked) < SAME_TOPIC_SHARE * len(asked)
