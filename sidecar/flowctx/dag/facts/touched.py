"""Files that tools read or wrote."""

import re
from collections.abc import Iterator, Sequence

from flowctx.dag.facts.facts import FileAction, FileTouch
from flowctx.dag.facts.failures import is_shell
from flowctx.dag.facts.identifiers import identifiers_in
from flowctx.dag.source.source import SourceLine, SourceTurn
from flowctx.dag.wording.rules import load_table
from flowctx.rule_tables import compile_pattern

_NOT_WORD = re.compile(r"[\W_\d]+")
_RULES = load_table("files")
_READERS, _WRITERS = frozenset(_RULES["readers"]), frozenset(_RULES["writers"])
_PATCHED = compile_pattern(_RULES["patched"], table="files", rule="patched")
_SHELL_WRITES = compile_pattern(_RULES["shell_writes"], table="files", rule="shell_writes")
_SHELL_READS = compile_pattern(_RULES["shell_reads"], table="files", rule="shell_reads")
_COMMAND_SEARCHED_CHARS = 4000


def find_files(turns: Sequence[SourceTurn]) -> list[FileTouch]:
    """Files by their first touch; one that was written once counts as written."""
    found: dict[str, FileTouch] = {}
    for turn in turns:
        for line in turn.lines:
            for path, action in _touches(line) if line.role == "tool" else ():
                known = found.get(path)
                if known is None or (known.action == "read" and action == "written"):
                    found[path] = FileTouch(path, turn.number, line.digest, action=action)
    return list(found.values())


def _touches(line: SourceLine) -> Iterator[tuple[str, FileAction]]:
    tool = _NOT_WORD.sub("", line.tool).lower()
    if is_shell(line.tool):
        command = line.command[:_COMMAND_SEARCHED_CHARS]
        yield from ((path, "written") for path in _SHELL_WRITES.findall(command) if _is_file(path))
        yield from ((path, "read") for path in _SHELL_READS.findall(command) if _is_file(path))
    elif tool in _READERS | _WRITERS:
        action: FileAction = "written" if tool in _WRITERS else "read"
        paths = _PATCHED.findall(line.arguments) or [line.command]
        yield from ((" ".join(path.split()), action) for path in paths if path.strip())


def _is_file(word: str) -> bool:
    return word != "/dev/null" and any(found.kind == "path" for found in identifiers_in(word))
