"""Where a text says that something went wrong, or was decided, in many languages.

A cue counts only where it is said of something: "0 errors", "error: null" and
the `errors` in a path say nothing.
"""

import errno
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from flowctx.reducers.cue_kinds import OUTCOMES, STATEMENTS, CueKind
from flowctx.reducers.lexicon import UNSPACED, Lexicon, lexicon_of, stems_of
from flowctx.reducers.tongues import languages_of

_WORD = re.compile(r"[^\W\d_]+")
# Letters stay, whatever else there is sets words apart.
_LETTERS = bytes(code if code < 128 and chr(code).isalpha() else ord(" ") for code in range(256))
_ASCII = bytes(range(128))
_FAULT_ENDINGS = ("Error", "Exception", "Failure", "Fault", "Panic", "Backoff", "BackOff")
_FAULT_NAME = re.compile(rf"^(?:[A-Z][a-z]+)+(?:{'|'.join(_FAULT_ENDINGS)})$", re.MULTILINE)
_ERRNO = frozenset(errno.errorcode.values()) | {"ENOTFOUND", "ERESOLVE", "ELIFECYCLE", "EJSONPARSE"}

_NONE_WORDS = (
    *("0", "no", "zero", "without", "any", "never", "kein", "keine", "keinen", "ohne", "sans"),
    *("aucun", "aucune", "sin", "sem", "nessun", "без", "нет", "無", "无", "没", "沒", "有"),
    *("个", "個", "件", "건", "건의"),
)
_NONE_BEFORE = re.compile(
    r"(?:(?<![\w.,])(?:0|no|zero|without|any|never|keine?n?|ohne|sans|aucune?|sin|sem|nessun|без|нет)"
    r"[\s_]+|[無无没沒][有]?\s?|(?<![\d.,])0\s?(?:个|個|件|건의?)?\s?)\Z"
)
_NONE_AFTER = re.compile(
    r"(?:\(s\)|s|_count|数|數)?[\"']?\s*(?:[:=：]\s*|\s)[\"']?"
    r"(?:0(?![\w.,]*\w)|null|none|nil|false|no\b|\[\]|\{\}|\"\"|'')|\s*\(0\)",
    re.IGNORECASE,
)
_IN_PATH = re.compile(r"[\w-]*[./\\(]")
_CONTEXT_CHARS = 16


class Cue(NamedTuple):
    """A cue in a text: characters [start, end), and its kind."""

    start: int
    end: int
    kind: CueKind


def find_cues(text: str, kinds: tuple[CueKind, ...] = ("error", "trouble")) -> list[Cue]:
    """All cues of some kinds in a text, by position; denied ones are left out."""
    return cues_in(read_vocabulary(text), kinds)


def cues_in(words: "Words", kinds: tuple[CueKind, ...]) -> list[Cue]:
    """The same, in a text whose words are known."""
    for kind in kinds:
        if kind not in words.cues:
            words.cues[kind] = list(_stated(words, kind))
    return sorted(cue for kind in kinds for cue in words.cues[kind])


def _stated(words: "Words", kind: CueKind) -> Iterable[Cue]:
    """The cues of a kind; of statements, in the languages of the text, and denied ones too."""
    if kind in STATEMENTS:
        return _find_kind(words, lexicon_of(kind, words.languages))
    found = _find_kind(words, lexicon_of(kind))
    return (cue for cue in found if _is_said(words.text, cue))


def read_vocabulary(text: str) -> "Words":
    """A text with its words."""
    raw = text.encode("ascii", "replace")
    plain = text if text.isascii() else raw.decode("ascii")
    vocabulary = frozenset(raw.translate(_LETTERS).decode("ascii").split())
    is_foreign = plain is not text and _has_foreign_letters(text)
    if is_foreign:
        vocabulary |= frozenset(_WORD.findall(text))
    lowered = _lower(text) if is_foreign else plain.lower()
    listed = "\n".join(("", *vocabulary, ""))
    known_listed = listed.lower()
    known = frozenset(known_listed.split())
    is_unspaced = is_foreign and UNSPACED.search(text)
    chars = frozenset(text if is_unspaced else "")
    return Words(text, plain, lowered, vocabulary, known, listed, known_listed, chars)


def _has_foreign_letters(text: str) -> bool:
    beyond = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return any(map(str.isalpha, set(beyond.decode("utf-8", "surrogatepass"))))


def _affixed(words: "Words", lexicon: Lexicon) -> Iterator[str]:
    """Words that begin or end like a cue."""
    begun = words.statement_begun if lexicon.kind in STATEMENTS else words.begun
    yield from (word for word in begun if word.startswith(lexicon.stems))
    for ending in lexicon.endings:
        if f"{ending}\n" in words.known_listed:
            yield from (word for word in words.known if word.endswith(ending))


def plain_ascii(text: str) -> str:
    """The text with every character beyond ASCII as "?": same offsets, and faster to search."""
    return text if text.isascii() else text.encode("ascii", "replace").decode("ascii")


