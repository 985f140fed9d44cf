"""How people talk: who takes something on, and what is said for politeness alone."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from flowctx.reducers.rules import read_rules, read_words

# What it is worth that one who takes part is said to do something; what courtesies cost, and
# questions that others of the talk answer.
_OWNER, _POLITE, _POLITE_ABOUT, _ASKING = 11.0, -14.0, -4.0, -12.0
_SIGNS = " \t>*_-•\"'“”‘’«»¡¿(["
_MAX_BEGINNING = 60
# What a courtesy has in it where it goes on to say something.
_SPECIFIC = re.compile(r"\d|[`:：]")
# A name and what its owner does: "Ann will", "Herr Roth meldet", "Ann and Bob take", "佐藤さんが".
_DOES = re.compile(
    r"@?(?:(?:Mr|Mrs|Ms|Dr|Herr|Frau|M|Mme|Mlle|Sr|Sra|Don|Doña)\.? )?"
    r"(?P<name>[^\W\d_][\w’'-]*)(?: [A-ZÀ-Þ][\w’'-]+)?(?:,? (?:and|und|et|y|e) [A-ZÀ-Þ][\w’'-]+)?"
    r"(?::? (?P<verb>[^\W\d_][\w’']*)|さんが|さんは)"
)
# Verbs of no deed, and what is no verb.
_NO_DEED = frozenset(
    (
        *("said", "says", "thinks", "thought", "knows", "knew", "mentioned", "is", "was", "are"),
        *("were", "had", "wrote", "told", "likes", "and", "or", "of", "on", "in", "at", "for"),
        *("from", "my", "the", "a", "an", "to", "meint", "sagt", "sagte", "weiß", "war", "ist"),
        *("hatte", "pense", "dit", "sait", "est", "était", "cree", "dice", "dijo", "sabe", "era"),
    )
)
# Who speaks, at the beginning of a line of a transcript.
_SPEAKS = re.compile(
    r"^(?:<v |- |\*\*)?"
    r"(?P<name>[A-ZÀ-ÖØ-Þ\u3400-\u9fff][\w.'’-]{1,20}(?: [A-ZÀ-ÖØ-Þ][\w.'’-]{0,20}){0,2})"
    r"(?:\*\*)?[:：>](?=[\s\u3040-\u9fff]|\w)",
    re.MULTILINE,
)
_MIN_TURNS, _MIN_SPEAKERS, _MAX_SPEAKERS = 3, 2, 20
_UNSPACED_NAME = re.compile("[\u3400-\u9fff\uac00-\ud7af]{2,4}")


def spoken_worth(bodies: Sequence[str], speakers: Collection[str]) -> Iterator[float]:
    """What each sentence is worth more, or less, for how it is said.

    Args:
        bodies: the sentences.
        speakers: who takes part, as they are named.
    """
    names = names_of(speakers)
    for body in bodies:
        said = _said(body, speakers)
        yield _owner(said, names) + _courtesy(said)


def speakers_of(text: str) -> frozenset[str]:
    """Who speaks in a transcript, told by names before colons; nobody where it is none."""
    counts = Counter(found["name"] for found in _SPEAKS.finditer(text))
    speakers = frozenset(name for name, count in counts.items() if count >= _MIN_TURNS)
    return speakers if _MIN_SPEAKERS <= len(speakers) <= _MAX_SPEAKERS else frozenset()


def _said(body: str, speakers: Collection[str]) -> str:
    """A sentence without the name of who says it."""
    head, colon, said = body[:_MAX_BEGINNING].partition(":")
    return (
        said.lstrip() + body[_MAX_BEGINNING:] if colon and head.strip("-* ") in speakers else body
    )


def names_of(speakers: Collection[str]) -> frozenset[str]:
    """The names, first names, last names and names of accounts that people are called by."""
    parts = {part for name in speakers for part in re.split(r"[\s._-]+", name) if len(part) > 1}
    return frozenset(part.lower() for part in parts | set(speakers))


def _owner(body: str, names: Collection[str]) -> float:
    begun = body.lstrip(_SIGNS)
    does = _DOES.match(begun)
    if does and does["name"].lower() in names:
        verb = does["verb"]
        return 0.0 if verb and (verb.lower() in _NO_DEED or not verb[0].islower()) else _OWNER
    unspaced = _UNSPACED_NAME.match(begun)
    is_named = unspaced and any(begun[:size] in names for size in range(2, 5))
    return _OWNER if is_named else 0.0


def _courtesy(body: str) -> float:
    begun = body[:_MAX_BEGINNING].lstrip(_SIGNS).lower()
    if begun.startswith(_beginnings("polite")):
        polite = next(each for each in _beginnings("polite") if begun.startswith(each))
        return _POLITE_ABOUT if _SPECIFIC.search(body, len(polite) + 1) else _POLITE
    is_asked = body.rstrip(")\"' ").endswith(("?", "？"))
    return _ASKING if is_asked and begun.startswith(_beginnings("asking")) else 0.0


@cache
def _beginnings(key: str) -> tuple[str, ...]:
    rules = read_rules("talk", "language")
    words = (word for rule in rules for word in read_words("talk", rule, key))
    return tuple(sorted(words, key=len, reverse=True))
