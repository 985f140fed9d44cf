"""Values that a few rows of a column have: no oddities, but worth seeing where there is room."""

import math
from collections import Counter
from collections.abc import Sequence

from flowctx.reducers.values import ABSENT

# At most this share of the rows has such a value, all such values together twice as many.
_SHARE, _TOGETHER = 0.07, 2
_MIN_ROWS = 20
# Of more different values those alone count that say nothing: blanks.
_MAX_VALUES = 12
_BLANKS = ("", "-", "null", "NULL", "None", ABSENT)
# Further rows with the same value tell less.
_FADING = 0.1


def seldom(values: Sequence[str], counts: Counter[str]) -> dict[int, float]:
    """Rows with a value that few have, and how far they stand out by it, in bits."""
    total = len(values)
    if total < _MIN_ROWS:
        return {}
    among = counts if len(counts) <= _MAX_VALUES else _BLANKS
    few = {value for value in among if 0 < counts[value] <= _SHARE * total}
    if not few or sum(counts[value] for value in few) > _TOGETHER * _SHARE * total:
        return {}
    seen: Counter[str] = Counter()
    rows: dict[int, float] = {}
    for row, value in enumerate(values):
        if value in few:
            rows[row] = math.log2(total / counts[value]) - _FADING * seen[value]
            seen[value] += 1
    return rows
