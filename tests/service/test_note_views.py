"""Notes in the view: unfolded, added, rolled on, taken over from digests, retrieved, dumped."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from flowctx.dag.prompt.prompts import Prompt
from flowctx.errors import InvalidRequestError
from flowctx.identity import resolve_session
from flowctx.service.notes.compact import compact
from flowctx.service.notes.dump import dump_path
from flowctx.service.notes.passes import Rest
from flowctx.service.notes.replies import Completion
from flowctx.service.notes.retrieve import NodeRequest, retrieve_node
from flowctx.service.notes.tree import list_notes, redo_note, show_note, undo_note
from flowctx.service.outlook import look_at
from flowctx.service.purge import Selection, purge
from flowctx.service.state import SessionTable
from flowctx.store.ledger import last_events
from flowctx.tokens import estimate_tokens
from tests.support.host import HostSession
from tests.support.note_passes import SMALL, Writer, good, open_clocked
from tests.support.notes import planted_session
from tests.support.provider import violations
from tests.support.transcripts import user

BODIES = planted_session(7, turns=30)
KEY = "agent:main:main"


def folded(folder: Path, settings=SMALL) -> Writer:
    """A session whose notes are in the view."""
    context, _ = open_clocked(folder, settings)
    writer = Writer(HostSession(context, KEY, SessionTable()))
    writer.host.assemble(BODIES, 0)
    writer.run()
    return writer


@pytest.fixture
def writer(tmp_path: Path):
    writer = folded(tmp_path)
    yield writer
    writer.context.close()


def notes_in(view: list[dict]) -> list[str]:
    return [body["content"] for body in view if body.get("customType") == "flowctx.note"]


def test_a_note_never_reads_as_a_request_and_the_view_is_valid(writer: Writer) -> None:
    """It says first that it is a record; providers take the list, the newest turn is last."""
    view = writer.host.assemble([*BODIES, user("and now?")], 0)
    assert violations(view) == []
    assert view[-1] == user("and now?")
    for note in notes_in(view):
        assert "record" in note.split("\n")[1].lower()
        assert note.rstrip().endswith("</flowctx-handoff-note>")


def test_undo_unfolds_until_the_next_round_and_redo_folds_again(writer: Writer) -> None:
    """The next view shows what the note stood for, and after redo the note."""
    table = SessionTable()
    table._states[("main", KEY)] = writer.state
    before = writer.host.assemble(BODIES, 0)
    top = next(n for n in list_notes(writer.context.database, KEY)["notes"] if n["depth"] == 1)
    assert top["state"] == "in view"
    undo_note(writer.context, table, top["node"])
    unfolded = writer.host.assemble(BODIES, 0)
    assert len(notes_in(unfolded)) == len(notes_in(before)) + len(top["sources"]) - 1
    leaf = top["sources"][0]
    undo_note(writer.context, table, leaf)
    assert BODIES[0] in writer.host.assemble(BODIES, 0)
    assert show_note(writer.context.database, leaf)["state"] == "unfolded"
    with pytest.raises(InvalidRequestError, match="cannot be unfolded"):
        undo_note(writer.context, table, leaf)
    redo_note(writer.context, table, leaf)
    redo_note(writer.context, table, top["node"])
    assert writer.host.assemble(BODIES, 0) == before


def test_what_is_unfolded_is_not_written_anew_and_folds_with_the_next_round(
    writer: Writer,
) -> None:
    """No call is spent on it, and the next notes take it along."""
    table = SessionTable()
    table._states[("main", KEY)] = writer.state
    calls = len(writer.calls)
    top = next(n for n in list_notes(writer.context.database, KEY)["notes"] if n["depth"] == 1)
    undo_note(writer.context, table, top["node"])
    writer.host.assemble(BODIES, 0)
    writer.run()
    assert len(writer.calls) == calls
    more = [*BODIES, *planted_session(8, turns=30)]
    writer.host.assemble(more, 0)
    writer.run()
    states = {n["node"]: n["state"] for n in list_notes(writer.context.database, KEY)["notes"]}
    assert states[top["node"]] in ("in view", "replaced")


def test_notes_that_are_only_added_take_nothing_away(tmp_path: Path) -> None:
    """With `summaryReplacesHistory` off every message stays, and the notes stand beside."""
    writer = folded(tmp_path, replace(SMALL, summary_replaces_history=False))
    view = writer.host.assemble(BODIES, 0)
    assert notes_in(view)
    assert [b for b in view if b.get("role") == "user"] == [
        b for b in BODIES if b["role"] == "user"
    ]
    assert writer.run().reason in ("all folded", "waiting for a full chunk", "nothing to gain")
    writer.context.close()


def test_one_rolling_note_is_brought_up_to_date(tmp_path: Path) -> None:
    """With `layeredSummary` off there is always one note in the view."""
    writer = folded(tmp_path, replace(SMALL, layered_summary=False))
    assert len(notes_in(writer.host.assemble(BODIES, 0))) == 1
    more = [*BODIES, *planted_session(9, turns=30)]
    writer.host.assemble(more, 0)
    writer.run()
    notes = notes_in(writer.host.assemble(more, 0))
    assert len(notes) == 1
    assert 'turns="1-' in notes[0]
    writer.context.close()


def test_a_digest_gives_way_to_notes(tmp_path: Path) -> None:
    """What had to be digested for the budget is a note after the next round."""
    settings = replace(SMALL, leaf_chunk_tokens=9_000, projection=False, condense_fanout=30)
    context, _ = open_clocked(tmp_path, settings)
    writer = Writer(HostSession(context))
    (digest,) = notes_in(writer.host.assemble(BODIES, 24_000))
    assert 'kind="digest"' in digest
    writer.run()
    notes = notes_in(writer.host.assemble(BODIES, 24_000))
    assert notes and all('kind="note"' in note for note in notes)
    assert writer.host.answer.round == "notes"
    context.close()


def test_a_report_shows_the_notes_as_a_tree(writer: Writer) -> None:
    """A condensed note is a root, the notes that it condenses are in it, and none is twice."""
    session_id = writer.host.state.row.id
    top = next(n for n in list_notes(writer.context.database, KEY)["notes"] if n["depth"] == 1)
    shown = writer.context.database.read(lambda c: look_at(c, session_id))["notes"]
    root = next(each for each in shown if each["node"] == top["node"])
    assert {each["node"] for each in root["sources"]} >= set(top["sources"])
    assert not {each["node"] for each in shown} & set(top["sources"])
    writer.context.close()


def test_a_note_and_its_sources_come_back_down_to_the_messages(writer: Writer) -> None:
    """By node: its text; expanded: the notes under it; these expanded: all messages, by pages."""
    database, ref = writer.context.database, resolve_session(KEY)
    top = next(n for n in list_notes(database, KEY)["notes"] if n["depth"] == 1)
    assert top["node"] in retrieve_node(database, ref, NodeRequest(top["node"]))
    leaves = retrieve_node(database, ref, NodeRequest(top["node"], expand=True))
    assert all(source in leaves for source in top["sources"])
    told, start = "", 1
    while start:
        page = retrieve_node(
            database, ref, NodeRequest(top["sources"][0], expand=True, start=start, max_tokens=900)
        )
        assert estimate_tokens(page) < 1_200
        told += page
        start = int(page.split("from=")[1].split(" ")[0]) if "from=" in page.split("\n")[0] else 0
    for body in BODIES[:6]:
        content = body["content"]
        texts = [content] if isinstance(content, str) else [b.get("text", "") for b in content]
        assert all(text[:200] in told for text in texts)


def test_a_foreign_agent_gets_no_note(writer: Writer) -> None:
    """A node is no capability; unknown ones end the matter, too."""
    database = writer.context.database
    node = list_notes(database, KEY)["notes"][0]["node"]
    other = resolve_session("agent:second:main")
    for expand in (False, True):
        answer = retrieve_node(database, other, NodeRequest(node, expand=expand))
        assert "belongs to another" in answer and "Retrying will not help" in answer
    assert "was ever stored" in retrieve_node(database, other, NodeRequest("nothing"))


def test_the_host_gets_a_smaller_view_at_once(tmp_path: Path) -> None:
    """Without any model the view comes under the target, as it was told, from the next view on."""
    context, _ = open_clocked(tmp_path, replace(SMALL, summary_trigger_ratio=0.95))
    writer = Writer(HostSession(context))
    writer.host.assemble(BODIES, 0)
    before = writer.host.answer.estimated_tokens
    done = compact(context, writer.state, before // 3, "mind the quota")
    writer.host.assemble(BODIES, 0)
    assert done.tokens_before == before
    # The checkpoint of the work, which the round renews, is counted in.
    assert writer.host.answer.estimated_tokens == done.tokens_after <= before // 3
    assert done.folded > 0
    context.settings = SMALL
    more = [*BODIES, *planted_session(10, turns=30)]
    writer.host.assemble(more, 0)
    writer.step()
    assert "mind the quota" in writer.calls[0].prompt.user
    context.close()


def test_dumps_are_private_and_hold_no_secret(tmp_path: Path) -> None:
    """Requests, replies and views, one JSON line each, readable by the owner alone."""
    context, _ = open_clocked(tmp_path, replace(SMALL, dump_summary_requests=True))
    writer = Writer(HostSession(context, KEY))
    secret = "ghp_" + "a1B2" * 9
    writer.host.assemble([user(f"use {secret} and password=hunter2222"), *BODIES], 0)
    writer.run()
    writer.host.assemble(BODIES, 0)
    path = dump_path(context.state_dir, writer.state.ref)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert {line["event"] for line in lines} == {"request", "reply", "view"}
    assert secret not in path.read_text() and "hunter2222" not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    purge(context, SessionTable(), Selection(session_key=KEY), dry_run=True)
    assert path.exists()
    purge(context, SessionTable(), Selection(session_key=KEY))
    assert not path.exists()
    context.close()


def test_every_call_is_in_the_ledger(writer: Writer) -> None:
    """With model, tokens and price; status can say what the last pass did."""
    row = writer.state.row
    rows = writer.context.database.read(lambda c: last_events(c, row.id, "summary", 100))
    assert len(rows) == len(writer.calls)
    assert all(each["model"] == "m" and each["input_tokens"] == 1_000 for each in rows)
    charged = writer.context.database.read(
        lambda c: (
            c.execute("SELECT count(*), sum(cost) FROM savings WHERE session_id = ?", (row.id,)).get
        )
    )
    assert charged[0] == len(writer.calls) and charged[1] > 1_000 * len(writer.calls)
    (done,) = writer.context.database.read(lambda c: last_events(c, row.id, "notes", 100))
    assert done["tokens_after"] < done["tokens_before"]
    assert isinstance(writer.run(), Rest)


def test_a_call_costs_what_the_host_says_it_did(tmp_path: Path) -> None:
    """The price of the list counts only where the host gives none."""
    context, _ = open_clocked(tmp_path)

    def ask(prompt: Prompt) -> Completion:
        reply = good(prompt)
        return replace(reply, cost=replace(reply.cost, cost_usd=0.01))

    writer = Writer(HostSession(context, KEY, SessionTable()), ask)
    writer.host.assemble(BODIES, 0)
    writer.run()
    query = "SELECT -sum((cost_without - cost) * price_usd) FROM savings"
    paid = context.database.read(lambda c: float(c.execute(query).get))
    assert paid == pytest.approx(0.01 * len(writer.calls))
    context.close()


def test_a_note_that_came_before_a_restart_is_a_round_after_it(tmp_path: Path) -> None:
    """No view had shown it yet, so the first one of the next sidecar tells the round."""
    context, clock = open_clocked(tmp_path)
    writer = Writer(HostSession(context, KEY, SessionTable()))
    writer.host.assemble(BODIES, 0)
    writer.host.settle()
    clock.pass_minutes(1)
    writer.run()
    context.close()
    context, clock = open_clocked(tmp_path)
    clock.pass_minutes(2)
    host = HostSession(context, KEY, SessionTable())
    assert notes_in(host.assemble(BODIES, 0))
    assert host.answer is not None and host.answer.round == "notes"
    host.settle()
    context.close()
    again, _ = open_clocked(tmp_path)
    host = HostSession(again, KEY, SessionTable())
    assert notes_in(host.assemble(BODIES, 0))
    assert host.answer is not None and host.answer.round == ""
    again.close()


def test_a_page_behind_the_last_one_is_no_removal(writer: Writer) -> None:
    """Whoever asks too far learns how many parts there are."""
    top = next(n for n in list_notes(writer.context.database, KEY)["notes"] if n["depth"] == 1)
    request = NodeRequest(top["node"], expand=True, start=99_999)
    answer = retrieve_node(writer.context.database, resolve_session(KEY), request)
    assert "removed" not in answer and answer.startswith("There are ")
