"""Lines of keys and values that are no settings: steps, talks, what became of many things."""

import re
from collections import Counter
from collections.abc import Sequence

from flowctx.reducers.indentation import Row

# Names of settings are mostly one word.
_PROSE_SHARE = 0.5
_SPOKEN_WORDS, _SPEAKER_SHARE = 5, 0.2
# Outcomes are few, and no values of settings.
_PROGRESS_SHARE, _OUTCOMES_SHARE = 0.8, 0.2
_PLAIN_VALUE = re.compile(
    r"(?i:true|false|yes|no|on|off|null|none|~)|[\d.,:\"'\[\]{}-]*\w{0,2}|[{\[(|>].*"
)
_DIGITS = re.compile(r"\d+")


def reads_like_prose(rows: Sequence[Row]) -> bool:
    """True where what stands before colons is mostly words and not names: "Step 3: …"."""
    keys = [row.key for row in rows if row.key]
    if sum(1 for key in keys if " " in key) >= _PROSE_SHARE * len(keys):
        return True
    # Who speaks, and what they say: a few names many times.
    spoken = sum(1 for row in rows if row.key and len(row.value.split()) >= _SPOKEN_WORDS)
    return len(set(keys)) <= _SPEAKER_SHARE * len(keys) and spoken >= _PROSE_SHARE * len(keys)


def tells_progress(rows: Sequence[Row]) -> bool:
    """True where a program says of many things how each came out: "layer.tar: Pull complete"."""
    keyed = [row for row in rows if row.key]
    values = Counter(_DIGITS.sub("0", row.value) for row in keyed if row.depth == 0)
    said = sum(n for value, n in values.items() if value and not _PLAIN_VALUE.fullmatch(value))
    return said >= _PROGRESS_SHARE * len(rows) and len(values) <= _OUTCOMES_SHARE * len(rows)
