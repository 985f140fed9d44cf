"""Lines of bytes written out, as keys, signatures and dumps are: nobody reads them one by one."""

import re
from itertools import groupby

from flowctx.reducers.case import Case, remembered

_ENCODED = re.compile(
    r"\s*(?:(?:0x)?[0-9A-Fa-f]{2}[:, ]+){7,}(?:0x)?(?:[0-9A-Fa-f]{2})?\s*"
    r"|\s*[0-9A-Fa-f]{40,}\s*|\s*[A-Za-z0-9+/]{60,}={0,2}\s*"
)
_MIN_CHARS, _MAX_CHARS = 20, 400
# A line alone may be a serial number or a fingerprint.
_MIN_LINES = 3


def is_encoded(line: str) -> bool:
    """True for a line of bytes in hexadecimal or base64."""
    return _MIN_CHARS <= len(line) <= _MAX_CHARS and _ENCODED.fullmatch(line) is not None


@remembered
def encoded_lines(case: Case) -> frozenset[int]:
    """Lines of blocks of bytes."""
    if not any(map(is_encoded, case.sample)):
        return frozenset()
    lines = case.document.lines
    blocks = groupby(range(len(lines)), key=lambda at: is_encoded(lines[at]))
    found = (list(block) for encoded, block in blocks if encoded)
    return frozenset(at for block in found if len(block) >= _MIN_LINES for at in block)
