"""Threads, chats and mails whose turns have heads of their own: a name, and when it was."""

import re
from collections.abc import Sequence

from flowctx.reducers.case import Case, remembered
from flowctx.reducers.conversation import Talk, draft_talk, read_talk
from flowctx.reducers.families.family import Family
from flowctx.reducers.running import is_running, running_lines
from flowctx.reducers.turns import Turn, may_be_talk, read_turns

# So much of what is said stands in sentences.
_MIN_RUNNING = 0.35
# Of the lines of a talk at least this share is words.
_MIN_WORDED = 0.06
_QUOTED = re.compile(r"[\s>]*>")


@remembered
def _find(case: Case) -> Talk | None:
    if not _has_sentences(case) or not may_be_talk(case.document.lines):
        return None
    turns = read_turns(case.document.lines)
    is_talk = bool(turns) and _is_said(case.document.lines, turns)
    return read_talk(case, turns) if is_talk else None


def _has_sentences(case: Case) -> bool:
    """False where hardly a line is words: nobody says anything there."""
    return len(running_lines(case)) >= max(1, _MIN_WORDED * len(case.sample))


def _is_said(lines: Sequence[str], turns: Sequence[Turn]) -> bool:
    """True where much of what the turns hold is said in sentences."""
    bodies = [line for turn in turns for line in lines[turn.body : turn.end] if line.strip()]
    running = sum(len(line) for line in bodies if is_running(_QUOTED.sub("", line, count=1)))
    return bool(bodies) and running >= _MIN_RUNNING * sum(map(len, bodies))


FAMILY = Family(
    "talk", _find, draft_talk, looks_for="turns below lines that name a speaker and a time"
)
