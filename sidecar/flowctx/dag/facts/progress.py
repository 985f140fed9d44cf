"""What was done, decided and left open, in the words it was said in.

A sentence counts once, under the strongest thing it says: what is open before
what failed, that before what is done. What is open is read from the newest
state alone: an older plan is no longer one.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from flowctx.dag.facts.facts import Fact, Failure
from flowctx.dag.source.language import text_language
from flowctx.dag.source.source import SourceLine, SourceTurn
from flowctx.dag.wording.lexicon import CueKind, lexicon
from flowctx.dag.wording.prose import is_question, sentences
from flowctx.tokens import estimate_tokens

# Longer sentences tell a story, not a state.
_SENTENCE_MAX_CHARS = 400
# Shorter ones ("Done.") do not say of what.
_SENTENCE_MIN_TOKENS = 3
# How many turns back an open state is still the newest one.
_OPEN_TURNS = 2
# Per message: a report that lists more is kept in the message itself.
_MOST_PER_MESSAGE = 6

_ORDER: tuple[CueKind, ...] = ("next", "failed", "done", "decided")
# Who may say it: users decide and judge, the assistant reports.
_SAID_BY = {"assistant": _ORDER, "user": ("failed", "decided")}

_PLAN_TOOLS = frozenset({"todowrite", "updateplan", "plan", "todo", "writetodos"})
_NOT_WORD = re.compile(r"[\W_]+")
_ITEM_KEYS = ("content", "step", "task", "title", "subject", "text")

_COMPLETED = frozenset({"completed", "complete", "done"})
_CALLED_OFF = frozenset({"cancelled", "canceled", "skipped", "dropped", "removed", "deleted"})

State = Literal["done", "open"]


@dataclass(slots=True)
class Progress:
    """Facts by what they say, oldest first."""

    done: list[Fact] = field(default_factory=list)
    failed: list[Failure] = field(default_factory=list)
    decided: list[Fact] = field(default_factory=list)
    open: list[Fact] = field(default_factory=list)


def find_progress(turns: Sequence[SourceTurn], language: str) -> Progress:
    """Read the state of work from what user and assistant said, and from plan tools."""
    progress = Progress()
    said: dict[CueKind, dict[str, Fact]] = {kind: {} for kind in _ORDER}
    for turn in turns:
        for line in turn.lines:
            for kind, text in _sentences_of(line, language):
                said[kind].pop(text, None)
                said[kind][text] = Fact(text, turn.number, line.digest)
    plan = list(_plan_items(turns))
    progress.failed = [Failure(f.text, f.turn, f.digest) for f in said["failed"].values()]
    progress.decided = list(said["decided"].values())
    progress.done = [*said["done"].values(), *(fact for fact, state in plan if state == "done")]
    progress.open = [*_newest_open(turns, language), *(f for f, state in plan if state == "open")]
    return progress


def is_plan_tool(tool: str) -> bool:
    """True for a tool that is given a plan or a list of tasks."""
    return _NOT_WORD.sub("", tool).lower() in _PLAN_TOOLS


def _sentences_of(line: SourceLine, language: str) -> Iterator[tuple[CueKind, str]]:
    kinds = _SAID_BY.get(line.role)
    if not kinds:
        return
    cues = lexicon(text_language(line.text) or language).cues
    count = 0
    for sentence in sentences(line.text):
        if not _is_statement(sentence):
            continue
        kind = next((kind for kind in kinds if cues[kind].found_in(sentence)), None)
        if kind == "done" and cues["unsure"].found_in(sentence):
            continue
        if kind is not None and count < _MOST_PER_MESSAGE:
            count += 1
            yield kind, sentence


def _is_statement(sentence: str) -> bool:
    says_enough = estimate_tokens(sentence) >= _SENTENCE_MIN_TOKENS
    return says_enough and len(sentence) <= _SENTENCE_MAX_CHARS and not is_question(sentence)


def _newest_open(turns: Sequence[SourceTurn], language: str) -> list[Fact]:
    """What the last message that names something open says; what no one answered else."""
    for turn in reversed(turns[-_OPEN_TURNS:]):
        for line in reversed(turn.lines):
            found = [text for kind, text in _sentences_of(line, language) if kind == "next"]
            if found:
                return [Fact(text, turn.number, line.digest) for text in found]
            if line.role == "assistant":
                break
    return []


def _plan_items(turns: Sequence[SourceTurn]) -> Iterator[tuple[Fact, State]]:
    """The items of the newest plan that a planning tool was given, and what older ones had done."""
    plans = [
        (line, turn.number)
        for turn in turns
        for line in turn.lines
        if line.role == "tool" and line.arguments and is_plan_tool(line.tool)
    ]
    seen = {text for line, _ in plans[-1:] for text, _ in _items(line.arguments)}
    for line, number in plans[:-1]:
        for text, state in _items(line.arguments):
            if state == "done" and text not in seen:
                seen.add(text)
                yield Fact(text, number, line.digest), state
    for line, number in plans[-1:]:
        for text, state in _items(line.arguments):
            yield Fact(text, number, line.digest), state


def _items(arguments: str) -> Iterator[tuple[str, State]]:
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return
    lists = [part for part in value.values() if isinstance(part, list)] if _is_map(value) else []
    for item in (item for part in lists for item in part if _is_map(item)):
        text = next((item[key] for key in _ITEM_KEYS if isinstance(item.get(key), str)), "")
        status = str(item.get("status", "")).lower()
        if (said := " ".join(text.split())[:_SENTENCE_MAX_CHARS]) and status not in _CALLED_OFF:
            yield said, "done" if status in _COMPLETED else "open"


def _is_map(value: Any) -> bool:
    return isinstance(value, dict)
