"""What sentences say that is worth keeping: decisions, bans, terms, amounts, dates.

What few sentences of a text say counts in full: where every sentence says "must", none of
them is told apart by it.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from flowctx.reducers.cues import CueKind, Words, cues_in
from flowctx.reducers.rarity import excess, word_novelty
from flowctx.reducers.rules import read_rules, read_words

# What a statement of each kind is worth at most; of several kinds the worths add up.
_WORTHS = {
    "decision": 10.0,
    "binding": 10.0,
    "ban": 14.0,
    "trouble": 8.0,
    "measure": 12.0,
    "amount": 10.0,
    "change": 8.0,
    "date": 8.0,
    "clock": 6.0,
    "number": 4.0,
    "reference": 8.0,
    "command": 10.0,
    "name": 3.0,
    "question": 6.0,
}
# A part all of whose words nothing else in the text has.
_NOVELTY = 70.0
_CUED: tuple[tuple[str, tuple[CueKind, ...]], ...] = (
    ("decision", ("decision",)),
    ("binding", ("binding",)),
    ("ban", ("ban",)),
    ("trouble", ("error", "trouble")),
)
_NUMBER = re.compile(r"\d")
# Each pattern begins with characters of one set, which searches run through a text by.
_AMOUNTS = (
    re.compile(r"[$€£¥₩₽₹]\s?\d"),
    re.compile(r"\d(?:\s?[$€£¥₩₽₹%‰]|(?<!\w\d)\d{0,2}(?:[.,\u00a0\u202f ]\d{3})+\b)"),
    re.compile(r"(?:EUR|USD|CHF|GBP|JPY|CNY|RMB|KRW|INR|BRL|SEK|NOK|DKK|PLN|CZK)(?<!\w...)\s?\d"),
)
_DATES = (
    re.compile(
        r"\d(?:\d{3}-\d\d-\d\d|\d?\.\s?\d{1,2}\.\d{2,4}|\d{0,3}(?:年|월|月\d+日)"
        r"|\d?(?:st|nd|rd|th)?\.? (?:de )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
        r"|Mär|Mai|Okt|Dez|janv|févr|mars|avr|juin|juil|août|sept|déc|enero|febrero|marzo|abril"
        r"|mayo|junio|julio|agosto|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio"
        r"|giugno|luglio|settembre|ottobre|novembre|dicembre|janeiro|fevereiro|março|maio|junho"
        r"|julho|setembro|outubro|dezembro|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек"
        r"|sty|lut|kwi|maj|cze|lip|sie|wrz|paź|lis|gru))"
    ),
    re.compile(
        r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
        r" \d"
    ),
)
# Letters and digits in one: a ticket, a host, a commit, a plate. And a number to call.
_REFERENCES = (
    re.compile(r"\d(?:(?<=[A-Za-z]-\d)|(?<=[A-Za-z]\d)\d|(?<=\d[a-f]\d))"),
    re.compile(r"\+\d[\d ()/-]{6,}\d"),
)
# What is to be typed, of several words or parts.
_COMMAND = re.compile(r"`[^`\n]*\w[ =/][^`\n]+`")
_CLOCK = re.compile(r"\d(?<!\d.)\d?(?::[0-5]\d(?![\d:])| ?(?:h|Uhr|Uhr|часов|am|pm|a\.m|p\.m)\b)")
_CHANGE = re.compile(
    r"\b(?:from|between|von|de|du|da|od|с|от|z|från|van)\s[^.\d]{0,20}\d[\d.,]*\s?\S{0,12}"
    r"\s(?:to|and|auf|bis|à|a|al|para|do|до|na|till|naar)\s[^.\d]{0,20}\d"
)
# A capital inside a sentence: a name, in scripts that have capitals.
_NAME = re.compile(r" (?<=[\w,;:] )[A-ZÀ-ÞА-Я][\w’'-]")
_QUESTION = re.compile(r"[?？؟]")
_PATTERNS = (("name", _NAME), ("question", _QUESTION), ("command", _COMMAND))
# What there is only where there is a digit.
_NUMERIC_PATTERNS = (
    ("number", _NUMBER),
    *(("amount", pattern) for pattern in _AMOUNTS),
    *(("date", pattern) for pattern in _DATES),
    ("clock", _CLOCK),
    ("change", _CHANGE),
    *(("reference", pattern) for pattern in _REFERENCES),
)
# Numbers with their units, in scripts that set no spaces.
_UNSPACED_MEASURE = re.compile(
    r"[0-9０-９一二三四五六七八九十百千万两兩]+\s?[万億百千만]?\s?(?:か|カ|ヶ|个|個|개)?"
    r"(?:[年月日天週周分秒円元원년일주]|小时|小時|時間|개월|월|시간|ユーロ|欧元|歐元|ドル|달러|유로|%|％)"
)
_BEFORE_UNIT_CHARS = 24


def tell_worth(words: Words, spans: Sequence[tuple[int, int]]) -> list[float]:
    """How much each of some parts of a text, in order, says that is worth keeping."""
    novel = excess(word_novelty([words.text[start:end] for start, end in spans]))
    stated: list[dict[str, set[str]]] = [defaultdict(set) for _ in spans]
    for kind, start, said in _statements(words, spans):
        stated[start][kind].add(said)
    holders = Counter(
        (kind, said) for each in stated for kind, found in each.items() for said in found
    )
    worth = {key: _WORTHS[key[0]] * _telling(count, len(spans)) for key, count in holders.items()}
    return [
        _NOVELTY * new
        + sum(max(worth[kind, said] for said in found) for kind, found in each.items())
        for new, each in zip(novel, stated, strict=True)
    ]


def _telling(count: int, total: int) -> float:
    """1 for what one or two of many hold, near 0 for what most do."""
    return min(math.log2(total / count) / max(math.log2(total) - 1, 1.0), 1.0)


def _statements(words: Words, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[str, int, str]]:
    """Kind, place among the spans and words of every statement."""
    text = words.text
    for kind, cued in _CUED:
        for at, start, end in _placed(
            ((cue.start, cue.end) for cue in cues_in(words, cued)), spans
        ):
            yield kind, at, words.lowered[start:end]
    for at, _, _ in _placed(_measures(words), spans):
        yield "measure", at, ""
    for at, (start, end) in enumerate(spans):
        patterns = _PATTERNS + _NUMERIC_PATTERNS if _NUMBER.search(text, start, end) else _PATTERNS
        for kind, pattern in patterns:
            if pattern.search(text, start, end):
                yield kind, at, ""


def _measures(words: Words) -> Iterator[tuple[int, int]]:
    """Where numbers with a unit stand, in order."""
    if words.is_unspaced:
        yield from (match.span() for match in _UNSPACED_MEASURE.finditer(words.text))
        return
    numbered = _numbered()
    for cue in cues_in(words, ("unit",)):
        if numbered.search(words.lowered, max(cue.start - _BEFORE_UNIT_CHARS, 0), cue.start):
            yield cue.start, cue.end


def _placed(
    found: Iterable[tuple[int, int]], spans: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int, int]]:
    """Each place found, with the span it lies in; what lies in none is left aside."""
    at = 0
    for start, end in found:
        while at < len(spans) and spans[at][1] <= start:
            at += 1
        if at == len(spans):
            return
        if spans[at][0] <= start:
            yield at, start, end


@cache
def _numbered() -> re.Pattern[str]:
    """A number in digits or as a word, right before what follows."""
    words = {
        word
        for rule in read_rules("statements", "language")
        for word in read_words("statements", rule, "number")
    }
    written = "|".join(
        rf"{re.escape(word[:-1])}[^\W\d_]*" if word.endswith("*") else re.escape(word)
        for word in sorted(words)
    )
    # One word may stand between: three full days.
    return re.compile(rf"(?:\d|(?<![^\W\d_])(?:{written})(?![^\W\d_]))[^.;:!?]{{0,14}}\Z")
