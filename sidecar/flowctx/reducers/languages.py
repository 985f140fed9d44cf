"""Programming languages: the table of them, and telling which one a text is written in."""

import importlib
import re
from collections.abc import Sequence, Set
from functools import cache
from typing import Any, NamedTuple

from flowctx.errors import RuleTableError
from flowctx.reducers.rules import read_rules, read_words
from flowctx.reducers.sampling import spread
from flowctx.rule_tables import Table

_TABLES = ("code", "code_lines")
# Lines looked at to tell a language, spread over the text.
_SAMPLE_LINES = 50
_FIRST_LOOK, _MAX_LINE_CHARS = 10, 500
# A file name that tells the language asks for this many telling lines, a bare text for more.
_MIN_NAMED, _MIN_BARE = 1, 6
_MIN_BARE_SHARE = 0.2
# Remarks say little of the language; where this part of the lines are some, they are left aside.
_REMARK = re.compile(r"\s*(?:\*|//|/\*|#(?!!|include|define|if|endif|pragma|import)|--(?!\w)|;|%)")
_MANY_REMARKS = 0.3
_SHEBANG = re.compile(r"#!\S*?/(?:env (?:-S )?)?(\w+?)[\d.]*(?:\s|$)")
# Lines of a bare text that only one language has, to tell one that no grammar reads.
_MIN_PROOFS = 3
# So many tell it whatever else its lines look like.
_MANY_PROOFS = 8
# Where the grammar of the likeliest does not read it, others with nearly as many signs may.
_NEARLY, _MAX_TRIED = 0.75, 2
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
_PIPES = re.compile(r"[|;&\n]+")
_WORD_BREAK = re.compile(r"[\s'\"`;|&()<>,:]+")


class Language(NamedTuple):
    """A language as its rule describes it.

    Attributes:
        sets_values: it mostly sets values or declares things: the oddest are worth showing.
    """

    id: str
    grammar: tuple[str, ...]
    extensions: frozenset[str]
    signs: re.Pattern[str]
    imports: tuple[str, ...]
    signatures: tuple[str, ...]
    constants: tuple[str, ...]
    inside: frozenset[str]
    proofs: re.Pattern[str] | None
    words: frozenset[str]
    interpreters: frozenset[str]
    sets_values: bool


def named_language(lines: Sequence[str], command: str) -> Language | None:
    """The language of a file that was read, by its name; its lines must bear it out."""
    if told := told_by_first_line(lines):
        return told
    named = _named(_reading_part(command) if len(command.split()) > 1 else command)
    sample = _sample(lines) if named else ()
    for language in named:
        if _count_signs(language, sample) >= min(_MIN_NAMED, len(sample)):
            return language
    return None


def _reading_part(command: str) -> str:
    """The commands of a line that print files; a pipe into one of them prints no file."""
    parts = [part for part in _PIPES.split(command) if _READERS & _programs(part)]
    return command if any("xargs" in _programs(part) for part in parts) else " ".join(parts)


def _programs(command: str) -> frozenset[str]:
    return frozenset(word.rsplit("/", 1)[-1] for word in command.split())


def told_by_first_line(lines: Sequence[str]) -> Language | None:
    """The language of a script that says what is to run it."""
    shebang = _SHEBANG.match(lines[0]) if lines else None
    if shebang is None:
        return None
    return next((each for each in languages() if shebang.group(1) in each.interpreters), None)


