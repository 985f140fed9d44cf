"""The language of a conversation, by script and stop words.

Every message has a vote, weighed by its words up to a limit, so that one pasted
text does not outvote the talk around it; the user's weigh double. Tool output
has none.
"""

import re
from collections import Counter
from collections.abc import Iterable

from flowctx.dag.source.source import SourceTurn, lines_of
from flowctx.dag.wording.lexicon import DEFAULT_LANGUAGE, LANGUAGES, lexicon
from flowctx.dag.wording.prose import own_words

_SEEN_CHARS = 2000
_VOTE_MAX_WORDS = 60
_USER_WEIGHT = 2
# Unspaced scripts: so many characters are about one word.
_CHARS_PER_WORD = 2
# Latin prose of a language is at least this dense in its stop words.
_STOP_SHARE = 0.12
_MIN_WORDS = 3
# In plain ASCII one stop word may be a name or a command: "du", "la", "pour".
_MIN_DISTINCT = 2

_INLINE_CODE = re.compile(r"`[^`\n]{0,200}`")
# Runs of ASCII without spaces, and all else: a path may stand in unspaced prose.
_RUN = re.compile(r"[!-~]+|[^!-~]+")
_CODE = re.compile(r"[/\\_@=<>{}$]|\w\.\w{1,5}\Z|--?\w")
_KANA = re.compile("[\u3040-\u30ff]")
_HAN = re.compile("[\u3400-\u9fff]")
_HANGUL = re.compile("[\uac00-\ud7af]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
# Scripts that one language mostly writes; of these there is no word list.
_SCRIPTS = (
    ("uk", re.compile("[\u0456\u0457\u0454\u0491]")),
    ("ru", re.compile("[\u0400-\u052f]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
)


def conversation_language(turns: Iterable[SourceTurn]) -> str:
    """ISO 639-1 code of the language user and assistant speak; English when there is no telling."""
    votes: Counter[str] = Counter()
    undecided: list[str] = []
    for line in lines_of(turns):
        if line.role in ("user", "assistant"):
            code, words = _vote(line.text, _MIN_DISTINCT)
            weight = _USER_WEIGHT if line.role == "user" else 1
            if code:
                votes[code] += min(words, _VOTE_MAX_WORDS) * weight
            elif line.role == "user":
                undecided.append(line.text[:_SEEN_CHARS])
    if votes:
        return max(votes, key=lambda code: (votes[code], code))
    # Short orders say more together.
    return _vote("\n".join(undecided), _MIN_DISTINCT)[0] or DEFAULT_LANGUAGE


def text_language(text: str) -> str:
    """ISO 639-1 code of the likely language of a text; empty when there is no telling."""
    return _vote(text, 1)[0]


def _vote(text: str, distinct: int) -> tuple[str, int]:
    """Language of a text, and how many words speak for it.

    Of plain ASCII, so many different stop words are wanted, unless they are English.

    People write before or after what they paste: a first or last line in a script
    of its own outweighs any Latin text between.
    """
    prose = own_words(text)
    if not prose.isascii():
        lines = prose.strip().split("\n")
        for part in dict.fromkeys((lines[0], lines[-1], prose[:_SEEN_CHARS])):
            plain = _without_code(part[:_SEEN_CHARS])
            code, count = _by_script(plain)
            if code and count >= max(len(_latin_words(plain)) / 2, 1):
                return code, count
    words = _latin_words(_without_code(prose[:_SEEN_CHARS]))
    return _by_stop_words(words, distinct), len(words)


def _without_code(text: str) -> str:
    runs = _RUN.findall(_INLINE_CODE.sub(" ", text) if "`" in text else text)
    return "".join(" " if not run.isalpha() and _CODE.search(run) else run for run in runs)


def _latin_words(text: str) -> list[str]:
    words = _WORD.findall(text.lower())
    return words if text.isascii() else [word for word in words if word[0] < "\u0250"]


def _by_script(prose: str) -> tuple[str, int]:
    if prose.isascii():
        return "", 0
    kana, han = len(_KANA.findall(prose)), len(_HAN.findall(prose))
    hangul = len(_HANGUL.findall(prose))
    if hangul > kana + han:
        return "ko", hangul // _CHARS_PER_WORD
    if kana + han:
        # Japanese prose is never without kana for long.
        code = "ja" if kana * 10 > han else "zh"
        return code, (kana + han + 1) // _CHARS_PER_WORD
    for code, letters in _SCRIPTS:
        if letters.search(prose):
            return code, len(_WORD.findall(prose))
    return "", 0


def _by_stop_words(words: list[str], distinct: int) -> str:
    if len(words) < _MIN_WORDS:
        return ""
    hits = {
        code: [word for word in words if word in lexicon(code).stop_words]
        for code in LANGUAGES
        if lexicon(code).stop_words
    }
    best = max(hits, key=lambda code: (len(hits[code]), code == DEFAULT_LANGUAGE))
    is_sure = (
        best == DEFAULT_LANGUAGE or len(set(hits[best])) >= distinct or not "".join(words).isascii()
    )
    return best if is_sure and len(hits[best]) >= max(1, len(words) * _STOP_SHARE) else ""
