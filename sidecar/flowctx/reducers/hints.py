"""Hints in rule tables: strings that every text of a kind holds, found before patterns run."""

import re
from typing import NamedTuple

from flowctx.reducers.rules import read_words
from flowctx.rule_tables import Table

_ENDED_WORD = re.compile(r"[A-Za-z]+(?=[^A-Za-z])")


class Hint(NamedTuple):
    """A string that a rule names.

    Attributes:
        text: the string.
        words: the words in it that end in it; a text without them does not hold it.
    """

    text: str
    words: frozenset[str]


def read_hints(name: str, rule: Table) -> tuple[Hint, ...]:
    """The hints of a rule; none where it has none.

    Raises:
        RuleTableError: they are no list of words.
    """
    found = read_words(name, rule, "hints")
    return tuple(Hint(hint, frozenset(_ENDED_WORD.findall(hint))) for hint in found)
