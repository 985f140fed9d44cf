"""The words by which cards are found, in one form whatever language they come from."""

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from flowctx.cjk import is_spaceless, spaced
from flowctx.dag.wording.lexicon import LANGUAGES, lexicon

_WORD = re.compile(r"[^\W_]+")
_MARKS = re.compile("[\u0300-\u036f]")
# English endings, longest first; enough that "deploys", "deployed" and "deploying" meet.
_ENDING = re.compile(r"(?:ing|ed|es|s)\Z")
_LEAST_STEM = 3
# Longer runs of letters and digits are hashes and encoded data; their head finds them.
_WORD_MAX_CHARS = 40
# A question that has so many rare words answered is answered.
_ENOUGH_WORDS = 5


def terms_of(text: str, limit: int = 10_000) -> list[str]:
    """The terms of a text in order, up to `limit`; equal words give equal terms."""
    plain = _MARKS.sub("", unicodedata.normalize("NFKD", text)) if not text.isascii() else text
    # Hangul falls apart in NFKD and must be put together again to be paired.
    found = _WORD.findall(spaced(unicodedata.normalize("NFKC", plain)).casefold())
    return [_stem(word[:_WORD_MAX_CHARS]) for word in found[:limit]]


def asked_terms(text: str, limit: int) -> list[str]:
    """The terms of a question that say what it is about, each once, up to `limit`."""
    stops = _stop_terms()
    return list(
        dict.fromkeys(term for term in terms_of(text) if term not in stops and _says_much(term))
    )[:limit]


def rarity(term: str, counts: Mapping[str, int], cards: int) -> float:
    """How much a term tells: its inverse document frequency, always above 0."""
    return math.log(1 + (cards + 1) / (counts.get(term, 0) + 1))


@dataclass(frozen=True, slots=True)
class Question:
    """The terms of a question, weighed by how much each tells.

    Attributes:
        weights: rarity by term.
        whole: weight that answers it in full; a long question is answered by a few rare terms.
    """

    weights: Mapping[str, float]
    whole: float

    @classmethod
    def of(cls, asked: Iterable[str], counts: Mapping[str, int], cards: int) -> "Question":
        """Weigh some terms by how many of the cards hold each."""
        weights = {term: rarity(term, counts, cards) for term in asked}
        return cls(weights, min(sum(weights.values()), _ENOUGH_WORDS * rarity("", {}, cards)))

    def answered_by(self, terms: str) -> float:
        """How much of the question a card answers that holds such terms, 0 to 1."""
        if not self.whole:
            return 0.0
        held = self.weights.keys() & frozenset(terms.split())
        return min(sum(self.weights[term] for term in held) / self.whole, 1.0)


@cache
def _stop_terms() -> frozenset[str]:
    words = " ".join(word for code in LANGUAGES for word in lexicon(code).stop_words)
    return frozenset(terms_of(words))


def _stem(word: str) -> str:
    if not word.isascii() or not word.isalpha():
        return word
    stem = _ENDING.sub("", word)
    return stem if len(stem) >= _LEAST_STEM else word


def _says_much(term: str) -> bool:
    # The last character of an unspaced run stands alone beside its pairs.
    return len(term) > 1 or (not term.isascii() and not is_spaceless(term)) or term.isdigit()
