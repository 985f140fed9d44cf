"""Search finds what stands in notes alone, also in a store that was made before it did."""

from __future__ import annotations

from pathlib import Path

import pytest

from flowctx.dag.prompt.prompts import Prompt
from flowctx.dag.wording.lexicon import SECTIONS, lexicon
from flowctx.service.notes.replies import Completion
from flowctx.service.notes.retrieve import NodeRequest, retrieve_node
from flowctx.service.search.answer import answer_search, search_answer
from flowctx.service.search.find import Found
from flowctx.service.state import SessionTable
from tests.recall.test_search import find
from tests.support.host import HostSession, open_context
from tests.support.note_passes import SMALL, Writer, open_clocked, said
from tests.support.notes import planted_session

KEY = "agent:main:main"


def survey(prompt: Prompt) -> Completion:
    """A note with a word that no message holds."""
    del prompt
    bodies = dict.fromkeys(SECTIONS, "- as the record says")
    bodies[SECTIONS[0]] = "- Survey of the coast for the harbour master, xyzzyplugh."
    headings = lexicon("en").headings
    return said("\n\n".join(f"## {headings[key]}\n{body}" for key, body in bodies.items()))


@pytest.fixture
def writer(tmp_path: Path):
    context, _ = open_clocked(tmp_path, SMALL)
    writer = Writer(HostSession(context, KEY, SessionTable()), survey)
    writer.host.assemble(planted_session(7, turns=30), 0)
    writer.run()
    writer.host.settle()
    context.index.drain(context.settings)
    yield writer
    writer.context.close()


def notes_in(found: Found) -> set[str]:
    return {hit.node for hit in found.hits if "xyzzyplugh" in hit.snippet}


@pytest.mark.parametrize("query", ["xyzzyplugh", "role:note harbour master", "role:note"])
def test_a_note_is_found_by_its_words_and_shows_them(writer: Writer, query: str) -> None:
    """By a word, in a sentence or by its kind: a snippet tells what it says, its node leads on."""
    found = answer_search(writer.context, writer.state.ref, query, 5)
    nodes = notes_in(found)
    assert nodes
    for node in nodes:
        assert f"node={node}" in search_answer(found, query)
        answer = retrieve_node(writer.context.database, writer.state.ref, NodeRequest(node))
        assert "xyzzyplugh" in answer


def test_its_tags_and_the_line_above_it_are_not_searched(writer: Writer) -> None:
    """What every note says of itself would find every note."""
    assert find(writer.context, '"flowctx-handoff-note"').hits == ()
    snippets = [hit.snippet for hit in find(writer.context, "role:note").hits]
    assert all(line.startswith("## ") for line in snippets)


def test_notes_of_an_older_store_are_indexed_anew(writer: Writer, tmp_path: Path) -> None:
    """One in which notes were indexed without their words finds them after the update."""
    database = writer.context.database

    def as_before(connection) -> None:
        rows = connection.execute("SELECT id FROM documents WHERE node IS NOT NULL").fetchall()
        for (row,) in rows:
            connection.execute(
                "INSERT OR REPLACE INTO search_index (rowid, body) VALUES (?, '')", (row,)
            )
        connection.pragma("user_version", 9)

    database.write(as_before).result()
    assert notes_in(find(writer.context, "xyzzyplugh")) == set()
    writer.context.close()
    context = open_context(tmp_path, SMALL)
    context.index.drain(context.settings)
    assert notes_in(find(context, "xyzzyplugh"))
    context.close()
