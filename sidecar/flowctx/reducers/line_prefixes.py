"""What stands before every line of a text and is no part of it: times, names, numbers, a margin.

`ts`, `nl`, compose, kubectl, CI runners and container logs write such prefixes.
The text behind them is found line by line, with the way back to where it stands.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.document import Document
from flowctx.reducers.embedded import label_end
from flowctx.reducers.escapes import Unescaped

_TIME = re.compile(
    r"(?:\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]|\d\d[./]\d\d[./]\d{4} )?\d{1,2}:\d\d:\d\d"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d"
    r"|\[ *\d{1,9}\.\d{3,6}|\d{10}\.\d{3,9})"
    r"(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?(?: (?:stdout|stderr) [FP](?= |$))?(?:[ \t]|$)"
)
# What a CI service puts before the lines of a job: none of them is a log's own.
_JOB = re.compile(rf"[^\t]{{1,80}}\t[^\t]{{1,80}}\t\ufeff?{_TIME.pattern}")
_NUMBER = re.compile(r"\s*(\d{1,7})(?:[→\t|│:)]|$)")
_NAME = re.compile(
    r"([\w./@-]{1,60} *\||\[[\w:./@-]{1,100}\]|[a-z0-9.-]+-[a-z0-9]{5} [a-z0-9.-]+)(?: |$)"
)
_LABEL = re.compile(r"[\w./@-]{1,60}:(?: |$)")
_MARGIN = re.compile(r"[>│┃](?: |$)")
_BLANK_PAIRS = ((" ", " "), ("\t", "\t"))
_LEVEL = re.compile(
    r"\[?(?:trace|debug|info|notice|warn|warning|error|critical|fatal)\]?", re.IGNORECASE
)
# One line of a container's log, as Docker's json-file driver writes it.
_FRAMED = re.compile(
    r'\{"log":"((?:[^"\\]|\\.)*?)(?:\\r)?(?:\\n)?","stream":"std(?:out|err)"'
    r'(?:,"\w+":(?:"[^"\\]*"|\{[^{}]*\}))*\}$'
)
_LOG, _BLANK = re.compile(r'\{"log":"'), re.compile(r"[ \t]")
_MIN_LINES, _FIRST_LOOK = 8, 8
_FIRST_LINES, _HEAD_CHARS, _GLANCE_CHARS = 3, 2000, 200
# Lines that have the prefix, and numbers that follow one another.
_MIN_SHARE, _IN_ORDER = 0.95, 0.9
_MAX_NAMES, _LINES_PER_NAME = 12, 20
_MAX_PREFIXES = 3
# Messages neither are blank nor begin with blanks, but for a few that go on below.
_NO_MESSAGES = 0.1


class Span(NamedTuple):
    """Characters [start, end) of the text that hold what a line says."""

    start: int
    end: int


class _Widths(NamedTuple):
    """How many characters of each line are a prefix, and whether that tells something."""

    widths: list[int]
    tells: bool


@dataclass(frozen=True, slots=True)
class Prefixed:
    """A text behind prefixes.

    Attributes:
        outer: the text with them.
        inner: the text without; it has the same lines.
        spans: where each line of it stands.
        may_be_log: the prefixes are times or names, and each line may be a message.
        is_escaped: the lines stand in strings of JSON.
    """

    outer: Document
    inner: Document
    spans: Sequence[Span]
    may_be_log: bool
    is_escaped: bool = False

    def place(self, offset: int) -> int:
        """Where the character at an offset of the inner text stands."""
        line = self.inner.line_at(offset)
        column = offset - self.inner.starts[line]
        start, end = self.spans[line]
        if self.is_escaped and self.outer.text.find("\\", start, end) >= 0:
            return Unescaped.read(self.outer.text, start, end).place(column)
        return start + column


def read_prefixed(case: Case) -> Prefixed | None:
    """The text behind the prefixes of a text; None where it has none."""
    document = case.document
    if "\n" not in document.text:
        return _read_labelled(document)
    if not _may_begin(document.text) or len(case.filled) < _MIN_LINES:
        return None
    probed = case.sampled[:_FIRST_LOOK]
    if all(_FRAMED.match(document.lines[at]) for at in probed):
        return _read_framed(document)
    lines, may_be_log = document.lines, False
    widths = [0] * len(lines)
    for _ in range(_MAX_PREFIXES):
        found = next(filter(None, (find(lines, probed) for find in _FINDERS)), None)
        if found is None:
            break
        stripped = [line[width:] for line, width in zip(lines, found.widths, strict=True)]
        are_messages = sum(map(_is_no_message, stripped)) < _NO_MESSAGES * len(lines)
        if found.tells and are_messages and any(widths) and not may_be_log:
            # Behind a margin stands a log.
            break
        lines, may_be_log = stripped, (found.tells or may_be_log) and are_messages
        widths = [sum(both) for both in zip(widths, found.widths, strict=True)]
    if lines is document.lines:
        return None
    ends = map(document.line_end, range(len(lines)))
    starts = map(sum, zip(document.starts, widths, strict=True))
    return Prefixed(document, _inner(document, lines), list(map(Span, starts, ends)), may_be_log)


def _may_begin(text: str) -> bool:
    """A glance at the first lines, before all of them are told apart."""
    first = [line[:_GLANCE_CHARS] for line in text[:_HEAD_CHARS].split("\n")[:_FIRST_LINES]]
    if first[0][:1] in ("{", "["):
        first = first[:1]
    patterns = (_TIME, _JOB, _NUMBER, _NAME, _LABEL, _MARGIN, _BLANK, _LOG)
    return any(pattern.match(line) for line in first if line for pattern in patterns)


def _is_no_message(line: str) -> bool:
    return not line or line[0] in " \t"


def _inner(outer: Document, lines: Sequence[str]) -> Document:
    return Document("\n".join(lines), outer.cleaning, outer.first, outer.numbers)


def _read_labelled(document: Document) -> Prefixed | None:
    """A document on one line, behind what says what it is."""
    start = label_end(document.text)
    inner = _inner(document, [document.text[start:]])
    span = Span(start, len(document.text))
    return Prefixed(document, inner, [span], may_be_log=False) if start else None


def _read_framed(document: Document) -> Prefixed | None:
    """The text in the lines of a container's log; None where a line is no such or holds several."""
    framed = [_FRAMED.match(line) for line in document.lines]
    spans, lines = [], []
    for match, start in zip(framed, document.starts, strict=True):
        if match is None:
            return None
        spans.append(Span(start + match.start(1), start + match.end(1)))
        said = match.group(1)
        lines.append(Unescaped.read(said, 0, len(said)).text if "\\" in said else said)
    if any("\n" in line or "\r" in line or "\b" in line for line in lines):
        return None
    return Prefixed(document, _inner(document, lines), spans, may_be_log=False, is_escaped=True)


