"""Numbers of a column far from the others: too large, too small, of another sign, or nothing."""

import math
from collections import Counter
from collections.abc import Sequence

from flowctx.reducers.numerals import where_none

_MIN_ROWS = 5
# Distance from the median, in robust standard deviations, of an outlier.
_OUTLIER_Z = 6.0
# Makes the median absolute deviation comparable to a standard deviation (1 / Φ⁻¹(3/4)).
_MAD_SCALE = 1.4826
_MAX_OUTLIERS = 6
# A sign that at most this share of the numbers have sets them apart.
_SIGN_SHARE = 0.01
# The part of the usual that all others have at least, so that none of it is odd.
_GOOD_DEAL = 0.25


def outliers(numbers: Sequence[float | None], finest: float) -> dict[int, float]:
    """Rows far from the middle one, in bits; nothing is nearer than the finest difference told."""
    known = sorted(number for number in numbers if number is not None)
    if len(known) < _MIN_ROWS:
        return {}
    middle = known[len(known) // 2]
    spread = sorted(abs(number - middle) for number in known)[len(known) // 2] * _MAD_SCALE
    # Where most are equal, a hundredth of the value is taken as its noise.
    spread = max(spread, abs(middle) * 0.01, finest)
    far = [
        (abs(number - middle) / spread, row)
        for row, number in enumerate(numbers)
        if number is not None and abs(number - middle) > _OUTLIER_Z * spread
    ]
    odd = dict.fromkeys(where_none(numbers), 0.8 * math.log2(len(numbers)))
    odd |= _odd_signs(numbers) | _lone_zeros(numbers, middle)
    most = max(_MAX_OUTLIERS, len(known) // 20)
    if len(far) > most:
        far = [pair for pair in far if pair[0] > 10 * _OUTLIER_Z]
    if len(far) > most:
        # What many have is another usual value, however far it lies.
        held = Counter(numbers[row] for _, row in far)
        far = [pair for pair in far if held[numbers[pair[1]]] <= most]
    far.sort(key=lambda pair: (-pair[0], pair[1]))
    return odd | {row: 2 + math.log2(distance) for distance, row in far[:_MAX_OUTLIERS]}


def _lone_zeros(numbers: Sequence[float | None], middle: float) -> dict[int, float]:
    """Rows with nothing of what all others have a good deal of."""
    zeros = [row for row, number in enumerate(numbers) if number == 0]
    if not zeros or len(zeros) > max(1, len(numbers) * _SIGN_SHARE):
        return {}
    least = min((number for number in numbers if number), default=0.0)
    return dict.fromkeys(zeros, math.log2(len(numbers))) if least >= middle * _GOOD_DEAL else {}


def _odd_signs(numbers: Sequence[float | None]) -> dict[int, float]:
    """Rows with the one negative number among many that are not, or the other way round."""
    if min(number or 0.0 for number in numbers) >= 0.0:
        return {}
    below = [row for row, number in enumerate(numbers) if number is not None and number < 0]
    above = [row for row, number in enumerate(numbers) if number is not None and number > 0]
    few = min(below, above, key=len)
    if len(few) > max(1, len(numbers) * _SIGN_SHARE) or len(below) + len(above) < 2 * _MIN_ROWS:
        return {}
    return dict.fromkeys(few, math.log2(len(numbers)))
