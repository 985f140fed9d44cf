"""Hints in rule tables: strings that every text of a kind holds, found before patterns run."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from flowctx.reducers.cues import Words
from flowctx.reducers.rules import read_words
from flowctx.rule_tables import Table

_ENDED_WORD = re.compile(r"[A-Za-z]+(?=[^A-Za-z])")
_OPEN_WORD = re.compile(r"(?<![A-Za-z])[A-Za-z]+\Z")


class Hint(NamedTuple):
    """A string that a rule names.

    Attributes:
        text: the string.
        words: the words in it that end in it; a text without them does not hold it.
        begun: the word that may go on behind it, with the line end before it in a list of words.
    """

    text: str
    words: frozenset[str]
    begun: str

    def is_possible(self, words: Words) -> bool:
        """False where the words of a text tell that it does not hold the string."""
        return self.words <= words.vocabulary and self.begun in words.listed


class HintIndex:
    """The hints of several rules, by a word without which a text has them not."""

    def __init__(self, rules: Iterable[Sequence[Hint]]) -> None:
        """Index the hints of rules, which are known by their places from here on."""
        self._by_word: defaultdict[str, list[tuple[int, Hint]]] = defaultdict(list)
        for place, hints in enumerate(rules):
            for hint in hints:
                self._by_word[max(hint.words, key=len, default="")].append((place, hint))

    def possible(self, words: Words) -> dict[int, list[str]]:
        """The hints that a text may hold, by the place of their rule."""
        found: dict[int, list[str]] = {}
        for word in ("", *(words.vocabulary & self._by_word.keys())):
            for place, hint in self._by_word[word]:
                if hint.is_possible(words):
                    found.setdefault(place, []).append(hint.text)
        return found


def read_hints(name: str, rule: Table) -> tuple[Hint, ...]:
    """The hints of a rule; none where it has none.

    Raises:
        RuleTableError: they are no list of words.
    """
    found = read_words(name, rule, "hints")
    return tuple(Hint(hint, frozenset(_ENDED_WORD.findall(hint)), _begun(hint)) for hint in found)


def _begun(hint: str) -> str:
    last = _OPEN_WORD.search(hint)
    return f"\n{last.group()}" if last else ""
