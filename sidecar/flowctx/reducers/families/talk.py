"""What people said, a line each behind its time: transcripts, chats, dated notes.

Each line is a sentence of its own. That one speaks of an error says of no
program that it failed, so that lines are weighed as in prose and not as in logs.
"""

import re
from collections.abc import Sequence

from flowctx.reducers.case import Case
from flowctx.reducers.conversation import Talk, draft_talk, read_talk
from flowctx.reducers.families.family import Family
from flowctx.reducers.running import count_words, is_running
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
# Roles in what is written down of a talk; a few of them, again and again, head what is said.
_ROLE = re.compile(
    r"[ \t]{0,4}(?:#{1,6} |\*\*|\[|<)?"
    r"(?P<role>(?:User|Assistant|Human|AI|System|Agent|Subagent|Tool|Bot|Model|Claude|ChatGPT|GPT|Gemini|Interviewer|Moderator|Host|Guest|Speaker|Nutzer|Benutzer|Assistent"
    r"|Utilisateur|Usuario|Asistente|Question|Answer|Frage|Antwort|Q|A|用户|助手|ユーザー|アシスタント)"
    r"(?: ?[0-9A-Z]{1,2})?)(?:\*\*|\]|>)?\s?[:：](?:\*\*)?(?=\s|\Z)",
)
_MIN_ROLES, _MIN_RUNNING = 6, 0.5
_LEVEL = re.compile(r"\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b")
_CLOSED = re.compile(r"[.!?…。！？][\"'”’»)`*]*\s*\Z")
_DIGITS = re.compile(r"\d+")
_MIN_LINES, _MIN_TIMED, _MIN_WORDS = 10, 0.75, 6
# Sentences end as such, and hardly one repeats another but for its numbers.
_MIN_CLOSED, _MIN_DIFFERENT, _MAX_LEVELLED = 0.5, 0.8, 0.05


def _find(case: Case) -> Talk | None:
    turns = _turns(case)
    return read_talk(case, turns) if turns else None


def _turns(case: Case) -> list[Turn] | None:
    if _ROLE.match(case.document.text) or case.sampled_share(_ROLE):
        return _roles(case)
    if len(case.filled) < _MIN_LINES or case.sampled_share(_SAID_AT) < _MIN_TIMED:
        return None
    if not (_is_spoken(case.sample) or _is_chat(case)):
        return None
    lines = case.document.lines
    begun = [(at, found) for at in case.filled if (found := _SAID_AT.match(lines[at]))]
    ends = [at for at, _ in begun[1:]] + [len(lines)]
    return [_turn(at, end, lines[at], found) for (at, found), end in zip(begun, ends, strict=True)]


def _roles(case: Case) -> list[Turn] | None:
    """Turns of a few roles, where most of what they hold is running text."""
    lines = case.document.lines
    begun = [(at, found) for at in case.filled if (found := _ROLE.match(lines[at]))]
    bodies = [lines[at] for at in case.sampled]
    running = sum(len(line) for line in bodies if is_running(line))
    if len(begun) < _MIN_ROLES or running < _MIN_RUNNING * sum(map(len, bodies)):
        return None
    ends = [at for at, _ in begun[1:]] + [len(lines)]
    turns = [
        _behind(found.end() + 1, found["role"], at, end, lines[at])
        for (at, found), end in zip(begun, ends, strict=True)
    ]
    return turns if len({turn.speaker for turn in turns}) > 1 else None


def _turn(at: int, end: int, line: str, found: re.Match[str]) -> Turn:
    """A turn that begins within a line, behind a time and perhaps a name."""
    time = _TIME.match(line)
    named = _SPEAKER.match(line, time.end()) if time else None
    column = named.end() - 1 if named else found.end()
    return _behind(column, named.group(named.lastindex or 0) if named else "", at, end, line)


def _behind(column: int, speaker: str, at: int, end: int, line: str) -> Turn:
    """A turn of lines [at, end) whose head takes the first characters of the first line."""
    if not line[column:].strip():
        return Turn(speaker, (at,), at, at + 1, end)
    # Only what a blank sets apart can be told from what is said.
    return Turn(speaker, (at,), at, at, end, column if line[column - 1].isspace() else 0)


def _is_spoken(lines: Sequence[str]) -> bool:
    """True for whole sentences that differ, none of which has a level."""
    bodies = [_SAID_AT.sub("", line, count=1) for line in lines]
    closed = sum(1 for body in bodies if _CLOSED.search(body))
    levelled = sum(1 for line in lines if _LEVEL.search(line))
    return (
        closed >= _MIN_CLOSED * len(bodies)
        and levelled <= _MAX_LEVELLED * len(bodies)
        and len({_DIGITS.sub("0", body) for body in bodies}) >= _MIN_DIFFERENT * len(bodies)
        and sum(count_words(body) for body in bodies) >= _MIN_WORDS * len(bodies)
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
        and sum(count_words(body) for body in bodies) >= _MIN_SAID * len(bodies)
        and bool(case.words.languages)
    )


FAMILY = Family("talk", _find, draft_talk, looks_for="sentences that differ, each behind its time")
