"""Where a text says that something went wrong, or was decided, in many languages.

A cue counts only where it is said of something: "0 errors", "error: null" and
the `errors` in a path say nothing.
"""

import errno
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, NamedTuple

from flowctx.reducers.rules import read_rules, read_words

CueKind = Literal["error", "trouble", "decision"]

_WORD = re.compile(r"[^\W\d_]+")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_FAULT_NAME = re.compile(
    r"^(?:[A-Z][a-z]+)+(?:Error|Exception|Failure|Fault|Panic|Backoff|BackOff)$", re.MULTILINE
)
_ERRNO = frozenset(errno.errorcode.values()) | {"ENOTFOUND", "ERESOLVE", "ELIFECYCLE", "EJSONPARSE"}

_NONE_BEFORE = re.compile(
    r"(?:(?<![\w.,])(?:0|no|zero|without|any|never|keine?n?|ohne|sans|aucune?|sin|sem|nessun|без|нет)"
    r"[\s_]+|[無无没沒][有]?\s?|(?<![\d.,])0\s?(?:个|個|件|건의?)?\s?)\Z",
    re.IGNORECASE,
)
_NONE_AFTER = re.compile(
    r"(?:\(s\)|s|_count|数|數)?[\"']?\s*(?:[:=：]\s*|\s)[\"']?"
    r"(?:0(?![\w.,]*\w)|null|none|nil|false|no\b|\[\]|\{\}|\"\"|'')|\s*\(0\)",
    re.IGNORECASE,
)
_CONTEXT_CHARS = 16


class Cue(NamedTuple):
    """A cue in a text: characters [start, end), and its kind."""

    start: int
    end: int
    kind: CueKind


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """The cues of one kind, by how they are looked up."""

    kind: CueKind
    whole: frozenset[str]
    affixed: re.Pattern[str]
    phrases: tuple[tuple[str, str], ...]
    anywhere: tuple[str, ...] = field(default=())


def find_cues(text: str, kinds: Iterable[CueKind] = ("error", "trouble")) -> list[Cue]:
    """All cues of some kinds in a text, by position; denied ones are left out."""
    vocabulary = frozenset(_WORD.findall(text))
    lowered = _lower(text)
    found = [
        cue
        for kind in kinds
        for cue in _find_kind(text, lowered, vocabulary, _lexicon(kind))
        if _is_said(text, cue)
    ]
    return sorted(found)


def _find_kind(
    text: str, lowered: str, vocabulary: frozenset[str], lexicon: _Lexicon
) -> Iterator[Cue]:
    known = frozenset(map(str.lower, vocabulary))
    cued = known & lexicon.whole | frozenset(lexicon.affixed.findall("\n".join(known)))
    if lexicon.kind == "error":
        names = {*vocabulary & _ERRNO, *_FAULT_NAME.findall("\n".join(vocabulary))}
        cued -= {name.lower() for name in names}
    else:
        names = set()
    for word in names:
        yield from _occurrences(text, word, lexicon.kind)
    for word in cued:
        yield from _occurrences(lowered, word, lexicon.kind)
    for phrase, first in lexicon.phrases:
        if first in known:
            yield from _occurrences(lowered, phrase, lexicon.kind)
    for part in () if text.isascii() else lexicon.anywhere:
        yield from _substrings(text, part, lexicon.kind)


def _occurrences(text: str, word: str, kind: CueKind) -> Iterator[Cue]:
    for cue in _substrings(text, word, kind):
        before = text[cue.start - 1 : cue.start]
        after = text[cue.end : cue.end + 1]
        if not (before.isalpha() or after.isalpha()):
            yield cue


def _substrings(text: str, part: str, kind: CueKind) -> Iterator[Cue]:
    at = text.find(part)
    while at >= 0:
        yield Cue(at, at + len(part), kind)
        at = text.find(part, at + len(part))


def _is_said(text: str, cue: Cue) -> bool:
    before = text[max(cue.start - _CONTEXT_CHARS, 0) : cue.start]
    after = text[cue.end : cue.end + _CONTEXT_CHARS]
    if before[-1:] in ("/", "\\", "-", "_") or after[:1] in ("/", "\\"):
        # Joined by - or _ it may be an event's name; beside a slash or a suffix it is a path.
        return before[-1:] in ("-", "_") and not re.match(r"[\w-]*[./\\(]", after)
    if after[:1] in (".", "-", "_") and re.match(r"[.\-_]\w", after):
        return False
    return not (_NONE_BEFORE.search(before) or _NONE_AFTER.match(after))


def _lower(text: str) -> str:
    lowered = text.lower()
    # A few letters change their length (İ); offsets matter more than they do.
    return lowered if len(lowered) == len(text) else text


@cache
def _lexicon(kind: CueKind) -> _Lexicon:
    words = [w for rule in read_rules("cues", "language") for w in read_words("cues", rule, kind)]
    spaced = [word for word in words if not _UNSPACED.search(word)]
    affixes = [word for word in spaced if "*" in word]
    stems = "|".join(re.escape(word).replace(r"\*", ".*") for word in affixes)
    return _Lexicon(
        kind=kind,
        whole=frozenset(word for word in spaced if _WORD.fullmatch(word)),
        affixed=re.compile(f"^(?:{stems or '(?!)'})$", re.MULTILINE),
        phrases=tuple(
            (w, _WORD.findall(w)[0]) for w in spaced if not _WORD.fullmatch(w) and "*" not in w
        ),
        anywhere=tuple(word for word in words if _UNSPACED.search(word)),
    )
