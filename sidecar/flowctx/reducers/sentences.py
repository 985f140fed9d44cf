"""Sentences of running text, in any script, and how much each would be missed."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from flowctx.reducers.cues import Words
from flowctx.reducers.telling import tell_worth

# Ends of sentences: Latin ones need a space behind them and no abbreviation before.
# One set of characters at the front is what the search runs through a text by.
_END = re.compile(
    r"[.!?…。！？।؟](?:(?<=[.!?…])[.!?…]*[\"'”’»)\]]*(?=\s|\Z)"
    r"|(?<=[。！？])[。！？]*[”’」』）]*|(?<=[।؟])[।؟]*(?=\s|\Z))"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:[A-Z]|e\.g|i\.e|etc|vs|cf|Mr|Mrs|Ms|Dr|Prof|No|Nr|St|Fig|Inc|Ltd|approx|z\.B|d\.h|bzw|ca|p"
    r"|т\.е|т\.д|г|гг|M|Mme|env|Sr|Sra)|\d)\.\Z"
)
# What a name follows, so that a capital behind it begins no sentence.
_TITLE = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|St|M|Mme|Mlle|Sr|Sra|Sig|Hr|Fr)\.\Z")
# What a number with a full stop counts where nouns have capitals: am 1. Januar, im 3. Quartal.
_COUNTED = re.compile(
    r" (?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember"
    r"|Quartal|Halbjahr|Jahrhundert|Stock|Etage|Obergeschoss|Absatz|Klasse)\b"
)
_ABBREVIATION_CHARS = 10
_DIGITS = re.compile(r"\d+")

# A hundred characters take room that other sentences need.
_LENGTH_COST = 3.0
_FIRST_RANK, _LAST_RANK, _OPENING_RANK = 12.0, 6.0, 1.0
_PLAIN_RANK = 10.0
# The first sentence says what the text is, unless it greets.
_GREETING_ENDS = ("!", "！", ",", "，", "、")
_REPEATED_SHARE = 0.05
# What is said so often is said once and quoted; what is said more often is no news at all.
_MAX_QUOTED = 3


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
        sentences.extend(split_line(line, start))
        start += len(line) + 1
    return sentences


def rank_sentences(words: Words, sentences: Sequence[Sentence]) -> list[float]:
    """What a sentence says raises it; length, and what is said again, lower it."""
    bodies = [words.text[each.start : each.end] for each in sentences]
    first = {body: at for at, body in reversed(list(enumerate(bodies)))}
    places = sorted(first.values())
    spans = [(sentences[at].start, sentences[at].end) for at in places]
    worth = dict(zip(places, tell_worth(words, spans), strict=True))
    gists = [gist(body) for body in bodies]
    said, told = Counter(gists), set[str]()
    ranks = []
    for at, body in enumerate(bodies):
        rank = _PLAIN_RANK + worth[first[body]]
        if said[gists[at]] > _MAX_QUOTED or gists[at] in told:
            rank *= _REPEATED_SHARE
        elif sentences[at].opens:
            rank += _OPENING_RANK
        told.add(gists[at])
        ranks.append(max(rank - _LENGTH_COST * len(body) / 100, _PLAIN_RANK * _REPEATED_SHARE))
    if ranks:
        ranks[0] += 0.0 if bodies[0][-1:] in _GREETING_ENDS else _FIRST_RANK
        ranks[-1] += _LAST_RANK
    return ranks


def split_line(line: str, offset: int) -> Iterator[Sentence]:
    """The sentences of a line that begins at an offset of a text."""
    start = len(line) - len(line.lstrip())
    opens = True
    for match in _END.finditer(line):
        if line[match.start()] == "." and _is_abbreviated(line, start, match.end()):
            continue
        yield Sentence(offset + start, offset + match.end(), opens)
        opens = False
        start = match.end()
        while start < len(line) and line[start] in " \t\u3000":
            start += 1
    end = len(line.rstrip())
    if start < end:
        yield Sentence(offset + start, offset + end, opens)


def _is_abbreviated(line: str, start: int, end: int) -> bool:
    """True where the full stop before an end belongs to a word, and no sentence ends there."""
    start = max(start, end - _ABBREVIATION_CHARS)
    if end >= len(line) or not _ABBREVIATION.search(line, start, end):
        return False
    if not line[end + 1 : end + 2].isupper():
        return True
    return bool(_TITLE.search(line, start, end) or _COUNTED.match(line, end))


def gist(body: str) -> str:
    """A sentence without its numbers: what repeats but for a number says nothing new."""
    return _DIGITS.sub("0", " ".join(body.split()))
