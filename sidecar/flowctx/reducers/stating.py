"""What parts of a text state, by the words and phrases of its languages."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from flowctx.reducers.cue_kinds import CueKind
from flowctx.reducers.cues import Cue, Words, single_words, unspaced_cues
from flowctx.reducers.lexicon import Phrase, lexicon_of

Kinds = tuple[CueKind, ...]


def stated_in(
    words: Words, bodies: Sequence[str], kinds: Kinds, held: Sequence[frozenset[str]]
) -> Iterator[tuple[CueKind, int, str]]:
    """Kind, place and words of the cues in some parts of a text.

    Args:
        words: the text.
        bodies: its parts, in lower case.
        kinds: what to look for.
        held: the words of each part.
    """
    single: defaultdict[str, list[CueKind]] = defaultdict(list)
    for kind in kinds:
        for word in single_words(words, lexicon_of(kind, words.languages)):
            single[word].append(kind)
    phrases = _phrases(kinds, words.languages)
    telling = frozenset(single) | (words.known & phrases.keys())
    for at, each in enumerate(held):
        for word in each & telling:
            yield from ((kind, at, word) for kind in single.get(word, ()))
            for kind, phrase in phrases.get(word, ()):
                if phrase.words <= each and phrase.stands_in(_plain(bodies[at])):
                    yield kind, at, phrase.text


def unspaced_in(words: Words, kinds: Kinds) -> Iterator[Cue]:
    """Cues in scripts that set no spaces."""
    for kind in kinds:
        yield from unspaced_cues(words, lexicon_of(kind, words.languages))


def _plain(body: str) -> str:
    """A text without marks of emphasis: "do **not**" is "do not"."""
    return body.replace("*", "") if "*" in body else body


@lru_cache(maxsize=32)
def _phrases(
    kinds: Kinds, languages: frozenset[str]
) -> Mapping[str, Sequence[tuple[CueKind, Phrase]]]:
    """Phrases of some kinds by the word that the fewest parts hold."""
    found: defaultdict[str, list[tuple[CueKind, Phrase]]] = defaultdict(list)
    for kind in kinds:
        for word, phrases in lexicon_of(kind, languages).phrases.items():
            found[word] += [(kind, phrase) for phrase in phrases]
    return dict(found)
