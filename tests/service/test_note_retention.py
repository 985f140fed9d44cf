"""Retention through the service: in the note, or one retrieve away."""

from __future__ import annotations

from pathlib import Path

import pytest

from flowctx.dag.facts.extract import must_keep
from flowctx.dag.facts.facts import Fact, Failure, KeepLimits
from flowctx.dag.facts.occurrence import occurs, squeezed
from flowctx.dag.prompt.prompts import Prompt
from flowctx.dag.wording.lexicon import LANGUAGES, lexicon
from flowctx.service.notes.replies import Completion
from flowctx.service.notes.retrieve import NodeRequest, retrieve_node
from tests.support.host import HostSession
from tests.support.note_passes import SMALL, Writer, open_clocked, read_bodies, said
from tests.support.notes import planted_session, turns_of
from tests.support.summariser import INVENTED, halving

ALL = KeepLimits(*[1_000_000] * 9)
EVERYTHING = 10_000_000


def forgetful(prompt: Prompt) -> Completion:
    """A model that drops half of everything and makes four things up."""
    return said(halving(prompt))


def fold(folder: Path, bodies: list[dict]) -> Writer:
    context, _ = open_clocked(folder, SMALL)
    writer = Writer(HostSession(context), ask=forgetful)
    writer.host.assemble(bodies, 0)
    writer.run()
    writer.host.assemble(bodies, 0)
    return writer


def lost_facts(writer: Writer, bodies: list[dict]) -> tuple[list[str], int, int]:
    """Bans and failures that are lost, how many identifiers are, and of how many."""
    frame, state = writer.state.frame, writer.state
    placed = [p for p in frame.placements if p.fold.kind == "note"]
    told = []
    for each in placed:
        for expand in (False, True):
            asked = NodeRequest(each.fold.node, expand, max_tokens=EVERYTHING)
            told.append(retrieve_node(writer.context.database, state.ref, asked))
    text = squeezed("\n".join(told))
    covered = [body for p in placed for body in bodies[p.start : p.end]]
    facts = must_keep(turns_of(covered), limits=ALL)
    hard = [f.text for f in (*facts.constraints, *facts.failed) if not stands(text, f)]
    names = [f for f in facts.identifiers if not stands(text, f)]
    return hard, len(names), len(facts.identifiers)


def stands(text: str, fact: Fact) -> bool:
    wanted = squeezed(fact.text).removesuffix("…").removesuffix("()")
    if isinstance(fact, Failure):
        return wanted in text
    return occurs(text, wanted) or wanted in text


def assert_marked(writer: Writer) -> None:
    """Nothing that the model made up stands in a note without being called so."""
    for row in writer.notes():
        note = row.fold.body.decode()
        marks = [lexicon(code).labels["unknown"] for code in LANGUAGES]
        for word in INVENTED:
            assert note.count(word) == sum(note.count(f"{word} {mark}") for mark in set(marks))


@pytest.mark.parametrize("number", range(2))
def test_planted_facts_are_one_retrieve_away(tmp_path: Path, number: int) -> None:
    """Every ban and failed approach, 98 % of the identifiers, no invention unmarked."""
    bodies = planted_session(number, turns=40)
    writer = fold(tmp_path, bodies)
    hard, names, of = lost_facts(writer, bodies)
    assert hard == []
    assert of > 150 and names <= 0.02 * of
    assert_marked(writer)
    writer.context.close()


@pytest.mark.shared
def test_facts_of_recorded_sessions_are_one_retrieve_away(shared: Path, tmp_path: Path) -> None:
    """Twenty long sessions through the store: nothing hard is lost, 98 % of identifiers stay."""
    paths = sorted(shared.glob("transcripts/*/*.jsonl.xz"), key=lambda p: -p.stat().st_size)
    done, missing, of = 0, 0, 0
    for number, path in enumerate(paths):
        bodies = [body for turn in read_bodies(path, 12) for body in turn][:120]
        if done == 20 or sum(body["role"] == "user" for body in bodies) < 3:
            continue
        writer = fold(tmp_path / str(number), bodies)
        if any(row.fold.kind == "note" for row in writer.notes()):
            hard, names, count = lost_facts(writer, bodies)
            assert hard == [], path.name
            assert_marked(writer)
            done, missing, of = done + 1, missing + names, of + count
        writer.context.close()
    assert done == 20
    assert of > 1_000 and missing <= 0.02 * of
