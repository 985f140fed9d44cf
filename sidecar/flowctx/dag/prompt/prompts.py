"""The prompts that ask a model for a note.

The instructions are fixed; all that others wrote stands between fences whose
name is made from the text itself, so that nothing in it can close them. A prompt
never exceeds what the summariser can read.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from flowctx.dag.facts.facts import MustKeep
from flowctx.dag.facts.factsheet import fact_lines
from flowctx.dag.prompt.quoting import fence_for, inert, shortened
from flowctx.dag.prompt.terms import NoteTerms
from flowctx.dag.prompt.transcript import transcript
from flowctx.dag.source.source import SourceTurn
from flowctx.dag.wording.lexicon import SECTIONS, lexicon
from flowctx.dag.wording.rules import load_table
from flowctx.tokens import estimate_tokens

# Shares of the prompt that what surrounds the source may take.
_FACTS_SHARE, _PRIOR_SHARE, _FOCUS_SHARE = 0.2, 0.2, 0.05
_FRAME_TOKENS = 60
# How long a note is asked to be: a quarter of what it is made of, within limits.
_SHORTER, _SHORTEST_TOKENS, _LONGEST_TOKENS = 4, 300, 3000
_MIN_BODY_TOKENS = 20


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request to a model: its instructions and its one message."""

    system: str
    user: str


def leaf_prompt(turns: Sequence[SourceTurn], facts: MustKeep, terms: NoteTerms) -> Prompt:
    """Ask for the note of some turns; a prior note among the terms is given for continuity."""
    prior = terms.prior_notes[-1] if terms.prior_notes else ""
    return _assemble("leaf_continued" if prior else "leaf", prior, facts, terms, _Turns(turns))


def rolling_prompt(turns: Sequence[SourceTurn], facts: MustKeep, terms: NoteTerms) -> Prompt:
    """Ask for the prior note, brought up to date with some turns."""
    prior = terms.prior_notes[-1] if terms.prior_notes else ""
    return _assemble("rolling" if prior else "leaf", prior, facts, terms, _Turns(turns))


def condense_prompt(notes: Sequence[str], facts: MustKeep, terms: NoteTerms) -> Prompt:
    """Ask for one note in place of several."""
    return _assemble("condense", "", facts, terms, _Notes(notes))


@dataclass(frozen=True, slots=True)
class _Turns:
    turns: Sequence[SourceTurn]

    def text(self, room: int) -> str:
        return transcript(self.turns, room)


@dataclass(frozen=True, slots=True)
class _Notes:
    notes: Sequence[str]

    def text(self, room: int) -> str:
        each = room // max(len(self.notes), 1) - _MIN_BODY_TOKENS
        return "\n\n".join(
            f"[note {at}]\n{inert(shortened(note, max(each, 1)))}"
            for at, note in enumerate(self.notes, start=1)
        )


def _assemble(
    task_key: str, prior: str, facts: MustKeep, terms: NoteTerms, source: _Turns | _Notes
) -> Prompt:
    wording = load_table("prompts")
    task = wording[task_key]
    system = _system(terms)
    # The instructions are of one size; a summariser too small for them gets what is left of it.
    room = max(terms.max_source_tokens - estimate_tokens(system), terms.max_source_tokens // 2)
    room = max(room - _FRAME_TOKENS - estimate_tokens(task), 0)
    listed = inert(_lines_within(fact_lines(facts, terms.language), int(room * _FACTS_SHARE)))
    prior = inert(shortened(prior, int(room * _PRIOR_SHARE))) if prior else ""
    focus = inert(shortened(terms.custom_instructions.strip(), int(room * _FOCUS_SHARE)))
    blocks = [
        ("prior", "", prior),
        ("facts", wording["facts"], listed),
        ("focus", wording["focus"], focus),
    ]
    spent = sum(estimate_tokens(body + lead) + 14 for _, lead, body in blocks if body)
    record = source.text(max(room - spent, _MIN_BODY_TOKENS))
    fence = fence_for([record, prior, listed, focus])
    written = [_fenced(name, lead, body, fence) for name, lead, body in blocks if body]
    user = "\n\n".join([*written, _fenced("source", "", record, fence), task])
    return Prompt(system, _bounded(user, terms.max_source_tokens))


def _system(terms: NoteTerms) -> str:
    words = lexicon(terms.language)
    headings = "\n".join(f"## {words.headings[key]}" for key in SECTIONS)
    rules: str = load_table("prompts")["rules"]
    return rules.format(
        headings=headings,
        working=words.headings["working"],
        failed=words.headings["failed"],
        next=words.headings["next"],
        none=words.labels["none"],
        length=_length(terms),
        instruction=_instruction(terms.language),
    )


def _length(terms: NoteTerms) -> str:
    wanted = min(max(terms.source_tokens // _SHORTER, _SHORTEST_TOKENS), _LONGEST_TOKENS)
    tokens = min(wanted, terms.max_tokens or wanted)
    return str(load_table("prompts")["length"].format(tokens=tokens))


def _instruction(language: str) -> str:
    words = lexicon(language)
    if words.code == language:
        return words.instruction
    return str(load_table("prompts")["other_language"].format(language=language))


def _fenced(name: str, lead: str, body: str, fence: str) -> str:
    opening = f"{lead}\n" if lead else ""
    return f"{opening}<{name}-{fence}>\n{body}\n</{name}-{fence}>"


def _lines_within(lines: Sequence[str], room: int) -> str:
    kept: list[str] = []
    for line in lines:
        cost = estimate_tokens(line) + 1
        if cost <= room:
            kept.append(line)
            room -= cost
    return "\n".join(kept)


def _bounded(text: str, max_tokens: int) -> str:
    return text if estimate_tokens(text) <= max_tokens else shortened(text, max_tokens)
