"""Examining a model's reply: a note that holds what it must, or the reason why it is none.

What code can tell, it sees to itself: facts that are missing are appended before
anything is cut, identifiers from nowhere are marked in the text, and lines that
contradict the record get code's line under them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flowctx.dag.facts.facts import Fact, Mention, MustKeep
from flowctx.dag.facts.mentions import weightiest
from flowctx.dag.notes.amend import (
    addition_for,
    corrections,
    kept_heading,
    missing_facts,
    write_section,
)
from flowctx.dag.notes.flagging import flag_unknown, without_flagged
from flowctx.dag.notes.note import with_record_line
from flowctx.dag.notes.reply import Reply, visible_text
from flowctx.dag.notes.sections import Section, parse_sections
from flowctx.dag.notes.verdict import Hearing, Reason, fault_of
from flowctx.dag.prompt.terms import NoteTerms
from flowctx.dag.source.source import SourceTurn, lines_of
from flowctx.dag.wording.lexicon import SECTIONS, lexicon
from flowctx.tokens import estimate_tokens

# Cutting prose can uncover facts it held, which then need room: this settles within a few rounds.
_ROUNDS = 6
_OMISSION_TOKENS = 12


@dataclass(frozen=True, slots=True)
class Accepted:
    """A note that may be stored.

    Attributes:
        text: the line that calls it a record, and its sections, without the tags that
            `render_note` sets around them.
        appended: facts that code added because the model had left them out.
        flagged: identifiers that stand nowhere in the source, marked in the text.
        elsewhere: facts over the limits: to be had from the messages they name.
    """

    text: str
    appended: tuple[Fact, ...] = ()
    flagged: tuple[str, ...] = ()
    elsewhere: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A reply that is no note: its source stays raw."""

    reason: Reason


def examine(
    reply: Reply, turns: Sequence[SourceTurn], facts: MustKeep, terms: NoteTerms
) -> Accepted | Rejected:
    """Judge a reply and make a note of it.

    Args:
        reply: of the model.
        turns: what the note is about; empty for one that condenses notes.
        facts: what it must hold, as `must_keep` or `recalled` found it.
        terms: those of the prompt.
    """
    text = visible_text(reply.text)
    source = source_text(turns, terms.prior_notes)
    fault = fault_of(Hearing(reply, text, source, terms))
    if fault is not None:
        return Rejected(fault)
    marked, flagged = flag_unknown(text, source, lexicon(terms.language).labels["unknown"])
    draft = _Draft(parse_sections(marked), facts, terms)
    written = draft.within(terms.max_tokens)
    return Accepted(written.text, written.appended, flagged, (*facts.elsewhere, *written.left_out))


def source_text(turns: Iterable[SourceTurn], notes: Iterable[str] = ()) -> str:
    """Everything a note may name: the words of all lines and of the notes before it."""
    said = (
        part
        for line in lines_of(turns)
        for part in (line.text, line.command, line.arguments, line.tool, line.sender, line.original)
        if part
    )
    return "\n".join([*said, *(without_flagged(note) for note in notes)])


@dataclass(frozen=True, slots=True)
class _Written:
    text: str
    appended: tuple[Fact, ...]
    left_out: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class _Draft:
    sections: tuple[Section, ...]
    facts: MustKeep
    terms: NoteTerms

    def within(self, max_tokens: int) -> _Written:
        """The note in at most `max_tokens`; 0 for any length.

        Prose gives way before facts, and among these the identifiers first.
        """
        sections = tuple(section for section in self.sections if section.key in SECTIONS)
        written = self._written(sections, self.facts)
        for _ in range(_ROUNDS):
            over = estimate_tokens(written.text) - max_tokens
            if not max_tokens or over <= 0:
                return written
            sections = _shorter(sections, over + _OMISSION_TOKENS)
            written = self._written(sections, self.facts)
        return self._bare(max_tokens)

    def _written(self, sections: tuple[Section, ...], facts: MustKeep) -> _Written:
        language = self.terms.language
        missing = missing_facts(sections, facts)
        addition = addition_for(missing, language)
        lines: list[str] = []
        for key in SECTIONS:
            merged = _merged(sections, key)
            own = [*merged.lines, *corrections(merged, facts, language)]
            lines += write_section(key, own, language=language, is_kept=_is_kept(missing, key))
        kept = [kept_heading(language), *addition.lines] if addition.lines else []
        text = self._finished([*lines, *kept], len(facts.elsewhere))
        return _Written(text, addition.facts)

    def _finished(self, lines: Sequence[str], left_out: int) -> str:
        language = self.terms.language
        more = [f"[… {left_out} {lexicon(language).labels['omitted']} …]"] if left_out else []
        return with_record_line("\n".join([*lines, *more]), language)

    def _bare(self, max_tokens: int) -> _Written:
        """Facts alone, given up from the least to the most important until they fit."""
        facts, left_out = self.facts, list[Fact]()
        while True:
            addition = addition_for(missing_facts((), facts), self.terms.language)
            lines = [kept_heading(self.terms.language), *addition.lines]
            text = self._finished(lines, len(facts.elsewhere) + len(left_out))
            name = next((name for name in _GIVING_WAY if getattr(facts, name)), None)
            if name is None or estimate_tokens(text) <= max_tokens:
                return _Written(text, addition.facts, tuple(left_out))
            kept, gone = _give_up(getattr(facts, name))
            left_out.extend(gone)
            changed: dict[str, Any] = {name: kept}
            facts = replace(facts, **changed)


# What a note loses first when even its facts are too long; constraints last.
_GIVING_WAY = ("identifiers", "files", "decided", "done", "open", "failed", "constraints")
_FACTS_OF_SECTION = {
    "constraints": ("constraints",),
    "working": ("done", "decided"),
    "failed": ("failed",),
    "identifiers": ("identifiers",),
    "files": ("files",),
    "next": ("open",),
}


def _give_up(held: tuple[Fact, ...]) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
    """A quarter less of some facts: of identifiers the lightest, of all others the oldest."""
    keep = len(held) * 3 // 4
    mentions = [fact for fact in held if isinstance(fact, Mention)]
    if mentions:
        kept, gone = weightiest(mentions, keep)
        return tuple(kept), tuple(gone)
    return held[len(held) - keep :], held[: len(held) - keep]


def _is_kept(missing: MustKeep, key: str) -> bool:
    return any(getattr(missing, name) for name in _FACTS_OF_SECTION.get(key, ()))


def _merged(sections: tuple[Section, ...], key: str) -> Section:
    lines = tuple(line for section in sections if section.key == key for line in section.lines)
    return Section(key, "", lines)


def _shorter(sections: tuple[Section, ...], over: int) -> tuple[Section, ...]:
    """Take about `over` tokens out of the longest sections, from their ends, and say so."""
    lengths = [estimate_tokens(section.text) for section in sections]
    total = max(sum(lengths), 1)
    return tuple(
        _cut(section, length - over * length // total - _OMISSION_TOKENS)
        for section, length in zip(sections, lengths, strict=True)
    )


def _cut(section: Section, room: int) -> Section:
    kept: list[str] = []
    for line in section.lines:
        room -= estimate_tokens(line) + 1
        if room < 0:
            break
        kept.append(line)
    cut = len(section.lines) - len(kept)
    mark = [f"[… {cut} lines left out …]"] if cut else []
    return replace(section, lines=(*kept, *mark))
