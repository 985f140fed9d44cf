"""Whether a word stands in a text as a word of its own.

`JIRA-12` does not stand in "JIRA-123", nor 4329 in "54329"; `src/app.ts` does
stand in "a/src/app.ts:12". Letters of scripts that set no spaces are no part of
a word beside them.
"""

import re

_PART = re.compile("[0-9A-Za-z_\u00c0-\u024f\u0370-\u052f]")


def occurs(text: str, word: str) -> bool:
    """True where the text holds the word between edges."""
    return find_word(text, word) >= 0


def find_word(text: str, word: str, start: int = 0) -> int:
    """Where the word stands next between edges; -1 where it does not."""
    if not word:
        return -1
    at = text.find(word, start)
    while at >= 0:
        if _is_edge(text, at, word[0], -1) and _is_edge(text, at + len(word), word[-1], 0):
            return at
        at = text.find(word, at + 1)
    return -1


def squeezed(text: str) -> str:
    """The text with every run of white space as one space, to compare sentences by."""
    return " ".join(text.split())


def _is_edge(text: str, at: int, inner: str, offset: int) -> bool:
    if not _PART.match(inner):
        return True
    beside = at + offset
    return not 0 <= beside < len(text) or not _PART.match(text[beside])
