"""Identifiers in a text: words that must survive letter for letter.

A text is cut into tokens, and each distinct token is looked at once, so the
cost grows with the text and not with the number of kinds. The order of `KINDS`
is the order in which a token is tried; the first kind that fits takes it.
"""

import errno
import ipaddress
import re
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from flowctx.dag.wording.rules import load_table
from flowctx.rule_tables import compile_pattern

Kind = Literal[
    "url", "email", "uuid", "address", "package", "version", "hash", "code", "ticket",
    "environment", "flag", "path", "symbol", "port", "branch", "number", "quantity",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)


class Identifier(NamedTuple):
    """A word of a kind."""

    kind: Kind
    text: str


# Longer tokens are encoded data.
_TOKEN_MAX_CHARS = 400
# Beyond this, prose is searched for tokens alone.
_SEARCHED_PROSE_CHARS = 60_000
_TOKEN = re.compile("[0-9A-Za-z_\u00c0-\u024f\u0370-\u052f./:@\\\\~+#%&=?$*()<>-]{3,}")
# Verbs may be glued to the first folder where no spaces are set, so it is left out.
_CJK_PATH = re.compile(
    "(?:/|(?<![\\w/]))[\\w.-]{0,80}[\u3040-\u9fff\uac00-\ud7af][\\w.-]{0,80}"
    "\\.[A-Za-z0-9]{1,8}(?![\\w/])"
)
# Tags, assignments, and a name before its arguments.
_SEAMS = re.compile(r"</?[A-Za-z][\w-]*>?|[=&?<>]|(?<=[\w)])\((?=\w)")
# Escapes of a quoted text, which are no folders.
_ESCAPE = re.compile(r"\\[ntr\"]")
_DRIVE = re.compile(r"[A-Za-z]:\\|\\\\\w")
_EDGES = "()<>.,:;?&%=+*"
_LEADING_EDGES = "()<>,:;?&%=+*"
_ELLIPSIS = re.compile(r"\A\.+(?![\w./\\]|\Z)|\A\.{3,}")
_URL = re.compile(r"[a-z][a-z0-9+.-]{1,20}://.+")
_URL_EDGES = ".,:;?!)>"
_CALLED = re.compile(r"[A-Za-z_][\w.:]*")
_LINE_SUFFIX = re.compile(r"(?::\d+){1,2}:?\Z|#L\d+(?:-L?\d+)?\Z")
_PATHLIKE = re.compile(r"[._\d~*@-]")
_LETTERS = re.compile("[A-Za-z\u00c0-\u052f]{2}")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_ERRNO = frozenset(errno.errorcode.values()) | {"ENOTFOUND", "ERESOLVE", "ELIFECYCLE"}
_TRUNKS = frozenset({"main", "master", "develop"})

_RULES = load_table("identifiers")
_FILES = "|".join(_RULES["files"])
_FILE_NAME = re.compile(rf"\.(?:{_FILES})\Z")
# How search tools write a line of a file: name:12:text, name-12-text.
_FOUND_LINE = re.compile(rf"(.+?\.(?:{_FILES}))(?::\d+:|-\d+-).*")
_IGNORED = frozenset(_RULES["ignored"])
_MOMENT = compile_pattern(_RULES["moment"], table="identifiers", rule="moment")
_CLASSES = compile_pattern(
    "|".join(
        f"(?P<{rule['id']}>{rule['pattern'].replace('{files}', _FILES)})" for rule in _RULES["kind"]
    ),
    table="identifiers",
    rule="kind",
)
_CONTEXTS: tuple[tuple[Kind, re.Pattern[str]], ...] = tuple(
    (rule["id"], compile_pattern(rule["pattern"], table="identifiers", rule=rule["id"]))
    for rule in _RULES["context"]
)


def identifiers_in(text: str) -> list[Identifier]:
    """The distinct identifiers among a text's tokens, in order of first appearance."""
    found: dict[Identifier, None] = {}
    for token in dict.fromkeys(_TOKEN.findall(text)):
        if not _is_word(token):
            found.update(dict.fromkeys(_classify(token)))
    if not text.isascii():
        found.update(dict.fromkeys(Identifier("path", p) for p in _CJK_PATH.findall(text)))
    return list(found)


