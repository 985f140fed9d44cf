"""Which languages a text is written in, told by its small words and its scripts."""

import re
from collections import Counter
from functools import cache, lru_cache

from flowctx.reducers.rules import read_rules, read_words

# What is looked at of a text: so many parts of so many characters.
_PARTS, _PART_CHARS = 3, 3000
# A language has so many of the small words that the one with the most has.
_MIN_SHARE = 0.45
# So many of all words are small ones where a language is known; they are one in three at least.
_MIN_SMALL = 0.08
_WORD = re.compile(r"[^\W\d_]+")
_HAN, _KANA, _HANGUL = "[\u3400-\u9fff]", "[\u3040-\u30ff]", "[\uac00-\ud7af]"
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MIN_UNSPACED, _MIN_SCRIPT = 0.1, 0.05
# What belongs to every language.
_ANY = "und"


def languages_of(text: str) -> frozenset[str]:
    """Languages of a text in lower case (BCP 47); empty where none is known."""
    step = max(len(text) // _PARTS, _PART_CHARS)
    return _languages("\n".join(text[at : at + _PART_CHARS] for at in range(0, len(text), step)))


@lru_cache(maxsize=64)
def _languages(sample: str) -> frozenset[str]:
    unspaced = [] if sample.isascii() else _UNSPACED.findall(sample)
    written = _scripts("".join(unspaced)) if len(unspaced) > _MIN_UNSPACED * len(sample) else set()
    words = Counter(_WORD.findall(sample))
    held = {
        language: sum(words[word] for word in small) for language, small in _small_words().items()
    }
    most = max(held.values())
    if most >= _MIN_SMALL * words.total():
        written |= {each for each, count in held.items() if count >= _MIN_SHARE * most}
    return frozenset(written | {_ANY} if written else ())


def _scripts(unspaced: str) -> set[str]:
    """Languages without spaces: Japanese has syllables of its own among what Chinese has."""
    least = _MIN_SCRIPT * len(unspaced)
    found = {"ko"} if len(re.findall(_HANGUL, unspaced)) > least else set()
    if len(re.findall(_KANA, unspaced)) > least:
        return found | {"ja"}
    return found | {"zh"} if len(re.findall(_HAN, unspaced)) > least else found


@cache
def _small_words() -> dict[str, tuple[str, ...]]:
    """Small words by language; of one Latin letter none, as such are names in code."""
    found: dict[str, tuple[str, ...]] = {}
    for rule in read_rules("statements", "language"):
        listed = read_words("statements", rule, "small")
        found[rule["id"]] = tuple(word for word in listed if len(word) > 1 or not word.isascii())
    return {language: words for language, words in found.items() if words}
