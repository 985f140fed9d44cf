"""Rows of messages, comments and the like: which of them say more than the others."""

import re
from collections.abc import Sequence
from itertools import accumulate

from flowctx.reducers.columns import Column
from flowctx.reducers.cues import read_vocabulary
from flowctx.reducers.sentences import Sentence, rank_sentences

_MIN_ROWS, _MAX_ROWS = 10, 1000
# Most rows have a text of their own, and it is one of so many words.
_OWN_SHARE, _MIN_WORDS, _PROBED = 0.6, 5, 20
_WORD = re.compile(r"(?<!\S)[^\W\d_]{2,}(?=[\s.,;:!?]|$)")
# What is this much over the usual rank of a sentence says something; more tells no better.
_LEAST_OVER, _MOST_OVER = 3.0, 14.0
# A string of so many spaces is a sentence, and so many of those stand alone in a document.
_STRING = re.compile(r'"[^"\\\n]{20,400}"')
_MIN_SPACES, _FEW_SAID = 4, 5


def lone_sentences(text: str) -> list[int]:
    """Where the few strings of a document begin that are sentences; none where more than a few are.

    Among values someone wrote down why: a comment in settings, a note on one of many things.
    """
    found: list[int] = []
    for string in _STRING.finditer(text):
        if string.group().count(" ") >= _MIN_SPACES:
            found.append(string.start())
            if len(found) > _FEW_SAID:
                return []
    return found


def telling_rows(columns: Sequence[Column], values: Sequence[Sequence[str]]) -> dict[int, float]:
    """Rows whose text says more than usual, and by how much; of the first column of texts."""
    for column, texts in zip(columns, values, strict=True):
        if _is_said(column, texts):
            return _rank(texts)
    return {}


def _is_said(column: Column, texts: Sequence[str]) -> bool:
    """True for a column of sentences that differ."""
    if column.kind != "text" or not _MIN_ROWS <= len(texts) <= _MAX_ROWS:
        return False
    if column.distinct < _OWN_SHARE * len(texts):
        return False
    probed = texts[:: len(texts) // _PROBED + 1]
    return sum(len(_WORD.findall(text)) for text in probed) >= _MIN_WORDS * len(probed)


def _rank(texts: Sequence[str]) -> dict[int, float]:
    flat = [" ".join(text.split()) for text in texts]
    starts = [0, *accumulate(len(text) + 1 for text in flat)]
    said = [Sentence(a, a + len(text), False) for a, text in zip(starts, flat, strict=False)]
    ranks = rank_sentences(read_vocabulary("\n".join(flat)), said)
    usual = sorted(ranks)[len(ranks) // 2]
    return {
        row: min(rank - usual, _MOST_OVER)
        for row, rank in enumerate(ranks)
        if rank - usual >= _LEAST_OVER
    }
