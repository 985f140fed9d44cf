"""A scripted summariser, and a fold of a whole session by it: plan, ask, examine, commit."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from flowctx.config import Settings
from flowctx.dag.facts.extract import must_keep
from flowctx.dag.facts.facts import Fact, MustKeep
from flowctx.dag.notes.examine import Accepted, examine
from flowctx.dag.notes.note import Covers, render_note
from flowctx.dag.notes.recall import recalled
from flowctx.dag.notes.reply import Reply
from flowctx.dag.plan.chunks import Edge, Node, TurnSize
from flowctx.dag.plan.planner import plan
from flowctx.dag.plan.steps import PlanState, Step, note_cap
from flowctx.dag.prompt.prompts import Prompt, condense_prompt, leaf_prompt
from flowctx.dag.prompt.terms import NoteTerms
from flowctx.dag.source.language import conversation_language
from flowctx.dag.source.source import SourceTurn
from flowctx.message import ParsedMessage
from flowctx.tokens import estimate_tokens
from tests.support.notes import turns_of_parsed

INVENTED = ("src/invented/ghost.py", "fadedface01", "GHOST-4711", "ghost-host:6123")


def halving(prompt: Prompt) -> str:
    """A reply that drops half of everything it was told to keep, and makes four things up."""
    listed = re.findall(r"^- .*$", prompt.user, re.MULTILINE)
    lines = [" ".join(line.split()[::2]) for line in listed[::2]]
    headings = re.findall(r"^## .*$", prompt.system, re.MULTILINE)
    body = [f"- and {word} was there" for word in INVENTED]
    parts = [
        "\n".join([heading, *lines[at :: len(headings)]]) for at, heading in enumerate(headings)
    ]
    return "\n\n".join([*parts, *body])


@dataclass
class Folded:
    """What a fold of a session left.

    Attributes:
        notes: in the view, by the messages they cover.
        under: notes that condensed ones were made from.
        elsewhere: facts that notes were not held to.
        turns: the covered source.
    """

    notes: dict[tuple[int, int], str] = field(default_factory=dict)
    under: list[str] = field(default_factory=list)
    elsewhere: list[Fact] = field(default_factory=list)
    turns: list[SourceTurn] = field(default_factory=list)
    accepted: int = 0


def sizes_of(parsed: Sequence[ParsedMessage]) -> tuple[TurnSize, ...]:
    """Turns of a session with their edges; the view shows half of the raw tokens."""
    starts = [at for at, entry in enumerate(parsed) if entry.message.opens_turn]
    starts = starts if starts[:1] == [0] else [0, *starts]
    turns = []
    for start, end in zip(starts, [*starts[1:], len(parsed)], strict=True):
        raw, edges = 0, []
        for at in range(start, end):
            if at > start and not parsed[at].message.is_result:
                edges.append(Edge(at, raw, raw // 2))
            raw += parsed[at].message.tokens
        turns.append(TurnSize(start, end, raw, raw // 2, tuple(edges)))
    return tuple(turns)


def fold_session(
    parsed: Sequence[ParsedMessage], settings: Settings, ask: Callable[[Prompt], str] = halving
) -> Folded:
    """One pass over a session; every step must be accepted and make the view smaller."""
    sizes = sizes_of(parsed)
    assembled = sum(turn.view_tokens for turn in sizes)
    state = PlanState(sizes, (), assembled, assembled, 200_000)
    folded = Folded()
    for planned in plan(state, settings).steps:
        spans = _inside(planned, folded)
        sources = [Node(*span, 0, estimate_tokens(folded.notes[span])) for span in spans]
        step = planned if planned.kind == "leaf" else replace(planned, sources=tuple(sources))
        note = _write(parsed, step, settings, folded, ask)
        assert estimate_tokens(note) < step.ceiling_tokens, step
        folded.under += [folded.notes.pop(span) for span in spans]
        folded.notes[step.start, step.end] = note
    return folded


def _inside(step: Step, folded: Folded) -> list[tuple[int, int]]:
    return [span for span in folded.notes if step.start <= span[0] and span[1] <= step.end]


def _write(
    parsed: Sequence[ParsedMessage],
    step: Step,
    settings: Settings,
    folded: Folded,
    ask: Callable[[Prompt], str],
) -> str:
    notes = tuple(folded.notes[span] for span in _inside(step, folded))
    source = turns_of_parsed(parsed[step.start : step.end])
    turns = source if step.kind == "leaf" else ()
    language = conversation_language(source)
    facts: MustKeep = must_keep(turns, language=language) if turns else recalled(notes)
    tokens = sum(entry.message.tokens for entry in parsed[step.start : step.end])
    terms = NoteTerms(language, tokens, note_cap(step, settings), 100_000, notes)
    prompt = leaf_prompt(turns, facts, terms) if turns else condense_prompt(notes, facts, terms)
    verdict = examine(Reply(ask(prompt)), turns, facts, terms)
    assert isinstance(verdict, Accepted), verdict
    folded.accepted += 1
    folded.elsewhere += verdict.elsewhere
    folded.turns += turns
    covers = Covers(1, 2, step.end - step.start)
    node = f"{step.start}-{step.end}"
    return render_note(verdict.text, covers, node=node, kind="note", depth=step.depth)
