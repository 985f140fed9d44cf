"""Token estimate by class of code point: the contract behind every threshold.

ASCII and all letters that are not named below count 0.25 tokens a code point,
Chinese, Japanese and Korean ones 1.5, and everything beyond U+FFFF 2. The sum
is rounded up to whole tokens.
"""

import re
from collections.abc import Iterable

# Weights in quarters of a token, so that sums stay whole numbers.
_OTHER, _CJK, _ASTRAL = 1, 6, 8

# High bytes of the UTF-16 code units that are CJK: U+3000-30FF, U+3400-9FFF,
# U+AC00-D7AF, U+FF00-FFEF. The pages D7 and FF are CJK only in part.
_CJK_PAGES = bytes([0x30, *range(0x34, 0xA0), *range(0xAC, 0xD8), 0xFF])
_NOT_CJK_PAGES = bytes(page for page in range(256) if page not in _CJK_PAGES)
_MISCOUNTED = re.compile("[\ud7b0-\ud7ff\ufff0-\uffff]")
# Half a pair counts as any other letter does, and no codec takes it.
_SURROGATE = re.compile("[\ud800-\udfff]")


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text; 0 for the empty one.

    Runs on whole buffers instead of code points: counting the high bytes of
    UTF-16 keeps scripts other than ASCII above 150 MB/s.
    """
    return (_quarters(text) + 3) // 4


def estimate_total(texts: Iterable[str]) -> int:
    """Estimate the tokens of several texts that are sent one after the other."""
    return (sum(map(_quarters, texts)) + 3) // 4


def _quarters(text: str) -> int:
    if text.isascii():
        return len(text)
    try:
        units = text.encode("utf-16-be")
    except UnicodeEncodeError:
        return _quarters(_SURROGATE.sub("\ufffd", text))
    astral = len(units) // 2 - len(text)
    pages = units[::2]
    cjk = len(pages.translate(None, _NOT_CJK_PAGES))
    if cjk and (0xD7 in pages or 0xFF in pages):
        cjk -= len(_MISCOUNTED.findall(text))
    other = len(text) - cjk - astral
    return other * _OTHER + cjk * _CJK + astral * _ASTRAL
