"""Cutting texts to tokens, at a word where there is one."""

import re
from collections.abc import Sequence

from flowctx.tokens import estimate_tokens

# What ends a text that was cut, and what stands between the parts of a card.
CUT = "…"
JOINT = " · "
# A text is looked at this far; no card shows more of it.
_SEEN_CHARS = 4_000
_JOINT_TOKENS = 1
# Control characters, and those that turn the direction of writing.
_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
# Characters that nobody sees: a text may hide in them, or a tag behind one of them.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u180e\u200b\u2060-\u2064\ufeff\U000e0000-\U000e0fff]|(?<=[<＜])[\u200c\u200d]+"
)


def one_line(text: str) -> str:
    """The beginning of a text on one line, without characters that steer a display."""
    seen = _UNSEEN.sub("", text[:_SEEN_CHARS])
    return " ".join(_STEERING.sub(" ", seen).split())


def clip(text: str, max_tokens: int) -> str:
    """At most `max_tokens` of a text on one line, its end marked where it was cut."""
    line = one_line(text)
    if estimate_tokens(line) <= max_tokens:
        return line
    low, high = 0, len(line)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _fits(line[:middle], max_tokens) else (low, middle - 1)
    head = line[:low]
    # A word is not cut in two, unless what is left would say nothing.
    space = head.rfind(" ")
    return f"{head[:space] if space > low // 2 else head}{CUT}"


def fit_parts(parts: Sequence[tuple[str, int]], max_tokens: int) -> list[str]:
    """Texts cut to their shares; what some leave over goes to the first and the last."""
    wanted = [estimate_tokens(text) for text, _ in parts]
    given = [min(want, share) for want, (_, share) in zip(wanted, parts, strict=True)]
    spare = max_tokens - sum(given) - _JOINT_TOKENS * len(parts)
    for at in dict.fromkeys((0, len(parts) - 1)) if parts else ():
        more = max(min(wanted[at] - given[at], spare), 0)
        given[at] += more
        spare -= more
    cut = [clip(text, tokens) for (text, _), tokens in zip(parts, given, strict=True)]
    return [text for text in cut if text]


def _fits(text: str, max_tokens: int) -> bool:
    return estimate_tokens(f"{text}{CUT}") <= max_tokens
