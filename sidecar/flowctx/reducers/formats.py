"""Runs of lines of one strict format, which tell outputs apart that no program's name does."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from flowctx.reducers.case import Case, remembered

_JSON_HEAD_CHARS = 10
_MIN_TABS = 2
# Name, first characters (any where none are told), what every line holds, and how it begins.
_FORMATS = (
    (
        "time",
        "[0123456789",
        ":",
        r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d{1,2}[./]\d{1,2}[./]\d{2,4},? \d\d:\d\d",
    ),
    ("time", "[", "]", r"\[ *\d+\.\d{6}\]"),
    ("tree", "│ ├└", "─", r"[│ ]*[├└]─"),
    ("mode", "-dlcbps", "-", r"[-dlcbps][rwxsStT-]{9}[ .+@]"),
    ("markup", "< \t", "<", r"\s*</?[A-Za-z][^<>]*>.*>?\s*$"),
    ("call", "", ") ", r"(?:\d+ +)?\w+\(.*\) += "),
    ("bars", "", " | ", r"[^|]+ \| [^|]+ \| "),
    ("path", "", "/", r"\.{0,2}/?[\w.@-]+(?:/[\w.@-]+)+$"),
)
_TRIED = [(name, firsts, held, re.compile(begins)) for name, firsts, held, begins in _FORMATS]
_ANYWHERE = [each for each in _TRIED if not each[1]]
# The formats that a line with some first character may have.
_BY_FIRST = {
    first: [each for each in _TRIED if not each[1] or first in each[1]]
    for first in "".join(firsts for _, firsts, _, _ in _FORMATS)
}
_PROSE = re.compile(r"[^\x00-\x7f]{15}|\W*(?:[^\W\d_][\w'’-]*[,;:.]? ){9}")
# Lines of another kind that a run may hold side by side, and what makes a run long.
_MAX_GAP, _MIN_LINES, _MIN_SHARE = 2, 8, 0.1
_MAX_CHARS = 500
# A document on one line is a run of its own.
_LONG_CHARS = 1000


class Run(NamedTuple):
    """Lines [start, end) of one format."""

    start: int
    end: int
    format: str


@remembered
def sampled_formats(case: Case) -> list[str]:
    """The formats of the sampled lines."""
    return list(map(format_of, case.sample))


def long_runs(lines: Sequence[str], *, with_prose: bool = False) -> list[Run]:
    """The long runs of a text that several commands printed."""
    needed = max(_MIN_LINES, int(_MIN_SHARE * len(lines)))
    return [
        run
        for run in _runs(lines, with_prose)
        if run.end - run.start >= needed or len(lines[run.start]) >= _LONG_CHARS
    ]


def _runs(lines: Sequence[str], with_prose: bool) -> Iterator[Run]:
    start = last = -1
    current = ""
    for at, line in enumerate(lines):
        found = format_of(line) or ("prose" if with_prose and _PROSE.match(line) else "")
        if found and found == current and at - last <= _MAX_GAP + 1:
            last = at
        elif found and (found != current or at - last > _MAX_GAP + 1):
            if current:
                yield Run(start, last + 1, current)
            start, last, current = at, at, found
    if current:
        yield Run(start, last + 1, current)


def format_of(line: str) -> str:
    """The strict format of a line; empty for other lines."""
    if line[:1] in ("{", "[") and line[-1:] in ("}", "]"):
        return line[:_JSON_HEAD_CHARS]
    if line.count("\t") >= _MIN_TABS:
        return f"{line.count(chr(9))} tabs"
    for name, _, held, begins in _BY_FIRST.get(line[:1], _ANYWHERE):
        if held in line and begins.match(line, 0, _MAX_CHARS):
            return name
    return ""
