"""Programming languages: the table of them, and telling which one a text is written in."""

import importlib
import re
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from flowctx.errors import RuleTableError
from flowctx.reducers.rules import read_rules, read_words
from flowctx.reducers.sampling import spread
from flowctx.rule_tables import Table

# Lines looked at to tell a language, spread over the text.
_SAMPLE_LINES = 50
_FIRST_LOOK, _MAX_LINE_CHARS = 10, 500
# A file name that tells the language asks for this many telling lines, a bare text for more.
_MIN_NAMED, _MIN_BARE = 1, 6
_MIN_BARE_SHARE = 0.2
_MAX_COMMAND_CHARS = 1000
# Commands that print files as they are.
_READERS = frozenset(
    {
        "cat",
        "sed",
        "head",
        "tail",
        "less",
        "more",
        "bat",
        "nl",
        "type",
        "show",
        "Get-Content",
        "awk",
    }
)
_WORD_BREAK = re.compile(r"[\s'\"`;|&()<>,:]+")


class Language(NamedTuple):
    """A language as `rules/code.toml` describes it."""

    id: str
    grammar: tuple[str, ...]
    extensions: frozenset[str]
    signs: re.Pattern[str]
    imports: tuple[str, ...]
    signatures: tuple[str, ...]
    constants: tuple[str, ...]
    inside: frozenset[str]
    named_only: bool


def named_language(lines: Sequence[str], command: str) -> Language | None:
    """The language of a file that was read, by its name; its lines must bear it out."""
    words = command.split()
    if len(words) > 1 and not _READERS.intersection(word.rsplit("/", 1)[-1] for word in words):
        return None
    named = _named(command)
    sample = _sample(lines) if named else ()
    for language in named:
        if _count_signs(language, sample) >= min(_MIN_NAMED, len(sample)):
            return language
    return None


def likely_language(lines: Sequence[str]) -> Language | None:
    """The language that the beginnings of the lines tell, where many do."""
    sample = _sample(lines)
    first = list(filter(_any_signs().match, sample[:_FIRST_LOOK]))
    known = [
        each for each in languages() if not each.named_only and any(map(each.signs.match, first))
    ]
    counts = {language.id: _count_signs(language, sample) for language in known}
    best = max(known, key=lambda language: counts[language.id], default=None)
    if best is None or counts[best.id] < max(_MIN_BARE, _MIN_BARE_SHARE * len(sample)):
        return None
    return best


def _sample(lines: Sequence[str]) -> Sequence[str]:
    filled = [line for line in lines if line and not line.isspace()]
    return [filled[at][:_MAX_LINE_CHARS] for at in spread(len(filled), _SAMPLE_LINES)]


@cache
def languages() -> tuple[Language, ...]:
    """All languages, in the table's order.

    Raises:
        RuleTableError: a field is missing or does not compile.
    """
    return tuple(_read(rule) for rule in read_rules("code", "language"))


@cache
def _any_signs() -> re.Pattern[str]:
    """What is a sign of any language that bare text is tried for."""
    signs = (each.signs.pattern for each in languages() if not each.named_only)
    return re.compile("|".join(signs))


@cache
def load_grammar(module: str, function: str) -> Any:
    """A tree-sitter language; its wheel is imported here, when the first text needs it."""
    from tree_sitter import Language as Grammar

    return Grammar(getattr(importlib.import_module(module), function)())


def _read(rule: Table) -> Language:
    signs = read_words("code", rule, "signs")
    try:
        pattern = re.compile("|".join(f"(?:{sign})" for sign in signs) or r"(?!)")
        if not rule.get("grammar"):
            for key in ("imports", "signatures", "constants"):
                [re.compile(source) for source in read_words("code", rule, key)]
    except re.error as error:
        raise RuleTableError(str(error), file="code.toml", rule=rule["id"]) from error
    return Language(
        id=rule["id"],
        grammar=read_words("code", rule, "grammar"),
        extensions=frozenset(read_words("code", rule, "extensions")),
        signs=pattern,
        imports=read_words("code", rule, "imports"),
        signatures=read_words("code", rule, "signatures"),
        constants=read_words("code", rule, "constants"),
        inside=frozenset(read_words("code", rule, "inside")),
        named_only=rule.get("named_only") is True,
    )


def _named(command: str) -> list[Language]:
    """Languages of the files a command names, the last file first."""
    found: list[Language] = []
    for word in reversed(_WORD_BREAK.split(command[-_MAX_COMMAND_CHARS:])):
        name = word.rsplit("/", 1)[-1]
        ending = f".{name.rsplit('.', 1)[-1]}" if "." in name else name
        found += _by_extension().get(ending, ())
        found += _by_extension().get(name, ()) if name != ending else ()
    return list(dict.fromkeys(found))


@cache
def _by_extension() -> dict[str, tuple[Language, ...]]:
    """The languages of each ending of a name, and of each whole name."""
    endings = {ending for each in languages() for ending in each.extensions}
    return {
        ending: tuple(each for each in languages() if ending in each.extensions)
        for ending in endings
    }


def _count_signs(language: Language, sample: Sequence[str]) -> int:
    return sum(1 for line in sample if language.signs.match(line))
