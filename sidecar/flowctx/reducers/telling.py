"""What sentences say that is worth keeping: decisions, bans, terms, amounts, dates.

What few sentences of a text say counts in full: where every sentence says "must", none of
them is told apart by it.
"""

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TypeVar

from flowctx.reducers.cue_kinds import CueKind
from flowctx.reducers.cues import Cue, Words, cues_in
from flowctx.reducers.rarity import excess, word_novelty, words_of_each
from flowctx.reducers.rules import read_rules, read_words
from flowctx.reducers.stating import stated_in, unspaced_in

Place = TypeVar("Place", Cue, tuple[int, int])

# What a statement of each kind is worth at most; of several kinds the worths add up.
_WORTHS = {
    "decision": 12.0,
    "binding": 8.0,
    "ban": 14.0,
    "caveat": 8.0,
    "contrast": 5.0,
    "open": 8.0,
    "shift": 4.0,
    "duty": 2.5,
    "trouble": 4.0,
    "quantity": 5.0,
    "few": 3.5,
    "measure": 6.0,
    "amount": 8.0,
    "change": 6.0,
    "date": 11.0,
    "clock": 9.0,
    "number": 12.0,
    "numbers": 3.0,
    "reference": 8.0,
    "command": 18.0,
    "setting": 12.0,
    "name": 2.0,
    "question": 4.0,
    "flag": 10.0,
}
# A part all of whose words nothing else in the text has. Where hardly a word stands twice in the
# text, from a median novelty of so much on, new ones tell little: the weight falls to the least.
_NOVELTY, _LEAST_NOVELTY = 70.0, 14.0
_PLAIN_NOVELTY, _VARIED_NOVELTY = 0.55, 0.7
# What one part in so many has tells it apart in full: a word, and what a pattern finds.
_TELLING_WORD, _TELLING_PATTERN = 20, 3
# What cues of a kind count as.
_STATED: Mapping[CueKind, str] = {
    "decision": "decision",
    "agreed": "decision",
    "binding": "binding",
    "ban": "ban",
    "caveat": "caveat",
    "contrast": "contrast",
    "open": "open",
    "shift": "shift",
    "duty": "duty",
    "day": "date",
    "number": "quantity",
    "few": "few",
}
_KINDS = tuple(_STATED)
# Which number it is tells nothing apart.
_NUMBER_WORDS = ("quantity", "few")
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
    re.compile(r"\d{2,4}(?<![\d.,].)(?:[ -]\d{2,4}){2,}(?![\d-])"),
    re.compile(r"\d{4}(?:(?<=[A-Z] \d{4})|(?<=\d{5})\d|(?<=10\.\d{4})/)"),
)
# What is to be typed, of several words or parts.
_COMMAND = re.compile(r"`[^`\n]*\w[ =/][^`\n]+`")
# What something is set to: TIMEOUT_MS=1000.
_SETTING = re.compile(r"=(?<=\w=)(?=[\w\"'/.-])")
_CLOCK = re.compile(r"\d(?<!\d.)\d?(?::[0-5]\d(?![\d:])| ?(?:h|Uhr|Uhr|часов|am|pm|a\.m|p\.m)\b)")
_CHANGE = re.compile(
    r"\b(?:from|between|von|de|du|da|od|с|от|z|från|van)\s[^.\d]{0,20}\d[\d.,]*\s?\S{0,12}"
    r"\s(?:to|and|auf|bis|à|a|al|para|do|до|na|till|naar)\s[^.\d]{0,20}\d"
)
# A capital inside a sentence: a name, in scripts that have capitals.
_NAME = re.compile(r" (?<=[\w,;:] )[A-ZÀ-ÞА-Я][\w’'-]")
_QUESTION = re.compile(r"[?？؟]")
# A sign that somebody set before words: solved, beware.
_FLAG = re.compile("[\u2600-\u27bf\U0001f300-\U0001faff]\ufe0f?\\s*[^\\W\\d_]{3}")
_PATTERNS = (
    ("name", _NAME),
    ("question", _QUESTION),
    ("command", _COMMAND),
    ("setting", _SETTING),
    ("flag", _FLAG),
    ("number", _NUMBER),
)
_ASCII_PATTERNS = tuple(each for each in _PATTERNS if each[1] is not _FLAG)
# What there is only where there is a digit.
_NUMERIC_PATTERNS = (
    ("numbers", re.compile(r"\d\D{2,}+\d")),
    *(("amount", pattern) for pattern in _AMOUNTS),
    *(("date", pattern) for pattern in _DATES),
    ("clock", _CLOCK),
    ("change", _CHANGE),
    *(("reference", pattern) for pattern in _REFERENCES),
)
# What of a date the patterns of dates leave.
_YEAR = re.compile(r"\b(?:19|20)\d\d\b|:\d\d|(?<=\d)\s?-\s?(?=\d)|\d{4}\b(?<= \d{4})|[+-]0\d{3}")
# Numbers with their units, in scripts that set no spaces.
_UNSPACED_MEASURE = re.compile(
    r"[0-9０-９一二三四五六七八九十百千万两兩]+\s?[万億百千만]?\s?(?:か|カ|ヶ|个|個|개)?"
    r"(?:[年月日天週周分秒円元원년일주米吨升度人台本枚匹軒册명대권]|小时|小時|時間|개월|월|시간|公里|公斤|厘米|毫米"
    r"|メートル|キロ|リットル|トン|グラム|ミリ|미터|킬로|리터|톤|가구|ユーロ|欧元|歐元|ドル|달러|유로|%|％)"
)
_UNSPACED_QUANTITY = re.compile(
    r"[一二三四五六七八九十百千万两兩零億]{2,}|[二三四五六七八九十两兩](?=[年月日天週周分秒円元点時时岁歳本台軒台か个個次])"
)
_BEFORE_UNIT_CHARS = 24