def identifiers_in_prose(text: str) -> list[Identifier]:
    """As `identifiers_in`, and what only the words around it show: ports, branches, numbers."""
    found = dict.fromkeys(identifiers_in(text))
    for kind, pattern in _CONTEXTS:
        taken = " ".join(identifier.text for identifier in found)
        for told in pattern.findall(text[:_SEARCHED_PROSE_CHARS]):
            for word in told.split() if kind == "package" else [told]:
                if _is_told(kind, word, taken):
                    found[Identifier(kind, word)] = None
    return list(found)


def _is_told(kind: Kind, word: str, taken: str) -> bool:
    if kind == "branch":
        return bool(_PATHLIKE.search(word) or "/" in word or word in _TRUNKS)
    return kind != "number" or not (word in taken or _YEAR.match(word))


@lru_cache(maxsize=1 << 14)
def _classify(token: str) -> tuple[Identifier, ...]:
    if len(token) > _TOKEN_MAX_CHARS:
        return ()
    if "://" in token:
        # What stands before the scheme is glued on: (https://…, url=https://…
        url = _URL.search(token)
        return (Identifier("url", url.group().rstrip(_URL_EDGES)),) if url else ()
    if "\\" in token and not _DRIVE.match(token):
        token = _ESCAPE.sub("?", token)
    parts = [token] if _is_pinned(token) else _SEAMS.split(token)
    return tuple(found for part in parts if (found := _classify_part(part)) is not None)


def _is_word(token: str) -> bool:
    return token.isalpha() and (token.islower() or token.istitle())


def _is_pinned(token: str) -> bool:
    return "==" in token or ">=" in token or "~=" in token


def _classify_part(part: str) -> Identifier | None:
    called = part.endswith("()")
    word = _ELLIPSIS.sub("", part.rstrip(_EDGES).lstrip(_LEADING_EDGES))
    if found := _FOUND_LINE.fullmatch(word):
        word = found.group(1)
    word = _LINE_SUFFIX.sub("", word) if "/" in word or _has_file_line(word) else word
    if len(word) < 3 or _is_word(word) or _MOMENT.fullmatch(word) or word in _IGNORED:
        return None
    if called and _CALLED.fullmatch(word):
        return Identifier("symbol", f"{word}()")
    match = _CLASSES.fullmatch(word)
    if match is None or match.lastgroup is None:
        return None
    kind = next(kind for kind in KINDS if kind == match.lastgroup)
    return Identifier(kind, word) if _holds_up(kind, word) else None


def _has_file_line(word: str) -> bool:
    name, colon, _ = word.partition(":")
    return bool(colon) and _FILE_NAME.search(name) is not None


def _holds_up(kind: Kind, word: str) -> bool:
    """What a pattern alone cannot tell."""
    if kind == "path":
        return _is_path(word)
    if kind == "address":
        return _is_address(word)
    if kind == "code" and word.isalpha() and word.isupper():
        return word in _ERRNO or word.startswith("SIG")
    if kind == "hash":
        return len(word) >= 7 and not word.isdigit()
    return True


def _is_address(word: str) -> bool:
    host, _, port = word.rpartition(":")
    if not host:
        try:
            ipaddress.ip_interface(word)
        except ValueError:
            return False
        return True
    # "line:45" is no address; a name with a mark in it, or a registered port, may be.
    return int(port) <= 65535 and (
        bool(re.search(r"[\d.-]", host)) or host == "localhost" or int(port) >= 1000
    )


def _is_path(word: str) -> bool:
    """Tell `src/app` from "and/or" and "1/2"."""
    if word[0] in "/~." or word[-1] in "/\\" or "\\" in word:
        return _LETTERS.search(word) is not None
    if "/" not in word:
        return True
    return word.count("/") > 1 or _PATHLIKE.search(word) is not None
