"""Logs: distinct shapes by example with counts, levels, every error with its neighbours.

A log is told by its times or levels: most lines have one near or at their beginning.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.reports import draft_report
from flowctx.reducers.sentences import Sentence, rank_sentences
from flowctx.reducers.shapes import mask_digits

_TIMED = re.compile(
    r"(?:\d{4}[-/.]\d\d[-/.]\d\d|\d\d[./]\d\d[./]\d{4}|(?<!\d)\d{1,2}:\d\d:\d\d"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d{1,2} |\d{2}/\w{3}/\d{4}"
    r"|\[ *\d{1,9}\.\d{3,6}\]|\[?\b1[4-9]\d{8}(?:\d{3}|\.\d+)?\b)"
)
_LEVEL = re.compile(
    r"\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL|trace|debug|info|notice|warn"
    r"|warning|error|critical|fatal)\b"
)
_LEVELLED = re.compile(
    r"[\[<(]?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)(?![\w=-])"
)
_CLOCK = re.compile(r"(?<!\d)([01]?\d|2[0-3]):([0-5]\d):([0-5]\d)")
# A pause is so many times as long as nine of ten waits, and so many seconds at least.
_TIMES_USUAL, _MIN_PAUSE, _MAX_PAUSES, _PAUSE_RANK = 20, 300, 3, 62.0
# Fields before a message; of values that nearly all lines share, few others stand once.
_MAX_FIELDS, _FIELD_CHARS, _MIN_SHARING, _SHARED = 8, 160, 5, 0.95
_MAX_LONE, _LONE_RANK = 4, 64.0
_MIN_SHARE = 0.75
_MIN_LINES = 10
_TIME_WITHIN, _LEVEL_WITHIN = 80, 120
# Lines of a talk hold a sentence behind their time, and each another one.
_MIN_WORDS = 6
_DIFFERENT_SHARE, _SAMPLE = 0.6, 100
_DIGITS = re.compile(r"\d+")
_PLAIN_WORD = re.compile(r"(?<!\S)[^\W\d_]+[.,;:!?]?(?!\S)")


def _find(case: Case) -> bool | None:
    is_log = len(case.filled) >= _MIN_LINES and (
        case.sampled_share_within(_TIMED, _TIME_WITHIN) >= _MIN_SHARE
        or case.sampled_share(_LEVELLED) >= _MIN_SHARE
    )
    return is_log or None


def _draft(case: Case, found: bool) -> Draft:
    del found
    levels = _levels(case)
    raised = _pauses(case) | _lone_fields(case) | ({} if levels else _talk(case))
    return draft_report(case, "log", None, told=levels, raised=raised)


def _pauses(case: Case) -> dict[int, float]:
    """The lines before and behind the longest times in which nothing was logged."""
    lines, last, before = case.document.lines, -1, -1
    waits: list[tuple[int, int, int]] = []
    for at in case.filled:
        clock = _CLOCK.search(lines[at], 0, _TIME_WITHIN)
        if clock:
            now = int(clock[1]) * 3600 + int(clock[2]) * 60 + int(clock[3])
            if before >= 0 and now > before:
                waits.append((now - before, last, at))
            last, before = at, now
    if len(waits) < _MIN_LINES:
        return {}
    usual = sorted(wait for wait, _, _ in waits)[len(waits) * 9 // 10]
    long = [each for each in waits if each[0] > max(_TIMES_USUAL * usual, _MIN_PAUSE)]
    few = sorted(long, reverse=True)[:_MAX_PAUSES] if len(long) <= _MAX_PAUSES else []
    return {at: _PAUSE_RANK for _, *ends in few for at in ends}


def _lone_fields(case: Case) -> dict[int, float]:
    """Lines whose thread, logger or component no other line has, where others share a few."""
    lines, found = case.document.lines, set[int]()
    heads = mask_digits("\n".join([lines[at][:_FIELD_CHARS] for at in case.filled])).split("\n")
    fields = [head.split(maxsplit=_MAX_FIELDS)[:_MAX_FIELDS] for head in heads]
    for column in zip_longest(*fields, fillvalue=""):
        counts = Counter(column)
        shared = sum(count for count in counts.values() if count >= _MIN_SHARING)
        if shared >= _SHARED * len(column):
            found |= {at for at, each in zip(case.filled, column, strict=True) if counts[each] == 1}
    return dict.fromkeys(found, _LONE_RANK) if len(found) <= _MAX_LONE else {}


def _talk(case: Case) -> dict[int, float]:
    """Of lines that people wrote, those that decide, ask or name something unusual."""
    document, sentences, at = case.document, [], []
    if not _differ([document.lines[line] for line in case.filled]):
        return {}
    for line in case.filled:
        timed = _TIMED.search(document.lines[line], 0, _TIME_WITHIN)
        start = document.starts[line] + (timed.end() if timed else 0)
        if start < document.line_end(line):
            sentences.append(Sentence(start, document.line_end(line), opens=False))
            at.append(line)
    words = sum(len(_PLAIN_WORD.findall(document.lines[line])) for line in at)
    if words < _MIN_WORDS * len(at):
        return {}
    return dict(zip(at, rank_sentences(case.words, sentences), strict=True))


def _differ(lines: Sequence[str]) -> bool:
    """True when hardly a line of a sample repeats another but for its numbers."""
    sample = lines[:: len(lines) // _SAMPLE + 1]
    return len({_DIGITS.sub("0", line) for line in sample}) >= _DIFFERENT_SHARE * len(sample)


def _levels(case: Case) -> str:
    """How many lines have which level, by the first level word near their beginning."""
    lines = case.document.lines
    found = (_LEVEL.search(lines[at], 0, _LEVEL_WITHIN) for at in case.filled)
    counts = Counter(match.group().lower() for match in found if match)
    return ", ".join(f"{level} {count}" for level, count in counts.most_common())


FAMILY = Family(
    "log",
    _find,
    _draft,
    looks_for="a time or a level in 75 % of the lines, at least 10",
    is_report=True,
)