def likely_languages(lines: Sequence[str], vocabulary: Set[str]) -> Sequence[Language]:
    """The languages that the beginnings of the lines tell, where many do, the likeliest first.

    Args:
        lines: the text.
        vocabulary: the words in it.
    """
    sample = _sample(lines)
    first = list(filter(_any_signs().match, sample[:_FIRST_LOOK]))
    begun = [each for each in _parsed() if any(map(each.signs.match, first))]
    begun += [each for each in _unparsed() if each.words <= vocabulary]
    counts = {language.id: _count_signs(language, sample) for language in begun}
    needed = max(_MIN_BARE, _MIN_BARE_SHARE * len(sample))
    known = [language for language in begun if counts[language.id] >= needed]
    parsed = [language for language in known if language.grammar]
    if len(known) == len(parsed) == 1 and known[0].proofs:
        return known
    others = [language for language in begun if language not in known]
    if proven := _proven(known, lines) or _proven(others, lines, _MANY_PROOFS):
        return (proven,)
    ordered = sorted(parsed, key=lambda each: -counts[each.id])
    return [each for each in ordered if counts[each.id] >= _NEARLY * counts[ordered[0].id]][
        :_MAX_TRIED
    ]


def _proven(
    known: Sequence[Language], lines: Sequence[str], needed: int = _MIN_PROOFS
) -> Language | None:
    """The language with the most lines that only it has, where there are several."""
    proofs = {
        each: sum(1 for line in lines if each.proofs.match(line, 0, _MAX_LINE_CHARS))
        for each in known
        if each.proofs
    }
    best = max(proofs, key=lambda each: proofs[each], default=None)
    return best if best and proofs[best] >= needed else None


def _sample(lines: Sequence[str]) -> Sequence[str]:
    filled = [line for line in lines if line and not line.isspace()]
    remarks = sum(1 for at in spread(len(filled), _SAMPLE_LINES) if _REMARK.match(filled[at]))
    if remarks >= _MANY_REMARKS * min(len(filled), _SAMPLE_LINES):
        filled = [line for line in filled if not _REMARK.match(line)]
    return [filled[at][:_MAX_LINE_CHARS] for at in spread(len(filled), _SAMPLE_LINES)]


@cache
def languages() -> tuple[Language, ...]:
    """All languages, in the table's order.

    Raises:
        RuleTableError: a field is missing or does not compile.
    """
    return tuple(_read(table, rule) for table in _TABLES for rule in read_rules(table, "language"))


@cache
def _any_signs() -> re.Pattern[str]:
    """What is a sign of any language that a grammar reads."""
    return re.compile("|".join(each.signs.pattern for each in _parsed()))


@cache
def _parsed() -> tuple[Language, ...]:
    """Languages that a grammar reads."""
    return tuple(each for each in languages() if each.grammar)


@cache
def _unparsed() -> tuple[Language, ...]:
    """Languages that no grammar reads, and lines tell for certain."""
    return tuple(each for each in languages() if each.proofs and not each.grammar)


@cache
def load_grammar(module: str, function: str) -> Any:
    """A tree-sitter language; its wheel is imported here, when the first text needs it."""
    from tree_sitter import Language as Grammar

    return Grammar(getattr(importlib.import_module(module), function)())


def _read(table: str, rule: Table) -> Language:
    proofs = read_words(table, rule, "proofs")
    try:
        pattern = _any_of(read_words(table, rule, "signs"))
        if not rule.get("grammar"):
            for key in ("imports", "signatures", "constants"):
                [re.compile(source) for source in read_words(table, rule, key)]
    except re.error as error:
        raise RuleTableError(str(error), file=f"{table}.toml", rule=rule["id"]) from error
    return Language(
        id=rule["id"],
        grammar=read_words(table, rule, "grammar"),
        extensions=frozenset(read_words(table, rule, "extensions")),
        signs=pattern,
        imports=read_words(table, rule, "imports"),
        signatures=read_words(table, rule, "signatures"),
        constants=read_words(table, rule, "constants"),
        inside=frozenset(read_words(table, rule, "inside")),
        proofs=_any_of(proofs) if proofs else None,
        words=frozenset(read_words(table, rule, "words")),
        interpreters=frozenset(read_words(table, rule, "interpreters")),
        sets_values=rule.get("sets_values") is True,
    )


def _any_of(sources: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{source})" for source in sources) or r"(?!)")


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
