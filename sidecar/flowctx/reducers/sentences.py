"""Sentences of running text, in any script, and how much each would be missed."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from flowctx.reducers.cues import Cue, find_cues
from flowctx.reducers.rarity import excess, word_rarity

# Ends of sentences: Latin ones need a space behind them and no abbreviation before.
_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s|\Z)|[。！？]+[”’」』）]*|[।؟]+(?=\s|\Z)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:[A-Z]|e\.g|i\.e|etc|vs|cf|Mr|Mrs|Ms|Dr|Prof|No|Nr|St|Fig|Inc|Ltd|approx|z\.B|d\.h|bzw|ca|p"
    r"|т\.е|т\.д|г|гг|M|Mme|env|Sr|Sra)|\d)\.\Z"
)
_ABBREVIATION_CHARS = 10
_NUMBER = re.compile(r"\d")
_DIGITS = re.compile(r"\d+")
_DATED = re.compile(
    r"\d{4}-\d\d-\d\d|\d{1,2}\.\s?\d{1,2}\.\d{2,4}|\d{1,2}(?:st|nd|rd|th)?\.? "
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mär|Mai|Okt|Dez|janv|févr|mars|avr|juin|juil"
    r"|août|sept|déc|ene|abr|ago|dic|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек)\w*"
    r"|\d+年|\d+月\d+日|\d+월"
)
# A capital inside a sentence: a name, in scripts that have capitals.
_NAME = re.compile(r"(?<=[\w,;:] )[A-ZÀ-ÞА-Я][\w’'-]+(?: [A-ZÀ-ÞА-Я][\w’'-]+)?")
_QUESTION = re.compile(r"[?？؟]")

_BITS_WEIGHT = 5.0
_DECISION_RANK, _TROUBLE_RANK = 22.0, 10.0
_NUMBER_RANK, _DATE_RANK, _NAME_RANK, _QUESTION_RANK = 6.0, 8.0, 4.0, 8.0
_FIRST_RANK, _LAST_RANK = 14.0, 8.0
_REPEATED_SHARE = 0.05


class Sentence(NamedTuple):
    """Characters [start, end) of a text; `opens` where it begins a paragraph."""

    start: int
    end: int
    opens: bool


def split_sentences(text: str) -> list[Sentence]:
    """The sentences of a text whose paragraphs are lines; each belongs to one line."""
    sentences: list[Sentence] = []
    start = 0
    for line in text.split("\n"):
        sentences.extend(_split_line(line, start))
        start += len(line) + 1
    return sentences


def rank_sentences(text: str, sentences: Sequence[Sentence]) -> list[float]:
    """Decisions, numbers, dates, names, questions and rare words raise a sentence."""
    bodies = [text[each.start : each.end] for each in sentences]
    bits = excess(word_rarity(bodies))
    said = Counter(map(_gist, bodies))
    cued = _cued(text, sentences)
    ranks = []
    for at, body in enumerate(bodies):
        rank = 10.0 + _BITS_WEIGHT * bits[at] + cued.get(at, 0.0) + _surface(body)
        if said[_gist(body)] > 1:
            # What is said word for word again and again is no news.
            rank *= _REPEATED_SHARE
        elif sentences[at].opens:
            rank += 2.0
        ranks.append(rank)
    if ranks:
        ranks[0] += _FIRST_RANK
        ranks[-1] += _LAST_RANK
    return ranks


def _split_line(line: str, offset: int) -> Iterator[Sentence]:
    start = len(line) - len(line.lstrip())
    opens = True
    for match in _END.finditer(line):
        is_abbreviated = line[match.start()] == "." and _ABBREVIATION.search(
            line, max(start, match.end() - _ABBREVIATION_CHARS), match.end()
        )
        if is_abbreviated and match.end() < len(line) and not line[match.end() + 1 :][:1].isupper():
            continue
        yield Sentence(offset + start, offset + match.end(), opens)
        opens = False
        start = match.end()
        while start < len(line) and line[start] in " \t\u3000":
            start += 1
    end = len(line.rstrip())
    if start < end:
        yield Sentence(offset + start, offset + end, opens)


def _gist(body: str) -> str:
    """A sentence without its numbers: what repeats but for a number says nothing new."""
    return _DIGITS.sub("0", " ".join(body.split()))


def _surface(body: str) -> float:
    return (
        (_NUMBER_RANK if _NUMBER.search(body) else 0.0)
        + (_DATE_RANK if _DATED.search(body) else 0.0)
        + (_NAME_RANK if _NAME.search(body) else 0.0)
        + (_QUESTION_RANK if _QUESTION.search(body) else 0.0)
    )


def _cued(text: str, sentences: Sequence[Sentence]) -> dict[int, float]:
    """Bonus of sentences with cues; of many, each counts less."""
    cues: list[Cue] = find_cues(text, ("decision", "error", "trouble"))
    bonus: dict[int, float] = {}
    at = 0
    for cue in cues:
        while at < len(sentences) - 1 and sentences[at].end <= cue.start:
            at += 1
        worth = _DECISION_RANK if cue.kind == "decision" else _TROUBLE_RANK
        bonus[at] = max(bonus.get(at, 0.0), worth)
    crowd = max(len(bonus) / max(len(sentences) * 0.3, 1.0), 1.0)
    return {each: worth / crowd for each, worth in bonus.items()}
