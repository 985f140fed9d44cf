"""An assignment: one note to be written, with all that its prompt and its examination need."""

from dataclasses import dataclass

from flowctx.chain import chain_of
from flowctx.config import Settings
from flowctx.dag.facts.extract import must_keep
from flowctx.dag.facts.facts import MustKeep
from flowctx.dag.notes.note import Covers, note_text
from flowctx.dag.notes.recall import carried, recalled
from flowctx.dag.plan.standing import top_nodes
from flowctx.dag.plan.steps import Step, note_cap
from flowctx.dag.prompt.prompts import Prompt, condense_prompt, leaf_prompt, rolling_prompt
from flowctx.dag.prompt.terms import NoteTerms
from flowctx.dag.source.language import conversation_language
from flowctx.dag.source.source import SourceTurn
from flowctx.identity import SessionRef
from flowctx.service.context import Context
from flowctx.service.notes.source import read_turns
from flowctx.service.notes.survey import Survey
from flowctx.store.jobs import JobKey
from flowctx.view.engine_made import engine_text

# What of the summariser's window a prompt may take; the rest is for the reply.
_PROMPT_SHARE = 0.75


@dataclass(frozen=True, slots=True)
class Assignment:
    """One note to be written.

    Attributes:
        job: row id, `key` what it is about.
        session_id: row of the session's epoch.
        ref: the session; its agent's model writes the note.
        prompt: for the model.
        turns: that are read; empty where notes are condensed.
        facts: what the note must hold.
        terms: that it is held to.
        covers: what it will stand for.
        ceiling_tokens: what it replaces in the view: it must be shorter.
    """

    job: int
    key: JobKey
    session_id: int
    ref: SessionRef
    prompt: Prompt
    turns: tuple[SourceTurn, ...]
    facts: MustKeep
    terms: NoteTerms
    covers: Covers
    ceiling_tokens: int


def job_key(surveyed: Survey, step: Step) -> JobKey:
    """What the job of a step is about, by anchors."""
    covered = surveyed.messages[step.start : step.end]
    return JobKey(
        kind=step.kind,
        depth=step.depth,
        first=covered[0].digest,
        last=covered[-1].digest,
        count=len(covered),
        chain=chain_of(covered),
        sources=tuple(node.node for node in step.sources),
    )


def assign(context: Context, surveyed: Survey, step: Step, job: int) -> Assignment:
    """Make the assignment of a step.

    Raises:
        StoreError: the store cannot be read.
    """
    turns = (
        () if step.kind == "condense" else read_turns(context, surveyed, step.read_from, step.end)
    )
    prior = _prior_notes(surveyed, step)
    language = conversation_language(turns) if turns else _language_of(context, surveyed, step)
    terms = _terms(surveyed, step, context.settings, language, prior)
    facts = _facts(step, turns, terms)
    return Assignment(
        job=job,
        key=job_key(surveyed, step),
        session_id=surveyed.row.id,
        ref=surveyed.row.ref,
        prompt=_prompt(step, turns, facts, terms),
        turns=turns,
        facts=facts,
        terms=terms,
        covers=_covers(surveyed, step),
        ceiling_tokens=step.ceiling_tokens,
    )


def _prior_notes(surveyed: Survey, step: Step) -> tuple[str, ...]:
    """Texts of the notes that a step condenses or continues."""
    nodes = [node.node for node in step.sources]
    if step.kind == "leaf" and step.with_prior:
        notes = [node for node in surveyed.plan_state.nodes if node.kind == "note"]
        nodes = [node.node for node in top_nodes(notes) if node.end == step.start]
    return tuple(note_text(engine_text(surveyed.rows[node].fold.body)) for node in nodes)


def _language_of(context: Context, surveyed: Survey, step: Step) -> str:
    """What the user speaks in the newest of the messages a condensed note covers."""
    newest = [turn for turn in surveyed.plan_state.turns if turn.start < step.end][-8:]
    start = max(newest[0].start, step.start) if newest else step.start
    return conversation_language(read_turns(context, surveyed, start, step.end))


def _terms(
    surveyed: Survey, step: Step, settings: Settings, language: str, prior: tuple[str, ...]
) -> NoteTerms:
    return NoteTerms(
        language=language,
        source_tokens=sum(m.tokens for m in surveyed.messages[step.start : step.end]),
        max_tokens=note_cap(step, settings),
        max_source_tokens=int(surveyed.plan_state.summariser_tokens * _PROMPT_SHARE),
        prior_notes=prior,
        custom_instructions=surveyed.focus,
    )


def _facts(step: Step, turns: tuple[SourceTurn, ...], terms: NoteTerms) -> MustKeep:
    if step.kind == "condense":
        return recalled(terms.prior_notes)
    facts = must_keep(turns, language=terms.language)
    if step.kind == "rolling" and terms.prior_notes:
        return carried(terms.prior_notes[-1], facts)
    return facts


def _prompt(step: Step, turns: tuple[SourceTurn, ...], facts: MustKeep, terms: NoteTerms) -> Prompt:
    if step.kind == "condense":
        return condense_prompt(terms.prior_notes, facts, terms)
    write = rolling_prompt if step.kind == "rolling" else leaf_prompt
    return write(turns, facts, terms)


def _covers(surveyed: Survey, step: Step) -> Covers:
    covered = surveyed.messages[step.start : step.end]
    before = sum(message.opens_turn for message in surveyed.messages[: step.start + 1])
    after = sum(message.opens_turn for message in surveyed.messages[: step.end])
    times = [message.time_ms for message in covered if message.time_ms]
    return Covers(
        first_turn=max(before, 1),
        last_turn=max(after, 1),
        messages=len(covered),
        from_ms=times[0] if times else 0,
        to_ms=times[-1] if times else 0,
    )
