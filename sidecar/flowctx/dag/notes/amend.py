"""What code adds to a model's note: whatever it left out, and what it put in the wrong place.

A model's words are never rewritten. Code speaks in lines of its own: in a last
section for what is missing, and at the end of a section whose lines contradict
the record.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flowctx.dag.facts.facts import Fact, Failure, MustKeep
from flowctx.dag.facts.factsheet import (
    constraint_lines,
    failure_lines,
    failure_text,
    file_lines,
    identifier_lines,
    state_lines,
)
from flowctx.dag.facts.identifiers import identifiers_in
from flowctx.dag.facts.occurrence import occurs, squeezed
from flowctx.dag.notes.sections import KEPT, Section, section_text
from flowctx.dag.wording.lexicon import lexicon

_STEP = re.compile(
    r"(?:\b(?:steps?|phases?|tasks?|stages?|schritte?|étapes?|pasos?|fases?|шаг\w*|этап\w*)"
    r"|步骤|步驟|阶段|ステップ|手順|단계)[ \t]*#?"
    r"(\d+(?:[ \t]*(?:,|、|and|und|et|y|и|和|と|-|–|&)[ \t]*\d+)*)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
_QUOTED = re.compile(r"`([^`\n]{3,})`")


@dataclass(frozen=True, slots=True)
class Addition:
    """Lines that code adds under one heading, the most important first."""

    lines: tuple[str, ...]
    facts: tuple[Fact, ...]


def missing_facts(sections: tuple[Section, ...], facts: MustKeep) -> MustKeep:
    """The facts a note does not hold where it should.

    A constraint counts only word for word, and only among the constraints; a
    failure only with its reason. What is done, decided or open counts when all
    that can be named of it is there.
    """
    whole = squeezed("\n".join(section.text for section in sections))
    constraints = squeezed(section_text(sections, "constraints"))
    failed = squeezed(section_text(sections, "failed"))
    return MustKeep(
        constraints=tuple(c for c in facts.constraints if squeezed(c.text) not in constraints),
        failed=tuple(f for f in facts.failed if not _tells(failed, f)),
        done=tuple(fact for fact in facts.done if not _covers(whole, fact)),
        decided=tuple(fact for fact in facts.decided if not _covers(whole, fact)),
        open=tuple(
            fact for fact in facts.open if not _covers(section_text(sections, "next"), fact)
        ),
        identifiers=tuple(m for m in facts.identifiers if not occurs(whole, m.text)),
        files=tuple(file for file in facts.files if not occurs(whole, file.text)),
    )


def addition_for(missing: MustKeep, language: str) -> Addition:
    """The lines that state missing facts, with the facts they state."""
    lines = [
        *constraint_lines(missing.constraints, language),
        *failure_lines(missing.failed, language),
        *state_lines(missing.open, "next", language),
        *state_lines(missing.done, "done", language),
        *state_lines(missing.decided, "decided", language),
        *file_lines(missing.files, language),
    ]
    written = "\n".join(lines)
    named = [mention for mention in missing.identifiers if not occurs(written, mention.text)]
    stated = (
        *missing.constraints,
        *missing.failed,
        *missing.open,
        *missing.done,
        *missing.decided,
        *missing.files,
        *missing.identifiers,
    )
    return Addition((*lines, *identifier_lines(named, language)), stated)


def corrections(section: Section, facts: MustKeep, language: str) -> list[str]:
    """Code's own lines for a section whose lines contradict the record."""
    labels = lexicon(language).labels
    if section.key == "next":
        done = [fact for fact in facts.done if _is_named(section, fact, facts.open)]
        return [f"- [{labels['already_done']}] {fact.text}" for fact in done]
    if section.key == "working":
        failed = [f for f in facts.failed if not f.worked_later and _is_tried(section, f)]
        return [f"- [{labels['failed_before']}] {failure_text(failure)}" for failure in failed]
    return []


def write_section(key: str, lines: Sequence[str], *, language: str, is_kept: bool) -> list[str]:
    """A section under its fixed heading; an empty one says whether code has something for it."""
    words = lexicon(language)
    own = [line for line in lines if line.strip()]
    empty = f"(↓ {words.headings[KEPT]})" if is_kept else words.labels["none"]
    return [f"## {words.headings[key]}", *(own or [empty]), ""]


def kept_heading(language: str) -> str:
    """The heading of what code adds."""
    return f"## {lexicon(language).headings[KEPT]}"


def _tells(text: str, failure: Failure) -> bool:
    return squeezed(failure.text) in text and squeezed(failure.reason) in text


def _covers(text: str, fact: Fact) -> bool:
    if squeezed(fact.text) in squeezed(text):
        return True
    names = _names_in(fact.text)
    return bool(names) and all(occurs(text, name) for name in names)


def _is_named(section: Section, fact: Fact, still_open: Sequence[Fact]) -> bool:
    """True where a line of the section takes a done fact for an open one."""
    open_steps = {step for other in still_open for step in _steps_in(other.text)}
    steps = set(_steps_in(fact.text)) - open_steps
    said = squeezed(fact.text)
    for line in section.lines:
        if said in squeezed(line) or (steps and steps & set(_steps_in(line))):
            return True
    return False


def _is_tried(section: Section, failure: Failure) -> bool:
    text = squeezed(section.text)
    attempts = [failure.text] if failure.reason else _QUOTED.findall(failure.text)
    return any(squeezed(attempt) in text for attempt in attempts)


def _names_in(text: str) -> list[str]:
    return [identifier.text for identifier in identifiers_in(text)]


def _steps_in(text: str) -> Iterator[str]:
    for numbers in _STEP.findall(text):
        yield from _NUMBER.findall(numbers)
