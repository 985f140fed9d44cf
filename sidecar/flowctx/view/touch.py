"""Which file a tool call reads or writes, where that is plain to see."""

import posixpath
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from flowctx.model import Call
from flowctx.view.protect import is_file_read, words_of

# Tools that change a file named by their path, by their name written as one word.
_WRITERS = frozenset(
    {"edit", "multiedit", "editfile", "write", "writefile", "create", "createfile", "strreplace"}
    | {"insert", "notebookedit", "fswrite", "updatefile", "replaceinfile", "searchreplace"}
)
_SHELLS = frozenset(
    {"exec", "bash", "shell", "sh", "terminal", "run", "runcommand", "executecommand"}
    | {"runterminalcommand", "localshell", "execcommand"}
)
_SEARCHED_CHARS = 2000
# One program, one file, nothing else: what it prints is that file, or a part of it.
_PRINTS_ALL = re.compile(r"cat\s+(?P<path>[^\s;&|<>()$`*?'\"-][^\s;&|<>()$`*?'\"]*)\Z")
_PRINTS_PART = re.compile(
    r"(?:head|tail|nl|sed\s+-n|cat\s+-n)\s+[^;&|<>()$`*?]*?(?P<path>[^\s;&|<>()$`*?'\"]+)\Z"
)
_WRITES = (
    re.compile(r"(?:^|[\s;&|])[12&]?>>?\s*([^\s;&|<>()$`]+)"),
    re.compile(r"\btee\s+(?:-a\s+)?([^\s;&|<>()$`-][^\s;&|<>()$`]*)"),
    re.compile(r"\bsed\s+(?:-\w+\s+)*-i\S*\s+(?:'[^']*'|\"[^\"]*\"|\S+)\s+([^\s;&|<>()$`]+)"),
)
# Where a command changes the folder, its paths are not those of other calls.
_MOVES = re.compile(r"\b(?:cd|pushd)\b")


class Touch(NamedTuple):
    """A file that a call reads or writes.

    Attributes:
        path: as the call names it, without "./" and detours.
        action: what the call does to it.
        part: which part is read; empty for all of it.
    """

    path: str
    action: Literal["read", "write"]
    part: str = ""


def touches_of(call: Call) -> tuple[Touch, ...]:
    """The files a call is known to read or write; empty where that is not plain."""
    name = "".join(words_of(call.tool))
    if name in _SHELLS:
        return tuple(_touches_of_command(call.detail[:_SEARCHED_CHARS].strip()))
    path = _plain(call.detail)
    if not path:
        return ()
    if is_file_read(call.tool):
        return (Touch(path, "read", call.rest),)
    return (Touch(path, "write"),) if name in _WRITERS else ()


def _touches_of_command(command: str) -> Iterator[Touch]:
    # What follows the first line may be the text of a file that is written.
    first = command.split("\n", 1)[0]
    if _MOVES.search(first):
        return
    if printed := _PRINTS_ALL.match(command):
        yield Touch(_plain(printed["path"]), "read")
    elif printed := _PRINTS_PART.match(command):
        yield Touch(_plain(printed["path"]), "read", command)
    for pattern in _WRITES:
        yield from (Touch(_plain(path), "write") for path in pattern.findall(first))


def _plain(path: str) -> str:
    path = path.strip().strip("'\"")
    return posixpath.normpath(path) if path and "\n" not in path else ""
