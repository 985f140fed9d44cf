"""What people said, a line each behind its time: transcripts, chats, dated notes.

Each line is a sentence of its own. That one speaks of an error says of no
program that it failed, so that lines are weighed as in prose and not as in logs.
"""

import re
from collections.abc import Sequence

from flowctx.reducers.case import Case
from flowctx.reducers.conversation import draft_turns
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.turns import Turn

# The line's number, a date, a time of day or a stretch of them, and who speaks.
_TIMED = (
    r"\s{0,12}(?:\d{1,6}[\t:|→ ]\s{0,4})?\W{0,4}"
    r"(?:\d{4}[-/.]\d\d[-/.]\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d\d)"
    r"[\dT:.,/Z -]{0,20}(?:-->[ \d:.,]{5,16})?[\])]?[:,]?\s+"
)
_SAID_AT = re.compile(rf"{_TIMED}(?:<[^>\n]{{1,32}}>|- )?\s*")
_TIME = re.compile(rf"{_TIMED}(?:- )?")
# Who says it; of so many lines most have one, and each of a few says much.
_SPEAKER = re.compile(r"(?:<@?([\w .'’()-]{1,40})>|([\w][\w .'’()&-]{0,40}):)\s+\S")
_MIN_SPOKEN, _MAX_SPEAKERS, _MIN_SAID = 0.7, 0.5, 2.5
# What programs write and people hardly do.
_WRITTEN = re.compile(r"[={}|\\]|\w\[\d|\w/\w+/|::|\b[\w-]+\.[\w-]+\.[\w-]+")
_MAX_WRITTEN = 0.15
_LEVEL = re.compile(r"\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b")
_CLOSED = re.compile(r"[.!?…。！？][\"'”’»)`*]*\s*\Z")
_DIGITS = re.compile(r"\d+")
_MIN_LINES, _MIN_TIMED, _MIN_WORDS = 10, 0.75, 6
# Sentences end as such, and hardly one repeats another but for its numbers.
_MIN_CLOSED, _MIN_DIFFERENT, _MAX_LEVELLED = 0.5, 0.8, 0.05


def _find(case: Case) -> list[Turn] | None:
    if len(case.filled) < _MIN_LINES or case.sampled_share(_SAID_AT) < _MIN_TIMED:
        return None
    if not (_is_spoken(case.sample) or _is_chat(case)):
        return None
    lines = case.document.lines
    begun = [(at, found) for at in case.filled if (found := _SAID_AT.match(lines[at]))]
    ends = [at for at, _ in begun[1:]] + [len(lines)]
    return [_turn(at, end, lines[at], found) for (at, found), end in zip(begun, ends, strict=True)]


def _turn(at: int, end: int, line: str, found: re.Match[str]) -> Turn:
    """A turn that begins within a line, behind a time and perhaps a name."""
    time = _TIME.match(line)
    named = _SPEAKER.match(line, time.end()) if time else None
    column = named.end() - 1 if named else found.end()
    # Only what a blank sets apart can be told from what is said.
    column = column if line[column - 1 : column].isspace() and column < len(line) else 0
    return Turn(named.group(named.lastindex or 0) if named else "", (at,), at, at, end, column)


def _is_spoken(lines: Sequence[str]) -> bool:
    """True for whole sentences that differ, none of which has a level."""
    bodies = [_SAID_AT.sub("", line, count=1) for line in lines]
    closed = sum(1 for body in bodies if _CLOSED.search(body))
    levelled = sum(1 for line in lines if _LEVEL.search(line))
    return (
        closed >= _MIN_CLOSED * len(bodies)
        and levelled <= _MAX_LEVELLED * len(bodies)
        and len({_DIGITS.sub("0", body) for body in bodies}) >= _MIN_DIFFERENT * len(bodies)
        and sum(len(body.split()) for body in bodies) >= _MIN_WORDS * len(bodies)
    )


def _is_chat(case: Case) -> bool:
    """True for what a few people say, in words of a language and hardly as programs write."""
    bodies = [_TIME.sub("", line, count=1) for line in case.sample]
    speakers = [match.group(match.lastindex or 0) for match in map(_SPEAKER.match, bodies) if match]
    written = sum(1 for body in bodies if _WRITTEN.search(body))
    levelled = sum(1 for line in case.sample if _LEVEL.search(line))
    return (
        len(speakers) >= _MIN_SPOKEN * len(bodies)
        and 2 <= len(set(speakers)) <= _MAX_SPEAKERS * len(speakers)
        and max(written, levelled) <= _MAX_WRITTEN * len(bodies)
        and sum(len(body.split()) for body in bodies) >= _MIN_SAID * len(bodies)
        and bool(case.words.languages)
    )


def _draft(case: Case, turns: list[Turn]) -> Draft:
    return draft_turns(case, turns)


FAMILY = Family("talk", _find, _draft, looks_for="sentences that differ, each behind its time")
