"""What the host says of a result in the text itself: what it had cut away, how it ended.

OpenClaw keeps the beginning of an output that is over its limit, and of one whose end
looks important, which JSON always does, also up to 4,000 characters of the end.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from flowctx.reducers.document import Document

_AT_AN_EDGE = (
    (re.compile(r"\A\s*\[earlier output (?:was discarded|is omitted)[^\]\n]*\]"), "its beginning"),
    (re.compile(r"\[(?:…|\.{3}) ?\d+ more characters truncated[^\]\n]*\]"), "its end"),
    (
        re.compile(r"\[(?:…|\.{3}) ?\d+ (?:bytes|chars|characters|lines) truncated[^\]\n]*\]"),
        "a part",
    ),
    (re.compile(r"\[Content truncated[^\]\n]*\]", re.IGNORECASE), "its end"),
)
_HINTS = ("truncated", "earlier output")
_MIDDLE = re.compile(
    r"^(?:⚠️? ?)?\[(?:…|\.{3}) middle content omitted\b[^\]\n]*\]$"
    # A line of its own that counts what is gone, between dots or brackets.
    r"|^ {0,8}(?:[\[<(*-]{1,3} ?)?(?:…|\.{3})[\[( ]{0,3}[\d,]{1,12} "
    r"(?:bytes|chars|characters|tokens) (?:were )?(?:truncated|omitted|trimmed)"
    r"[\]) ]{0,3}(?:…|\.{3})(?: ?[\]>)*-]{1,3})?$(?=\s*\S)",
    re.MULTILINE,
)
# One of these is in every line that says so.
_WORDS = ("omitted", "truncated", "trimmed")
# What tools that run commands say before and behind the output.
_STATUS = re.compile(
    r"\W?(?:(?:command|process|program|script)\b.{0,80}?\b)?(?:exit(?:ed)?(?: with)?(?: exit)?"
    r"(?: code| status)?|return code|rc)[:= ] ?-?\d{1,10}\W{0,2}"
    r"|\W?(?:command|process)?\b.{0,40}\b(?:timed out after|still running|was killed|killed by)"
    r"\b.{0,160}"
    r"|\W?(?:stdout|stderr|output|wall time|duration|elapsed)\s*:(?: ?[\d.,]{1,12} ?\w{0,12})?\W?"
    r"|\[[^\[\]]{0,20}\b(?:output|content|results?)\b[^\[\]]{0,40}"
    r"\b(?:truncated|omitted|discarded|cut)\b.*\]"
    r"|(?:warning: )?\d[\d,.]* (?:bytes|lines|characters)\b.{0,40}"
    r"\b(?:dropped|truncated|omitted|not shown).*"
    r"|(?:real|user|sys)\s+\d+m[\d.]+s",
    re.IGNORECASE,
)
# One of these is in every such line.
_STATUS_WORDS = (
    *("exit", "return code", "rc", "timed out after", "still running", "killed", "stdout"),
    *("stderr", "output", "wall time", "duration", "elapsed", "truncated", "omitted"),
    *("discarded", "cut", "dropped", "not shown", "real", "user", "sys"),
)
_CODE = re.compile(r"-?\d{1,9}\b")
_EDGE_LINES, _STATUS_CHARS = 4, 240
# The host's own marks stand at the edges of a text; a log that quotes them was not cut.
_EDGE_CHARS = 600


def host_cut(text: str) -> str:
    """A note on what the host itself had cut away; empty when it had cut nothing."""
    if is_cut_within(text):
        # The mark behind such a text counts what is gone in its middle.
        return "the host had cut its middle before"
    edges = (text[:_EDGE_CHARS], text[-_EDGE_CHARS:])
    if not any(word in edge for word in _HINTS for edge in edges):
        return ""
    lost = [part for pattern, part in _AT_AN_EDGE if any(pattern.search(edge) for edge in edges)]
    return f"the host had cut {' and '.join(lost)} before" if lost else ""


@lru_cache(maxsize=2)
def is_cut_within(text: str) -> bool:
    """True where a line says that what stood there is gone; asked several times of each text."""
    return any(word in text for word in _WORDS) and bool(_MIDDLE.search(text))


def middle_cuts(document: Document) -> Iterator[int]:
    """Lines in which the host says that what stood there is gone."""
    if is_cut_within(document.text):
        for mark in _MIDDLE.finditer(document.text):
            yield document.line_at(mark.start())


def status_lines(document: Document) -> Iterator[int]:
    """Lines at the edges in which the host says how a command ended, or labels its output."""
    lines = document.lines
    for order in (range(len(lines)), range(len(lines) - 1, -1, -1)):
        for at in islice(order, _EDGE_LINES):
            line = lines[at].strip()
            if line and not _is_status(line):
                break
            if line:
                yield at


def _is_status(line: str) -> bool:
    if len(line) > _STATUS_CHARS:
        return False
    lowered = line.lower()
    return any(map(lowered.__contains__, _STATUS_WORDS)) and bool(_STATUS.fullmatch(line))


def stated_exit_code(line: str) -> int | None:
    """The exit code that a line of the host names."""
    code = _CODE.search(line) if "exit" in line.lower() else None
    return int(code.group()) if code else None
