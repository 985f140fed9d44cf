"""The words of each language a note can be in: one TOML file per language.

Cues that can mean nothing else ("anywhere") are looked for in every text,
whatever its language; the others only in texts of their own language.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from flowctx.dag.wording.rules import load_table
from flowctx.rule_tables import Table, compile_pattern

CueKind = Literal[
    "constraint", "except", "lift", "ask", "done", "unsure", "failed", "decided", "next", "refusal"
]
SectionKey = Literal["goal", "constraints", "working", "failed", "identifiers", "files", "next"]

# The order of SPEC.md, section 5.
SECTIONS: tuple[SectionKey, ...] = get_args(SectionKey)
LANGUAGES: tuple[str, ...] = ("en", "zh", "ja", "ko", "de", "fr", "es", "ru")
DEFAULT_LANGUAGE = "en"

# Where each kind stands in a file.
_TABLES: Mapping[CueKind, tuple[str, str]] = {
    "constraint": ("constraints", "own"),
    "except": ("constraints", "except"),
    "lift": ("constraints", "lifts"),
    "ask": ("constraints", "asks"),
    "done": ("progress", "done"),
    "unsure": ("progress", "unsure"),
    "failed": ("progress", "failed"),
    "decided": ("progress", "decided"),
    "next": ("progress", "next"),
    "refusal": ("progress", "refusal"),
}
_WORD_EDGE = r"\b"
_LATIN_END = "\u0370"


@dataclass(frozen=True, slots=True)
class Cues:
    """Patterns of one kind, those in Latin letters apart from the others.

    A text is lowered once instead of matching without case, patterns that begin
    at a word's edge share that edge, and ASCII texts skip the other scripts:
    together this is ten times faster than one long alternation.
    """

    latin: re.Pattern[str]
    other: re.Pattern[str]

    def found_in(self, text: str) -> bool:
        """True when the text holds a cue."""
        lowered = _lower(text)
        if self.latin.search(lowered):
            return True
        return not lowered.isascii() and self.other.search(lowered) is not None

    def taken_out(self, text: str) -> str:
        """The text in lower case without what the patterns match."""
        lowered = self.latin.sub(" ", _lower(text))
        return lowered if lowered.isascii() else self.other.sub(" ", lowered)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """One language.

    Attributes:
        code: ISO 639-1.
        name: in English.
        stop_words: words its prose is full of.
        instruction: asks a model to write in it.
        headings: of the seven sections, and "kept" for what code adds.
        heading_words: parts of words that headings of a section hold.
        labels: what code's own lines say.
        cues: for texts of this language, by kind.
    """

    code: str
    name: str
    stop_words: frozenset[str]
    instruction: str
    headings: Mapping[str, str]
    heading_words: Mapping[str, tuple[str, ...]]
    labels: Mapping[str, str]
    cues: Mapping[CueKind, Cues]


@cache
def lexicon(code: str) -> Lexicon:
    """The words of a language; those of English where the language has no file.

    Raises:
        RuleTableError: its file cannot be read.
    """
    code = code if code in LANGUAGES else DEFAULT_LANGUAGE
    table = _load(code)
    return Lexicon(
        code=code,
        name=table["name"],
        stop_words=frozenset(table["stop_words"]),
        instruction=table["instruction"],
        headings=table["headings"],
        heading_words={key: tuple(words) for key, words in table["heading_words"].items()},
        labels=table["labels"],
        cues={kind: _read_cues(code, kind) for kind in _TABLES},
    )


def labels_of(name: str) -> frozenset[str]:
    """One label in all languages."""
    return frozenset(lexicon(code).labels[name] for code in LANGUAGES)


def _lower(text: str) -> str:
    return text.lower().replace("’", "'")


def _read_cues(code: str, kind: CueKind) -> Cues:
    table, key = _TABLES[kind]
    parts = list(_load(code)[table][key])
    if kind == "constraint":
        parts += [part for other in LANGUAGES for part in _load(other)[table]["anywhere"]]
    parts = list(dict.fromkeys(parts))
    place = f"languages/{code}", f"{table}.{key}"
    return Cues(
        latin=_compile([part for part in parts if max(part) < _LATIN_END], place),
        other=_compile([part for part in parts if max(part) >= _LATIN_END], place),
    )


def _compile(parts: Sequence[str], place: tuple[str, str]) -> re.Pattern[str]:
    edged = [part.removeprefix(_WORD_EDGE) for part in parts if part.startswith(_WORD_EDGE)]
    others = [part for part in parts if not part.startswith(_WORD_EDGE)]
    branches = [f"(?:{part})" for part in others]
    if edged:
        branches.insert(0, _WORD_EDGE + "(?:" + "|".join(f"(?:{part})" for part in edged) + ")")
    return compile_pattern("|".join(branches) or r"(?!)", table=place[0], rule=place[1])


def _load(code: str) -> Table:
    return load_table(f"languages/{code}")
