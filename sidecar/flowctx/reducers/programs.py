"""Where the output of another program begins, in a text that several commands printed."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from flowctx.errors import RuleTableError
from flowctx.reducers.cues import Words
from flowctx.reducers.document import Document
from flowctx.reducers.hints import Hint, read_hints
from flowctx.reducers.rules import read_pattern, read_rules

# What sets commands of one line apart, pipes not: those make one output.
_SEPARATOR = re.compile(r"&&|\|\||;|\n|(?<![&>|])&(?![&>\d])")
# What only prepares: it prints nothing.
_SILENT = re.compile(
    r"\s*(?:cd|export|set|source|\.|mkdir|rm|touch|sleep|true|\w+=\S*)(?:\s[^|]*)?$"
)
_TIMED = re.compile(
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d "
    r"\d\d:\d\d:\d\d "
)
_MIN_TIMED = 8
_MAX_LINE_CHARS = 200


class Program(NamedTuple):
    """How to tell the output of a program, as its rule says; hints stand in its first line."""

    id: str
    hints: tuple[Hint, ...]
    start: re.Pattern[str]
    end: re.Pattern[str] | None
    next: re.Pattern[str] | None


class Output(NamedTuple):
    """Lines [start, end) that one program printed.

    Attributes:
        start, end: the lines.
        program: id of the program.
        has_end: its last line was found; without that another output may follow in it.
    """

    start: int
    end: int
    program: str
    has_end: bool


def prints_several(command: str) -> bool:
    """True where a command line runs more than one command that may print."""
    parts = [part for part in _SEPARATOR.split(command) if part.strip()]
    return sum(1 for part in parts if not _SILENT.match(part)) > 1


def outputs_of(document: Document, words: Words) -> list[Output]:
    """The outputs of known programs, in order; what lies between is of others.

    Args:
        document: the text.
        words: the words in it.
    """
    lines = document.lines
    starts = list(_starts(document, words))
    stops = [at for at, _ in starts[1:]] + [len(lines)] * bool(starts)
    return [
        _output(lines, at, stop, program) for (at, program), stop in zip(starts, stops, strict=True)
    ]


def log_tail(lines: Sequence[str]) -> int:
    """First line of the log that a text ends with; the end of the text where there is none."""
    at = last = len(lines)
    while at > 0 and (not lines[at - 1].strip() or lines[at - 1][:1] in " \t"):
        at -= 1
    timed = 0
    while at > 0:
        if _TIMED.match(lines[at - 1]):
            timed, last = timed + 1, at - 1
        elif lines[at - 1][:1] not in (" ", "\t"):
            break
        at -= 1
    return last if timed >= _MIN_TIMED and last > 0 else len(lines)


def is_timed(line: str) -> bool:
    """True for a line that begins with a date and a time, as those of logs do."""
    return _TIMED.match(line) is not None


@cache
def programs() -> tuple[Program, ...]:
    """The programs of the rule table.

    Raises:
        RuleTableError: a pattern is missing or does not compile.
    """
    found = []
    for rule in read_rules("commands", "program"):
        start = read_pattern("commands", rule, "start")
        if start is None:
            raise RuleTableError("start missing", file="commands.toml", rule=rule["id"])
        end, below = (read_pattern("commands", rule, key) for key in ("end", "next"))
        hints = read_hints("commands", rule)
        found.append(Program(rule["id"], hints, start, end, below))
    return tuple(found)


def _starts(document: Document, words: Words) -> Iterator[tuple[int, Program]]:
    lines, text, current = document.lines, f"\n{document.text}", ""
    found: dict[int, Program] = {}
    for program in programs():
        for hint in program.hints:
            if hint.is_possible(words):
                for at in _matching(document, text, hint.text, program.start):
                    found.setdefault(at, program)
    for at, program in sorted(found.items()):
        if program.id == current and program.end is None:
            continue
        below = lines[at + 1] if at + 1 < len(lines) else ""
        if program.next is None or program.next.match(below):
            current = program.id
            yield at, program


def _matching(document: Document, text: str, hint: str, start: re.Pattern[str]) -> Iterator[int]:
    """Lines that hold a hint and begin with a pattern; the text has a line end before it."""
    at = text.find(hint)
    while at >= 0:
        line = document.line_at(at - (hint[0] != "\n"))
        if len(document.lines[line]) <= _MAX_LINE_CHARS and start.match(document.lines[line]):
            yield line
        at = text.find(hint, document.line_end(line) + 1)


def _output(lines: Sequence[str], start: int, stop: int, program: Program) -> Output:
    last = -1
    if program.end is not None:
        last = next((at for at in range(start + 1, stop) if program.end.match(lines[at])), -1)
    return Output(start, last + 1 if last >= 0 else stop, program.id, last >= 0)