@dataclass(frozen=True)
class Words:
    """A text, its ASCII part, and the words in it, also in lower case and one a line.

    The characters are those of a text in a script without spaces. The cues of a kind are kept
    here when they are first asked for.
    """

    text: str
    plain: str
    lowered: str
    vocabulary: frozenset[str]
    known: frozenset[str]
    listed: str
    known_listed: str
    unspaced_chars: frozenset[str]
    cues: dict[CueKind, list[Cue]] = field(default_factory=dict, compare=False)

    @property
    def is_unspaced(self) -> bool:
        """True for a text that holds a script without spaces."""
        return bool(self.unspaced_chars)

    def respaced(self, text: str) -> "Words":
        """The words of a text that differs in line ends and signs alone, at the same offsets."""
        lowered = self.lowered if text == self.text else _lower(text)
        return replace(self, text=text, plain=plain_ascii(text), lowered=lowered)

    @cached_property
    def begun(self) -> Sequence[str]:
        """Words that begin like a cue of an outcome, of whatever kind."""
        return stems_of(OUTCOMES).findall(self.known_listed)

    @cached_property
    def statement_begun(self) -> Sequence[str]:
        """Words that begin like a statement, of whatever kind, in a language of the text."""
        return stems_of(STATEMENTS, self.languages).findall(self.known_listed)

    @cached_property
    def languages(self) -> frozenset[str]:
        """Languages the text is written in; empty where none is known."""
        return languages_of(self.lowered)


def single_words(words: Words, lexicon: Lexicon) -> frozenset[str]:
    """Words of the text, in lower case, that are cues by themselves."""
    return (words.known & lexicon.whole) | frozenset(_affixed(words, lexicon))


def unspaced_cues(words: Words, lexicon: Lexicon) -> Iterator[Cue]:
    """Cues in scripts that set no spaces."""
    for part, chars in lexicon.anywhere if words.unspaced_chars else ():
        if chars <= words.unspaced_chars:
            yield from _substrings(words.text, part, lexicon.kind)


def _find_kind(words: Words, lexicon: Lexicon) -> Iterator[Cue]:
    cued = single_words(words, lexicon)
    if lexicon.kind == "error":
        names = words.vocabulary & _ERRNO
        if any(f"{ending}\n" in words.listed for ending in _FAULT_ENDINGS):
            names |= frozenset(_FAULT_NAME.findall(words.listed))
        cued -= frozenset(map(str.lower, names))
        for name in names:
            yield from _occurrences(words, words.plain, name, lexicon.kind)
    for word in cued:
        yield from _occurrences(words, words.lowered, word, lexicon.kind)
    begun = words.known & lexicon.phrases.keys()
    for phrase in (phrase for word in begun for phrase in lexicon.phrases[word]):
        if phrase.words <= words.known:
            yield from _occurrences(
                words, words.lowered, phrase.text, lexicon.kind, is_open=phrase.is_open
            )
    yield from unspaced_cues(words, lexicon)


def _occurrences(
    words: Words, searched: str, word: str, kind: CueKind, *, is_open: bool = False
) -> Iterator[Cue]:
    """Where a word stands by itself, or as the beginning of one, in one form of the text."""
    text, start = words.text, searched.find(word)
    while start >= 0:
        end = start + len(word)
        if not (
            text[start - 1 : start].isalpha() or (text[end : end + 1].isalpha() and not is_open)
        ):
            yield Cue(start, end, kind)
        start = searched.find(word, end)


def _substrings(text: str, part: str, kind: CueKind) -> Iterator[Cue]:
    at = text.find(part)
    while at >= 0:
        yield Cue(at, at + len(part), kind)
        at = text.find(part, at + len(part))


def _is_said(text: str, cue: Cue) -> bool:
    before = text[max(cue.start - _CONTEXT_CHARS, 0) : cue.start]
    return _is_said_between(before, text[cue.end : cue.end + _CONTEXT_CHARS])


@lru_cache(maxsize=1024)
def _is_said_between(before: str, after: str) -> bool:
    """Judged by what stands around it; texts that repeat themselves ask the same again."""
    if before[-1:] in ("/", "\\", "-", "_") or after[:1] in ("/", "\\"):
        # Joined by - or _ it may be an event's name; beside a slash or a suffix it is a path.
        return before[-1:] in ("-", "_") and not _IN_PATH.match(after)
    if after[:1] in (".", "-", "_") and after[1:2].isalnum():
        return False
    before = before.lower()
    if before.rstrip(" \t_").endswith(_NONE_WORDS) and _NONE_BEFORE.search(before):
        return False
    return not _NONE_AFTER.match(after)


def _lower(text: str) -> str:
    lowered = text.lower()
    # A few letters change their length (İ); offsets matter more than they do.
    return lowered if len(lowered) == len(text) else text
