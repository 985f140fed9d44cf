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
# Behind these a sentence goes on in small letters.
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|No|Nr|Inc|Ltd|Co|approx|z\.B|d\.h|bzw|ca|p|env|al|usw|u\.a|т\.е|т\.д|т\.п|гг|др"
    r"|min|max|Min|Std|Mio|Mrd|tel|Tel|inkl|ggf|evtl|núm|pág|pp|Jan|Feb|Aug|Sept|Oct|Nov|Dec)|\d)\.\Z"
)
# What a name or a number follows, so that a capital behind it begins no sentence; initials are.
_TITLE = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|M|Mme|Mlle|Sr|Sra|Srta|Sig|Hr|Fr|Ing|Eng|Dipl|Art|art|Abs|Nr|No|Fig|Abb|Kap|Kfz"
    r"|bzgl|Bd|Vol|Ch|Sec|Rev|Gen|Col|Capt|Lt|Hon|D|Dª|Dña|Av|Avda|núm|ул|им|инж|стр|г|рис|тов|гр|проф|акад|д-р|с)"
    r"|(?<![^\W\d_])[A-ZÀ-ÖØ-ÞА-ЯЁ])\.\Z"
)
# What begins a line and counts it is no sentence.
_COUNT = re.compile(r"\s*(?:[-*•]\s+)?\(?(?:(?:\d{1,3}\.)*\d{1,3}|[a-zA-Z]|[IVX]{1,5})\.\Z")
_COUNTING = re.compile(r"[#\s]*(?:[-*•]\s+)?\(?(?:\d{1,3}\.)*\d{1,3}[.)]?\s+(?=[^\W\d_])")
# What a number with a full stop counts where nouns have capitals: am 1. Januar, im 3. Quartal.
_COUNTED = re.compile(
    r" (?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember"
    r"|Quartal|Halbjahr|Jahrhundert|Stock|Etage|Obergeschoss|Absatz|Klasse)\b"
)
_ABBREVIATION_CHARS = 10
_DIGITS = re.compile(r"\d+")

# A hundred characters take room that other sentences need.
_LENGTH_COST = 5.0
_FIRST_RANK, _LAST_RANK, _OPENING_RANK = 12.0, 6.0, 1.0
_PLAIN_RANK = 10.0
# The first sentence says what the text is, the last what it comes to, unless they greet.
_GREETING_ENDS = ("!", "！", ",", "，", "、")
_REPEATED_SHARE = 0.05
# Short ones that state nothing: greetings, names below a letter, cheers.
_SHORT_CHARS, _LITTLE, _SHORT_COST = 30, 3.0, 4.0
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
    spans = [(sentences[at].start + _count_chars(bodies[at]), sentences[at].end) for at in places]
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
        if len(body) < _SHORT_CHARS and worth[first[body]] < _LITTLE:
            rank -= _SHORT_COST
        told.add(gists[at])
        ranks.append(max(rank - _LENGTH_COST * len(body) / 100, _PLAIN_RANK * _REPEATED_SHARE))
    if ranks:
        ranks[0] += 0.0 if bodies[0][-1:] in _GREETING_ENDS else _FIRST_RANK
        greets = bodies[-1][-1:] in _GREETING_ENDS
        ranks[-1] += _LAST_RANK if said[gists[-1]] <= _MAX_QUOTED and not greets else 0.0
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


def _count_chars(body: str) -> int:
    """Characters of the number that counts a paragraph, a heading or an item."""
    counting = _COUNTING.match(body) if body[:8].strip(" #-*•(")[:1].isdigit() else None
    # A number that a small letter follows counts things: 12 boxes.
    if not counting or not (body[counting.end() - 2] in ".)" or body[counting.end()].isupper()):
        return 0
    return counting.end()


def _is_abbreviated(line: str, start: int, end: int) -> bool:
    """True where the full stop before an end belongs to a word, and no sentence ends there."""
    if end >= len(line):
        return False
    if end - start <= _ABBREVIATION_CHARS and _COUNT.match(line[start:end]):
        return True
    start = max(start, end - _ABBREVIATION_CHARS)
    if _TITLE.search(line, start, end):
        return True
    if not _ABBREVIATION.search(line, start, end):
        return False
    return not line[end + 1 : end + 2].isupper() or bool(_COUNTED.match(line, end))


def gist(body: str) -> str:
    """A sentence without its numbers: what repeats but for a number says nothing new."""
    return _DIGITS.sub("0", " ".join(body.split()))