def _matched(
    lines: Sequence[str], probed: Sequence[int], pattern: re.Pattern[str]
) -> list[re.Match[str] | None]:
    """The pattern at the beginning of each line; nothing where too few lines have it."""
    if not all(pattern.match(lines[at]) for at in probed):
        return []
    found = list(map(pattern.match, lines))
    without = sum(1 for line, match in zip(lines, found, strict=True) if line and not match)
    return found if without <= (1 - _MIN_SHARE) * len(lines) else []


def _widths_of(found: Sequence[re.Match[str] | None], *, tells: bool) -> _Widths | None:
    widths = [match.end() if match else 0 for match in found]
    return _Widths(widths, tells) if widths else None


def _times(lines: Sequence[str], probed: Sequence[int]) -> _Widths | None:
    return _widths_of(_matched(lines, probed, _TIME), tells=True)


def _jobs(lines: Sequence[str], probed: Sequence[int]) -> _Widths | None:
    return _widths_of(_matched(lines, probed, _JOB), tells=False)


def _numbers(lines: Sequence[str], probed: Sequence[int]) -> _Widths | None:
    """Numbers of lines, each one more than that above it."""
    found = _matched(lines, probed, _NUMBER)
    numbers = [int(match.group(1)) for match in found if match]
    in_order = sum(1 for a, b in pairwise(numbers) if b == a + 1)
    return _widths_of(found, tells=False) if in_order >= _IN_ORDER * len(lines) else None


def _names(lines: Sequence[str], probed: Sequence[int]) -> _Widths | None:
    """A few names of what printed the lines; the bars of a table and levels are none."""
    found = _matched(lines, probed, _NAME)
    names = {match.group().strip() for match in found if match}
    if not 0 < len(names) <= min(_MAX_NAMES, len(lines) // _LINES_PER_NAME + 1):
        return None
    if any(map(_LEVEL.fullmatch, names)) or all(lines[at].count(" | ") > 1 for at in probed):
        return None
    return _widths_of(found, tells=True)


def _label(lines: Sequence[str], probed: Sequence[int]) -> _Widths | None:
    """One label, the same before every line."""
    found = _matched(lines, probed, _LABEL)
    is_one = len({match.group().strip() for match in found if match}) == 1
    return _widths_of(found, tells=True) if is_one else None


def _margin(lines: Sequence[str], probed: Sequence[int]) -> _Widths | None:
    return _widths_of(_matched(lines, probed, _MARGIN), tells=False)


def _indentation(lines: Sequence[str], probed: Sequence[int]) -> _Widths | None:
    """The blanks that all lines begin with."""
    probes = [lines[at] for at in probed]
    if not all(line[:1] in (" ", "\t") for line in probes) or all(map(_NUMBER.match, probes)):
        return None
    filled = [line for line in lines if line and not line.isspace()]
    # What the first and the last in order share, all between them share.
    both = zip(min(filled), max(filled), strict=False)
    width = sum(1 for _ in takewhile(lambda pair: pair in _BLANK_PAIRS, both))
    return _Widths([min(width, len(line)) for line in lines], tells=False) if width else None


_FINDERS: tuple[Callable[[Sequence[str], Sequence[int]], _Widths | None], ...] = (
    _times,
    _jobs,
    _numbers,
    _names,
    _label,
    _margin,
    _indentation,
)
