"""Telling running text, sentences in lines, from other lines of words."""

import re

from flowctx.reducers.case import Case, remembered
from flowctx.reducers.lexicon import UNSPACED

_SENTENCE_END = re.compile(r"[.!?…](?=[\s\"”’»)]|\Z)|[。！？]")
# Lines that a sentence may end in, or what introduces a list.
_CLOSED = re.compile(r"[.!?…:;][\"”’»)]*\s*\Z|[。！？：][”’」』）]*\s*\Z")
_NOT_PROSE = re.compile(r"[{}<>=|\\;$^~`]|\*\s|->")
# Names from programs, which documentation sets apart.
_CODE = re.compile(r"`[^`\n]{1,120}`")
_LETTERS = re.compile(r"[^\W\d_]")
_NO_LETTERS = bytes(code for code in range(256) if not chr(code).isalpha() or code > 127)
_MIN_WORDS = 7
_MIN_UNSPACED = 16
_MIN_LETTER_SHARE = 0.68
_MIN_SHARE = 0.55
# Sentences are this many characters long at most, taken over the whole text.
_MAX_SENTENCE_CHARS = 600
# So many symbols stand in prose; more do in that of manuals, whose lines are paragraphs.
_MAX_SYMBOL_SHARE, _MAX_MANUAL_SHARE = 0.006, 0.04
_CLOSED_SHARE = 0.5
# Signs that a mail sets before what it quotes.
_QUOTING = re.compile(r"\A\s*(?:>\s?)+")
# A line of which only the beginning is at hand.
_LONG = 500


@remembered
def running_lines(case: Case) -> list[str]:
    """The sampled lines that are words, as in sentences; without signs of quoting."""
    return [line for line in _unquoted(case) if is_running(line)]


@remembered
def _unquoted(case: Case) -> list[str]:
    return [_QUOTING.sub("", line, count=1) if ">" in line else line for line in case.sample]


@remembered
def is_running_text(case: Case) -> bool:
    """True for sentences in 70 % of the text, with few signs of anything else."""
    lines = _unquoted(case)
    chars = sum(map(len, lines))
    running = running_lines(case)
    held = sum(map(len, running))
    if held < _MIN_SHARE * chars:
        return False
    sample = _CODE.sub("x", "\n".join(lines))
    symbols = len(_NOT_PROSE.findall(sample))
    ends = len(_SENTENCE_END.findall(sample))
    if ends * _MAX_SENTENCE_CHARS < chars:
        return False
    if symbols <= _MAX_SYMBOL_SHARE * chars:
        return True
    closed = sum(len(line) for line in running if len(line) >= _LONG or _CLOSED.search(line))
    return symbols <= _MAX_MANUAL_SHARE * chars and closed >= _CLOSED_SHARE * held


def is_running(line: str) -> bool:
    """True for a line of words, as in a sentence."""
    if not line.isascii() and UNSPACED.search(line):
        return len(UNSPACED.findall(line)) >= min(_MIN_UNSPACED, 0.6 * len(line.strip()))
    if len(line.split()) < _MIN_WORDS:
        return False
    return _letters_in(line) >= _MIN_LETTER_SHARE * len(line.strip())


def count_words(text: str) -> int:
    """Words of a text; in scripts that set no spaces, two characters are one."""
    spaced = len(text.split())
    return spaced if text.isascii() else spaced + len(UNSPACED.findall(text)) // 2


def _letters_in(line: str) -> int:
    if not line.isascii():
        return len(_LETTERS.findall(line))
    return len(line.encode().translate(None, _NO_LETTERS))
