"""What was tried and failed, with the line that says why."""

import re
from collections.abc import Iterator, Sequence

from flowctx.dag.facts.facts import Failure, Run
from flowctx.dag.source.source import SourceLine, SourceTurn
from flowctx.dag.wording.rules import load_table
from flowctx.rule_tables import compile_pattern

COMMAND_MAX_CHARS = 200
REASON_MAX_CHARS = 240
# The cause stands near one of the ends of an output.
_SEARCHED_CHARS = 20_000

_RULES = load_table("failures")
_EXCEPTION = compile_pattern(_RULES["exception"], table="failures", rule="exception")
_ERROR = compile_pattern(
    "|".join([rf"\b(?:{'|'.join(_RULES['words'])})\b", *_RULES["anywhere"]]),
    table="failures",
    rule="words",
    flags=re.IGNORECASE,
)
_DENIED = compile_pattern(_RULES["denied"], table="failures", rule="denied", flags=re.IGNORECASE)
_STATUS = compile_pattern(_RULES["status"], table="failures", rule="status", flags=re.IGNORECASE)
_SHELLS = frozenset(_RULES["shells"])


def find_failures(turns: Sequence[SourceTurn]) -> list[Failure]:
    """Tool calls that failed, oldest first; the same failure counts once, where it came last."""
    found: dict[tuple[str, str], Failure] = {}
    worked: set[str] = set()
    for turn in reversed(turns):
        for line in reversed(turn.lines):
            attempt = attempt_of(line)
            if line.role != "tool" or not attempt:
                continue
            if not line.failed:
                worked.add(attempt)
            elif reason := telling_line(line.text):
                failure = Failure(
                    attempt, turn.number, line.digest, reason=reason, worked_later=attempt in worked
                )
                found.setdefault((attempt, reason), failure)
    return list(found.values())[::-1]


def find_runs(turns: Sequence[SourceTurn]) -> list[Run]:
    """Commands with their outcome, oldest first; one that ran again stands where it ran last."""
    found: dict[tuple[str, str], Run] = {}
    for turn in turns:
        for line in turn.lines:
            if line.role == "tool" and line.command and _has_status(line):
                key = attempt_of(line), status_of(line)
                times = found.pop(key).times + 1 if key in found else 1
                found[key] = Run(key[0], turn.number, line.digest, status=key[1], times=times)
    return list(found.values())


def attempt_of(line: SourceLine) -> str:
    """What a tool call tried, on one line: its command, else its name and arguments."""
    command = " ".join(line.command.split())
    if not command:
        return " ".join(f"{line.tool} {line.arguments}".split())[:COMMAND_MAX_CHARS]
    named = command if is_shell(line.tool) else f"{line.tool} {command}".strip()
    return named if len(named) <= COMMAND_MAX_CHARS else f"{named[: COMMAND_MAX_CHARS - 1]}…"


def status_of(line: SourceLine) -> str:
    """How a tool call ended, in a word or two."""
    if line.exit_code is not None:
        return f"exit {line.exit_code}"
    return "failed" if line.is_error else "ok"


def is_shell(tool: str) -> bool:
    """True for tools whose main argument is a command line."""
    return tool.lower() in _SHELLS


def telling_line(text: str) -> str:
    """The line of an output that says what went wrong; empty where nothing was put out."""
    lines = list(_lines(text))
    at = telling_index(lines)
    return _cut(lines[-1 if at is None else at]) if lines else ""


def telling_index(lines: Sequence[str]) -> int | None:
    """Which of some lines says what went wrong, if one does.

    The last exception, since causes come last; else the first line that names an error.
    """
    exceptions = [at for at, line in enumerate(lines) if _EXCEPTION.match(line)]
    if exceptions:
        return exceptions[-1]
    return next((at for at, line in enumerate(lines) if _tells(line)), None)


def _tells(line: str) -> bool:
    return _ERROR.search(line) is not None and not _DENIED.search(line)


def _lines(text: str) -> Iterator[str]:
    if len(text) > 2 * _SEARCHED_CHARS:
        text = f"{text[:_SEARCHED_CHARS]}\n{text[-_SEARCHED_CHARS:]}"
    for line in text.split("\n"):
        if line.strip() and not _STATUS.fullmatch(line):
            yield line.strip()


def _has_status(line: SourceLine) -> bool:
    return line.exit_code is not None or line.is_error or is_shell(line.tool)


def _cut(line: str) -> str:
    said = " ".join(line.split())
    return said if len(said) <= REASON_MAX_CHARS else f"{said[: REASON_MAX_CHARS - 1]}…"
