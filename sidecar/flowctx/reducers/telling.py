"""What sentences say that is worth keeping: decisions, prohibitions, terms, amounts, dates.

What few sentences of a text have counts in full; what many have tells little.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from flowctx.reducers.cues import CueKind, find_cues
from flowctx.reducers.rarity import words_of_each

_KINDS: tuple[CueKind, ...] = (
    "decision",
    "agreement",
    "prohibition",
    "term",
    "error",
    "trouble",
)
_WORTH: dict[CueKind, float] = {
    "decision": 18.0,
    "agreement": 22.0,
    "prohibition": 22.0,
    "term": 16.0,
    "error": 10.0,
    "trouble": 8.0,
}
_DATED = re.compile(
    r"\d{4}-\d\d-\d\d|\d{1,2}\.\s?\d{1,2}\.\d{2,4}|\d{1,2}(?:st|nd|rd|th)?\.?(?: de)? "
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mär|Mai|Okt|Dez|janv|févr|mars|avr|juin|juil"
    r"|août|sept|déc|ene|abr|ago|dic|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек|stycz|lut|kwie"
    r"|maj|czerw|lip|sierp|wrze|paźdz|listop|grud)\w*"
    r"|(?:January|February|March|April|June|July|August|September|October|November|December) \d"
    r"|\d+年|\d+月\d+日|\d+월",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"[$€£¥]\s?\d|\d[\d.,\u00a0\u202f ]*\s?(?:€|£|%|EUR|USD|CHF|GBP|euros?|dollars?|francs?"
    r"|Euro|Franken|евро|франк|руб|ユーロ|円|フラン|欧元|法郎|元|유로|원|프랑|zł)"
    r"|(?:EUR|USD|CHF|GBP)\s?\d|\b\d{1,3}(?:[.,\u00a0\u202f ]\d{3})+\b"
)
_MEASURE = re.compile(
    r"\b\d+(?:[.,]\d+)?\s?(?:ms|s|min|h|days?|weeks?|months?|GB|MB|kB|km|kg|ppm)\b"
)
_CHANGE = re.compile(
    r"\b(?:from|between|von|de|du|da|od|с|от|z)\s[^.\d]{0,20}\d[\d.,]*\s?\S{0,12}"
    r"\s(?:to|and|auf|bis|à|a|al|para|do|до|na)\s[^.\d]{0,20}\d"
)
_NEGATED = re.compile(
    r"\b(?:No|None|Nobody|Neither|Nothing|No one)\b[^.]{0,60}?"
    r"\b(?:may|shall|must|can|is to|are to)\b"
    r"|\b(?:Kein|Keine|Niemand)\b|\bAucune?\b|\bNingun[oa]?\b|\bNenhuma?\b|\bНикто\b|\bŻad[ne]\w*"
)
_NUMBER = re.compile(r"\d")
# A capital inside a sentence: a name, in scripts that have capitals.
_NAME = re.compile(r"(?<=[\w,;:] )[A-ZÀ-ÞА-Я][\w’'-]+(?: [A-ZÀ-ÞА-Я][\w’'-]+)?")
_QUESTION = re.compile(r"[?？؟]")
# Signs that hold a number, and others.
_NUMBERED_SIGNS = ((_AMOUNT, 14.0), (_DATED, 10.0), (_MEASURE, 8.0), (_CHANGE, 12.0))
_SIGNS = ((_NEGATED, 16.0), (_NUMBER, 5.0), (_NAME, 4.0), (_QUESTION, 8.0))
# Of what one sentence in eight has, or fewer, the worth is whole.
_FULL_BITS = 3.0
# Cues of one sentence beyond the first add this part of their worth.
_FURTHER_CUES = 0.3
_NOVELTY, _NOVEL_WORDS = 14.0, 5


def tell_worth(text: str, spans: Sequence[tuple[int, int]]) -> list[float]:
    """How much each of some parts of a text, in order, says that is worth keeping."""
    bodies = [text[start:end] for start, end in spans]
    worth = _novelty(bodies)
    everywhere = range(len(bodies))
    numbered = [at for at in everywhere if _NUMBER.search(bodies[at])]
    signs = [(sign, everywhere) for sign in _SIGNS] + [(sign, numbered) for sign in _NUMBERED_SIGNS]
    for (pattern, bonus), looked in signs:
        held = [at for at in looked if pattern.search(bodies[at])]
        for at in held:
            worth[at] += bonus * _weight(len(held), len(bodies))
    cues = list(_cues(text, spans))
    counts = Counter((word, at) for at, _, word in cues)
    holders = Counter(word for word, _ in counts)
    best: dict[int, list[float]] = {}
    for at, kind, word in cues:
        best.setdefault(at, []).append(_WORTH[kind] * _weight(holders[word], len(bodies)))
    for at, values in best.items():
        top = max(values)
        worth[at] += top + _FURTHER_CUES * min(sum(values) - top, top)
    return worth


def _weight(held: int, total: int) -> float:
    """1 for what few have, towards 0 for what all have."""
    if total < 2**_FULL_BITS:
        return 1.0
    return min(math.log2(total / held) / _FULL_BITS, 1.0)


def _cues(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, CueKind, str]]:
    """The part that each cue stands in, its kind, and its word."""
    at = 0
    for cue in find_cues(text, _KINDS):
        while at < len(spans) - 1 and spans[at][1] <= cue.start:
            at += 1
        yield at, cue.kind, text[cue.start : cue.end].lower()


def _novelty(bodies: Sequence[str]) -> list[float]:
    """What words of their own are worth, over what is usual in the text."""
    words = words_of_each(bodies)
    held = Counter(chain.from_iterable(words))
    shares = []
    for each in words:
        long = [word for word in each if len(word) > 3 or not word.isascii()]
        own = sum(1 for word in long if held[word] == 1)
        shares.append(own / max(len(long), _NOVEL_WORDS))
    usual = sorted(shares)[len(shares) // 2] if shares else 0.0
    return [_NOVELTY * max(share - usual, 0.0) for share in shares]
