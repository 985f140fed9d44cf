"""Marking identifiers of a note that stand nowhere in its source."""

import re
from collections.abc import Iterator
from functools import cache

from flowctx.dag.facts.identifiers import Identifier, identifiers_in_prose
from flowctx.dag.facts.occurrence import find_word, occurs
from flowctx.dag.wording.lexicon import labels_of

# Words a writer may use without having read them: names of things, sizes in passing.
_FREE_KINDS = frozenset({"quantity", "symbol", "flag"})
_CODE = re.compile(r"`([^`\n]{2,200})`")
_PLAINLY_CODE = re.compile(r"\(\)\Z|_|::|\w\.\w")
# A hash may be cited by its first characters.
_PREFIX_KINDS = frozenset({"hash", "uuid"})


def flag_unknown(text: str, source: str, mark: str) -> tuple[str, tuple[str, ...]]:
    """Set the mark behind every identifier of the text that the source does not hold.

    Returns:
        The text with marks, and the marked words.
    """
    unknown = tuple(dict.fromkeys(_unknown(text, source)))
    # A word inside another one must not be marked within it.
    for word in sorted(unknown, key=len, reverse=True):
        text = _mark_all(text, word, f" {mark}")
    return text, unknown


def _unknown(text: str, source: str) -> Iterator[str]:
    quoted = frozenset(_CODE.findall(text))
    for identifier in identifiers_in_prose(text):
        word = identifier.text
        if _is_free(identifier, quoted):
            continue
        known = word in source if identifier.kind in _PREFIX_KINDS else occurs(source, word)
        if not known and not occurs(source, word.removesuffix("()")):
            yield word


def _is_free(identifier: Identifier, quoted: frozenset[str]) -> bool:
    if identifier.kind == "symbol" and _PLAINLY_CODE.search(identifier.text):
        return False
    return identifier.kind in _FREE_KINDS and identifier.text not in quoted


def _mark_all(text: str, word: str, mark: str) -> str:
    parts: list[str] = []
    at = 0
    while (found := find_word(text, word, at)) >= 0:
        end = found + len(word)
        # Outside of quotes, so that the quoted word stays what it is.
        end += 1 if text[end : end + 1] == "`" else 0
        parts.append(text[at:end])
        parts.append("" if text.startswith(mark, end) else mark)
        at = end
    return "".join([*parts, text[at:]])


def without_flagged(note: str) -> str:
    """A note without the words marked in it: standing there made them no better known."""
    return _flagged_words().sub(" ", note)


@cache
def _flagged_words() -> re.Pattern[str]:
    marks = "|".join(re.escape(mark) for mark in sorted(labels_of("unknown")))
    return re.compile(rf"`?[^\s`]+`? (?:{marks})")
