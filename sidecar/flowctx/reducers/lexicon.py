"""The words and phrases that are cues of a kind, in the languages that are asked for."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from flowctx.reducers.cue_kinds import IN_CUES, CueKind
from flowctx.reducers.rules import read_rules, read_words

UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The cues of one kind, by how they are looked up.

    Phrases are known by their longest word, those without spaces with their characters.
    """

    kind: CueKind
    whole: frozenset[str]
    stems: tuple[str, ...]
    endings: tuple[str, ...]
    phrases: Mapping[str, Sequence["Phrase"]]
    anywhere: tuple[tuple[str, frozenset[str]], ...] = field(default=())


class Phrase(NamedTuple):
    """Several words; where it is open, the last may go on."""

    text: str
    words: frozenset[str]
    is_open: bool

    @staticmethod
    def read(listed: str) -> "Phrase":
        """A phrase as it is listed: an open one ends with a star."""
        text, is_open = listed.rstrip("*"), listed.endswith("*")
        words = _WORD.findall(text)
        # Single letters are no words of a text that holds others than Latin ones.
        whole = [word for word in (words[:-1] if is_open else words) if len(word) > 1]
        return Phrase(text, frozenset(whole), is_open)

    def stands_in(self, body: str) -> bool:
        """True where it stands by itself in a text in lower case."""
        start = body.find(self.text)
        while start >= 0:
            end = start + len(self.text)
            before, after = body[start - 1 : start], body[end : end + 1]
            if not before.isalpha() and (self.is_open or not after.isalpha()):
                return True
            start = body.find(self.text, end)
        return False


@lru_cache(maxsize=128)
def lexicon_of(kind: CueKind, languages: frozenset[str] = frozenset()) -> Lexicon:
    """The words of a kind, of some languages; of all where none is named."""
    table = "cues" if kind in IN_CUES else "statements"
    rules = [r for r in read_rules(table, "language") if not languages or r["id"] in languages]
    words = [word for rule in rules for word in read_words(table, rule, kind)]
    spaced = [word for word in words if not UNSPACED.search(word)]
    single = [word for word in spaced if _WORD.fullmatch(word.strip("*"))]
    affixes = [word for word in single if "*" in word]
    return Lexicon(
        kind=kind,
        whole=frozenset(word for word in single if "*" not in word),
        stems=tuple(word[:-1] for word in affixes if word.endswith("*")),
        endings=tuple(word[1:] for word in affixes if word.startswith("*")),
        phrases=_by_longest_word(Phrase.read(word) for word in spaced if word not in single),
        anywhere=tuple((word, frozenset(word)) for word in words if UNSPACED.search(word)),
    )


@lru_cache(maxsize=128)
def stems_of(
    kinds: tuple[CueKind, ...], languages: frozenset[str] = frozenset()
) -> re.Pattern[str]:
    """The beginnings of the cues of some kinds, in a list of words.

    A search tries those alone that begin as the word does.
    """
    rests: defaultdict[str, list[str]] = defaultdict(list)
    for stem in sorted({stem for kind in kinds for stem in lexicon_of(kind, languages).stems}):
        rests[stem[0]].append(re.escape(stem[1:]))
    stems = "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in rests.items())
    return re.compile(rf"\n((?:{stems})[^\n]*)" if stems else "(?!)")


def _by_longest_word(phrases: Iterable[Phrase]) -> Mapping[str, Sequence[Phrase]]:
    """Phrases by the word that the fewest texts hold."""
    found: defaultdict[str, list[Phrase]] = defaultdict(list)
    for phrase in phrases:
        found[max(phrase.words, key=lambda word: (len(word), word))].append(phrase)
    return found