def tell_worth(words: Words, spans: Sequence[tuple[int, int]]) -> list[float]:
    """How much each of some parts of a text, in order, says that is worth keeping."""
    bodies = [words.lowered[start:end].replace("\n", " ") for start, end in spans]
    held = words_of_each(bodies)
    novelty = word_novelty(held)
    weight = _novelty_weight(novelty)
    stated: list[set[tuple[str, str]]] = [set() for _ in spans]
    for cued, at, said in stated_in(words, bodies, _KINDS, held):
        kind = _STATED[cued]
        stated[at].add((kind, "" if kind in _NUMBER_WORDS else said))
    for kind, at, said in _statements(words, spans):
        stated[at].add((kind, said))
    worth = {
        (kind, said): _WORTHS[kind] * _telling(count / len(spans), is_word=bool(said))
        for (kind, said), count in Counter(chain.from_iterable(stated)).items()
    }
    return [
        weight * new + _sum_of_best(said, worth)
        for new, said in zip(excess(novelty), stated, strict=True)
    ]


def _sum_of_best(
    stated: Iterable[tuple[str, str]], worth: Mapping[tuple[str, str], float]
) -> float:
    """What the best statement of each kind is worth, added up."""
    best: dict[str, float] = {}
    for said in stated:
        if worth[said] > best.get(said[0], 0.0):
            best[said[0]] = worth[said]
    return sum(best.values())


