"""Reading back from notes what they hold, so that the note that replaces them can be held to it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

from flowctx.dag.facts.extract import limited
from flowctx.dag.facts.facts import (
    Constraint,
    Fact,
    Failure,
    FileAction,
    FileTouch,
    KeepLimits,
    MustKeep,
)
from flowctx.dag.facts.mentions import rank_mentions
from flowctx.dag.notes.flagging import without_flagged
from flowctx.dag.notes.note import note_text
from flowctx.dag.notes.sections import KEPT, Section, bullets_of, parse_sections
from flowctx.dag.source.source import SourceLine, SourceTurn
from flowctx.dag.wording.lexicon import LANGUAGES, labels_of, lexicon
from flowctx.tokens import estimate_total

_AnyFact = TypeVar("_AnyFact", bound=Fact)

_LABEL = re.compile(r"^\[([^\]\n]{1,120})\]\s+(.*)$")
_ARROW = " → "
# A note is about this much shorter than what it stands for.
_SOURCE_OF_NOTE = 8
# A rolling note may hold what a full leaf may, however little it held before.
_LEAF_TOKENS = 40_000
_SEEN_ELSEWHERE = "(↓"
_OMITTED = re.compile(r"^\[… .* …\]$")


def recalled(notes: Sequence[str], *, limits: KeepLimits | None = None) -> MustKeep:
    """What some notes hold, oldest first; of what is open only the last note counts.

    Lines that code wrote are facts as they were found. Those of a model may be its
    own words: they are limited apart, and stand before the others, which so have
    the last word.
    """
    bodies = [without_flagged(note_text(note)) for note in notes]
    limits = limits or KeepLimits().scaled(_SOURCE_OF_NOTE * estimate_total(bodies))
    read = [_facts_of(body, number) for number, body in enumerate(bodies, start=1)]
    told = limited(merged(told for told, _ in read), limits)
    recorded = limited(merged(recorded for _, recorded in read), limits)
    turns = [
        SourceTurn((SourceLine("summary", body),), number)
        for number, body in enumerate(bodies, start=1)
    ]
    named = limited(MustKeep(identifiers=tuple(rank_mentions(turns))), limits)
    whole = merged([told, recorded, named])
    finished = {fact.text for fact in whole.done}
    newest = (fact for fact in (*told.open, *recorded.open) if fact.text not in finished)
    # The last thing that was asked for must be told last, whoever wrote it down.
    asks = sorted(whole.asks, key=lambda ask: (ask.turn, bodies[ask.turn - 1].find(ask.text)))
    return replace(whole, asks=tuple(asks), open=tuple(newest))


def carried(prior_note: str, facts: MustKeep, *, limits: KeepLimits | None = None) -> MustKeep:
    """What a rolling note must hold: what its prior holds, and what was found since."""
    source_tokens = max(_SOURCE_OF_NOTE * estimate_total([prior_note]), _LEAF_TOKENS)
    bounds = limits or KeepLimits().scaled(source_tokens)
    return limited(merged([recalled([prior_note], limits=bounds), facts]), bounds)


def merged(parts: Iterable[MustKeep]) -> MustKeep:
    """Several finds as one: the same thing said again stands where it was said last.

    What is open is that of the last part; what was done since is open no more.
    """
    listed = list(parts)
    done = _distinct(fact for part in listed for fact in part.done)
    finished = {fact.text for fact in done}
    return MustKeep(
        asks=_distinct(fact for part in listed for fact in part.asks),
        constraints=_distinct(fact for part in listed for fact in part.constraints),
        failed=_distinct(fact for part in listed for fact in part.failed),
        done=done,
        decided=_distinct(fact for part in listed for fact in part.decided),
        open=tuple(f for part in listed[-1:] for f in part.open if f.text not in finished),
        identifiers=_distinct(fact for part in listed for fact in part.identifiers),
        runs=_distinct(fact for part in listed for fact in part.runs),
        files=_distinct(fact for part in listed for fact in part.files),
        elsewhere=tuple(fact for part in listed for fact in part.elsewhere),
    )


def _distinct(facts: Iterable[_AnyFact]) -> tuple[_AnyFact, ...]:
    found: dict[tuple[str, str], _AnyFact] = {}
    for fact in facts:
        key = fact.text, getattr(fact, "reason", "") or getattr(fact, "kind", "")
        found.pop(key, None)
        found[key] = fact
    return tuple(found.values())


def _facts_of(body: str, number: int) -> tuple[MustKeep, MustKeep]:
    """What a note tells in the words of a model, and what it records in those of code."""
    lines = [
        _read_line(line, section)
        for section in parse_sections(body)
        for line in bullets_of(section)
        if _says_something(line)
    ]
    told = [line for line in lines if not line.is_recorded]
    recorded = [line for line in lines if line.is_recorded]
    return _facts_in(told, number), _facts_in(recorded, number)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a note: what it is about, its text, and whether code wrote it."""

    about: str
    text: str
    detail: str = ""
    is_recorded: bool = False


def _facts_in(lines: Sequence[_Line], number: int) -> MustKeep:
    def about(name: str) -> list[_Line]:
        return [line for line in lines if line.about == name]

    def facts(name: str) -> tuple[Fact, ...]:
        return tuple(Fact(line.text, number) for line in about(name))

    return MustKeep(
        asks=tuple(fact for fact in facts("goal") if _is_ask(fact.text)),
        constraints=tuple(
            Constraint(line.text, number, sender=line.detail) for line in about("constraints")
        ),
        failed=tuple(_failure(line.text, number) for line in about("failed")),
        done=facts("done"),
        decided=facts("decided"),
        open=facts("next"),
        files=tuple(_files(about("files"), number)),
    )


def _read_line(line: str, section: Section) -> _Line:
    """A line is about what its label says where code wrote it, else what its section is about."""
    match = _LABEL.match(line)
    if match:
        label, _, detail = match.group(1).partition(":")
        about = _label_names().get(label.strip())
        if about:
            return _Line(about, match.group(2), detail.strip(), is_recorded=True)
    return _Line("" if section.key == KEPT else section.key, line)


def _says_something(line: str) -> bool:
    if line.startswith(_SEEN_ELSEWHERE) or _OMITTED.match(line):
        return False
    return line.rstrip(".。") not in labels_of("none")


def _is_ask(text: str) -> bool:
    # A digest lists under an ask what was done about it.
    return not text.startswith(("`", "= ", "→ "))


def _failure(text: str, number: int) -> Failure:
    attempt, _, reason = text.partition(_ARROW)
    return Failure(attempt, number, reason=reason)


def _files(lines: Iterable[_Line], number: int) -> Iterator[FileTouch]:
    for line in lines:
        action: FileAction = "written" if line.detail == "written" else "read"
        for path in line.text.split():
            if "/" in path or "." in path:
                yield FileTouch(path.strip("`,;"), number, action=action)


@cache
def _label_names() -> dict[str, str]:
    names = {
        "constraint": "constraints", "failure": "failed", "done": "done", "decided": "decided",
        "next": "next", "goal": "goal", "files": "files", "identifiers": "identifiers",
        "already_done": "done", "failed_before": "failed",
    }  # fmt: skip
    return {
        lexicon(code).labels[label]: name for code in LANGUAGES for label, name in names.items()
    }
