"""How odd each of very many lines is, told by a few passes over all of them."""

import math
import string
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

from flowctx.reducers.sampling import spread
from flowctx.reducers.shapes import mask_text

# A word of this many occurrences or fewer sets its lines apart.
_RARE_WORD = 12
_EXTREMES = 60
# The part of what is looked at that is a sample of all.
_SAMPLE_SHARE = 0.4
# Letters and what no ASCII program prints are words; digits keep how many they are.
_LETTERS = string.ascii_letters.encode() + bytes(range(128, 256))
_WORDS = bytes(code if code in _LETTERS or code == ord("\n") else ord(" ") for code in range(256))
_SIZES = bytes(ord("0") if code in string.digits.encode() else code for code in range(256))


def oddity(lines: Sequence[str]) -> list[float]:
    """How rare each line is by its shape, the sizes of its numbers and its words, in bits."""
    total, counts = len(lines), Counter(lines)
    text = "\n".join(counts)
    raw = text.encode("utf-8", "surrogatepass")
    bits = [0.0] * len(counts)
    both: tuple[Sequence[Hashable], ...] = (mask_text(text).split("\n"), _mask_sizes(raw))
    for shapes in both:
        held: Counter[Hashable] = Counter()
        for shape, count in zip(shapes, counts.values(), strict=True):
            held[shape] += count
        rare = {shape: math.log2(total / count) for shape, count in held.items()}
        bits = [one + rare[shape] for one, shape in zip(bits, shapes, strict=True)]
    for line, count in _rare_words(raw, list(counts.values())):
        bits[line] = max(bits[line], math.log2(total / count))
    return list(map(dict(zip(counts, bits, strict=True)).__getitem__, lines))


def _mask_sizes(raw: bytes) -> list[bytes]:
    """Each line as a shape of signs and digits, that keeps how many digits its numbers have."""
    return raw.translate(_SIZES, _LETTERS).split(b"\n")


def _rare_words(raw: bytes, times: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Lines that hold a word of few occurrences, and how many those are.

    Args:
        raw: distinct lines.
        times: how often each of them stands in the text.
    """
    spelled = raw.translate(_WORDS)
    rare = {word for word, count in Counter(spelled.split()).items() if count <= _RARE_WORD}
    if not rare:
        return
    words = [(at, line.split()) for at, line in enumerate(spelled.split(b"\n"))]
    found = [(at, rare.intersection(held)) for at, held in words if not rare.isdisjoint(held)]
    lines: Counter[bytes] = Counter()
    for at, held in found:
        for word in held:
            lines[word] += times[at]
    for at, held in found:
        yield from ((at, lines[word]) for word in held if lines[word] <= _RARE_WORD)


def looked_at(lines: Sequence[str], count: int) -> list[int]:
    """Indexes of the lines to look at where there are very many: the odd ones and a sample."""
    return farthest(lines, count) or oddest(lines, count, _SAMPLE_SHARE)


def oddest(lines: Sequence[str], count: int, sampled: float) -> list[int]:
    """Indexes of some lines in order: the first and the last, a sample, and the oddest.

    Args:
        lines: the lines.
        count: how many are wanted.
        sampled: the part of them that is a sample of all.
    """
    odd = oddity(lines)
    sample = spread(len(lines), int(count * sampled))
    order = sorted(range(len(lines)), key=odd.__getitem__, reverse=True)
    wanted = dict.fromkeys([0, len(lines) - 1, *sample, *order[:count]])
    return sorted(list(wanted)[:count])


def farthest(lines: Sequence[str], count: int) -> list[int]:
    """The same for lines that are numbers: the smallest and the largest; none for other lines."""
    try:
        numbers = list(map(float, lines))
    except ValueError:
        return []
    ordered = sorted(numbers)
    low, high = ordered[min(_EXTREMES, len(ordered) - 1)], ordered[-min(_EXTREMES, len(ordered))]
    below = [at for at, number in enumerate(numbers) if number < low]
    above = [at for at, number in enumerate(numbers) if number > high]
    ends = [
        0,
        len(lines) - 1,
        *below,
        *above,
        numbers.index(ordered[0]),
        numbers.index(ordered[-1]),
    ]
    return sorted({*spread(len(lines), count - len(ends)), *ends})