def _novelty_weight(novelty: Sequence[float]) -> float:
    """How much new words tell: much in a text that uses the same ones again and again."""
    usual = sorted(novelty)[len(novelty) // 2] if novelty else 0.0
    varied = (usual - _PLAIN_NOVELTY) / (_VARIED_NOVELTY - _PLAIN_NOVELTY)
    return _NOVELTY - (_NOVELTY - _LEAST_NOVELTY) * min(max(varied, 0.0), 1.0)


def _telling(share: float, *, is_word: bool) -> float:
    """1 for what few of many hold, near 0 for what most do."""
    few = _TELLING_WORD if is_word else _TELLING_PATTERN
    return min(math.log(1 / share) / math.log(few), 1.0)


def _statements(words: Words, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[str, int, str]]:
    """Kind, place among the spans and words of every statement."""
    text = words.text
    troubles = cues_in(words, ("error", "trouble"))
    for at, cue in _placed(chain(troubles, unspaced_in(words, _KINDS)), spans):
        yield _STATED.get(cue.kind, "trouble"), at, words.lowered[cue.start : cue.end]
    for at, _ in _placed(_measures(words), spans):
        yield "measure", at, ""
    if words.is_unspaced:
        quantities = (match.span() for match in _UNSPACED_QUANTITY.finditer(text))
        # Written in full, numbers are numbers there.
        for at, _ in _placed(quantities, spans):
            yield "number", at, ""
    for kind, pattern in _PATTERNS if not text.isascii() else _ASCII_PATTERNS:
        for at in _spans_with(pattern, text, spans):
            if pattern is _NUMBER:
                yield from ((each, at, "") for each in _numeric(text, *spans[at]))
            else:
                yield kind, at, ""


def _spans_with(
    pattern: re.Pattern[str], text: str, spans: Sequence[tuple[int, int]]
) -> Iterator[int]:
    """Places of the spans in which a pattern begins: one search for each, none for the others."""
    at = 0
    found = pattern.search(text)
    while found:
        while at < len(spans) and spans[at][1] <= found.start():
            at += 1
        if at == len(spans):
            return
        start, end = spans[at]
        if start <= found.start():
            yield at
        found = pattern.search(text, end if start <= found.start() else start)


def _numeric(text: str, start: int, end: int) -> Iterator[str]:
    """What kinds of numbers a part has; those of a date or a time count as such alone."""
    found = {kind for kind, pattern in _NUMERIC_PATTERNS if pattern.search(text, start, end)}
    body = text[start:end]
    if not found.isdisjoint(("date", "clock")):
        for pattern in (*_DATES, _CLOCK):
            body = pattern.sub(" ", body)
        body = _YEAR.sub(" ", body)
    if _NUMBER.search(body):
        found.add("number")
    yield from found


def _measures(words: Words) -> Iterator[tuple[int, int]]:
    """Where numbers with a unit stand, in order."""
    if words.is_unspaced:
        yield from (match.span() for match in _UNSPACED_MEASURE.finditer(words.text))
        return
    numbered = _numbered(words.languages)
    for cue in cues_in(words, ("unit",)):
        if numbered.search(words.lowered, max(cue.start - _BEFORE_UNIT_CHARS, 0), cue.start):
            yield cue.start, cue.end


def _placed(
    found: Iterable[Place], spans: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, Place]]:
    """Each place found, with the span it lies in; what lies in none is left aside."""
    starts = [start for start, _ in spans]
    for place in found:
        at = bisect_right(starts, place[0]) - 1
        if at >= 0 and place[0] < spans[at][1]:
            yield at, place


@lru_cache(maxsize=128)
def _numbered(languages: frozenset[str]) -> re.Pattern[str]:
    """A number in digits or as a word of some languages, right before what follows."""
    words = {
        word
        for rule in read_rules("statements", "language")
        if not languages or rule["id"] in languages
        for kind in ("one", "few", "number")
        for word in read_words("statements", rule, kind)
    }
    written = "|".join(map(_word_pattern, sorted(words))) or "(?!)"
    # One word may stand between: three full days.
    return re.compile(rf"(?:\d|(?<![^\W\d_])(?:{written})(?![^\W\d_]))[^.;:!?]{{0,14}}\Z")


def _word_pattern(word: str) -> str:
    """A listed word; where it is open at an end, letters may go on there."""
    before, after = (
        r"[^\W\d_]{0,20}" if is_open else "" for is_open in (word[0] == "*", word[-1] == "*")
    )
    return f"{before}{re.escape(word.strip('*'))}{after}"
