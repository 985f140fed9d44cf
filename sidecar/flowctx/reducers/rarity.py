"""How unusual the words of a line are among the lines beside it."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain

from flowctx.reducers.lexicon import UNSPACED
from flowctx.reducers.shapes import mask_text

_WORD = re.compile(r"[^\W\d_]{2,}")
# Parts of identifiers count on their own: isAdmin is "is" and "Admin".
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
# Letters and line ends stay, whatever else there is sets words apart.
_LETTERS = bytes(
    code if code < 128 and (chr(code).isalpha() or chr(code) == "\n") else ord(" ")
    for code in range(256)
)
_TOP = 3


def word_rarity(lines: Sequence[str]) -> list[float]:
    """Mean rarity of each line's rarest words, in bits; 0 for lines without words."""
    words = words_of_each(lines)
    held = Counter(chain.from_iterable(words))
    letters = [word for word in held if len(word) == 1]
    for letter in letters:
        del held[letter]
    parts = {word: _parts(word) for word in held if not (word.islower() and word.isascii())}
    seen = {word: count for word, count in held.items() if word not in parts}
    for word, found in parts.items():
        count = held[word]
        for part in found:
            seen[part] = seen.get(part, 0) + count
    total = max(len(lines), 1)
    by_count = {count: math.log2(total / min(count, total)) for count in set(seen.values())}
    rarity = {part: by_count[count] for part, count in seen.items()}
    rarity |= {
        word: max([rarity[part] for part in found], default=0.0) for word, found in parts.items()
    }
    rarity |= dict.fromkeys(letters, 0.0)
    bits = rarity.__getitem__
    return [sum(sorted(map(bits, each))[-_TOP:]) / _TOP for each in words]


def word_novelty(found: Sequence[frozenset[str]]) -> list[float]:
    """Mean rarity of all words of each line, from 0 for words of every line to 1 for new ones."""
    apart = frozenset(
        word
        for word in set().union(*found)
        if len(word) < 2 or not (word.islower() and word.isascii())
    )
    parts = {word: frozenset(_parts(word) if len(word) > 1 else ()) for word in apart}
    words = [(each - apart).union(*map(parts.__getitem__, each & apart)) for each in found]
    seen = Counter(chain.from_iterable(words))
    total = max(len(found), 2)
    by_count = {count: 1 - math.log(count) / math.log(total) for count in set(seen.values())}
    bits = {part: by_count[count] for part, count in seen.items()}
    return [
        sum(map(bits.__getitem__, each)) / len(each) if len(each) >= _TOP else 0.0 for each in words
    ]


def shape_rarity(lines: Sequence[str]) -> list[float]:
    """How rare the build of each line is, in bits: one of its kind among many alike."""
    shapes = mask_text("\n".join(lines)).split("\n")
    counts = Counter(shapes)
    return [math.log2(len(shapes) / counts[shape]) for shape in shapes] if lines else []


def excess(scores: Sequence[float]) -> list[float]:
    """Scores over their median, never below 0."""
    if not scores:
        return []
    usual = sorted(scores)[len(scores) // 2]
    return [score - usual if score > usual else 0.0 for score in scores]


def words_of_each(lines: Sequence[str]) -> list[frozenset[str]]:
    """The words of each line; with single letters where that is faster.

    Text without spaces counts by its runs.
    """
    text = "\n".join(lines)
    spaced = text.encode("ascii", "replace").translate(_LETTERS).decode().split("\n")
    if len(spaced) != len(lines):
        return [frozenset(_WORD.findall(line)) for line in lines]
    return [
        frozenset(plain.split() if line.isascii() else _WORD.findall(line))
        for plain, line in zip(spaced, lines, strict=True)
    ]


def _parts(word: str) -> Sequence[str]:
    """Parts of a word that count on their own; text without spaces by pairs of characters."""
    if not word.isascii() and UNSPACED.search(word):
        return [word[at : at + 2] for at in range(len(word) - 1)]
    if not word.isascii() or word[1:].islower() or word.isupper():
        return (word.lower(),)
    return _CAMEL.sub(" ", word).lower().split(" ")
