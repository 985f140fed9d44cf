"""`flowctx notes`: the tree, one note, unfolding and folding again, and what it says instead."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

from flowctx.paths import StatePaths
from tests.support.host import HostSession
from tests.support.note_passes import Writer, open_clocked
from tests.support.notes import planted_session
from tests.support.state import damage, run

KEY = "agent:main:main"
WIDTH = 80


@pytest.fixture(name="state")
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with a session whose notes are in view, closed; the terminal has 80 columns."""
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    home = StatePaths(tmp_path).home
    home.mkdir(parents=True, mode=0o700)
    context, _ = open_clocked(home)
    writer = Writer(HostSession(context, KEY))
    writer.host.assemble(planted_session(5, turns=30), 0)
    writer.run()
    context.close()
    return tmp_path


def listed(state: Path) -> dict[str, dict]:
    """Notes by node, as `--json` tells them."""
    document = json.loads(run(state, "notes", KEY, "--json").stdout)
    return {note["node"]: note for note in document["notes"]}


def top(state: Path) -> dict:
    return next(note for note in listed(state).values() if note["depth"] == 1)


def fits(result: Result) -> bool:
    """Whether no line is wider than the terminal."""
    return all(len(line) <= WIDTH for line in (result.stdout + result.stderr).splitlines())


def test_notes_are_listed_as_a_tree_with_what_comes_next(state: Path) -> None:
    """Every note with its state and tokens, then the last pass and why there is no further one."""
    result = run(state, "notes", KEY)
    assert result.exit_code == 0 and fits(result)
    for node, note in listed(state).items():
        assert node in result.stdout
        assert note["state"] in ("in view", "replaced")
    assert "last pass" in result.stdout and "nothing further:" in result.stdout


def test_one_note_is_shown_with_its_tags(state: Path) -> None:
    """Its text as it stands in the view; with `--json` also where it is and what it is made of."""
    node = top(state)["node"]
    shown = run(state, "notes", "show", node).stdout
    assert shown.startswith("<flowctx-handoff-note ") and node in shown
    document = json.loads(run(state, "notes", "show", node, "--json").stdout)
    assert document["text"] == shown.rstrip("\n") and set(document["sources"]) <= set(listed(state))


def test_a_note_is_unfolded_and_folded_again(state: Path) -> None:
    """Both are told, and twice is one time too many."""
    node = top(state)["node"]
    assert run(state, "notes", "undo", node).exit_code == 0
    assert listed(state)[node]["state"] == "unfolded"
    again = run(state, "notes", "undo", node)
    assert again.exit_code == 1 and f"{node} cannot be unfolded: it is unfolded" in again.stderr
    assert run(state, "notes", "redo", node.upper()).exit_code == 0
    assert listed(state)[node]["state"] == "in view"
    assert "it is folded" in run(state, "notes", "redo", node).stderr


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (["agent:main:nobody"], "No session 'agent:main:nobody' is stored.", 1),
        (["show", "0" * 16], "`flowctx notes SESSION` lists them.", 1),
        (["undo", "nothing"], "No note 'nothing' is stored.", 1),
        (["redo"], "needs the NODE of a note", 2),
    ],
)
def test_what_is_not_there_is_named_with_the_next_step(
    state: Path, words: list[str], said: str, code: int
) -> None:
    """On stderr, within 80 columns; a usage error exits with 2, anything else with 1."""
    result = run(state, "notes", *words)
    assert result.exit_code == code
    assert said in result.stderr and result.stdout == ""
    assert fits(result)


def test_a_reason_as_long_as_a_providers_message_is_wrapped(state: Path) -> None:
    """What a failed attempt left is told in full, within the terminal."""
    why = "the provider said at length that " * 8 + "it is overloaded"
    context, _ = open_clocked(StatePaths(state).home)
    sql = "UPDATE jobs SET state = 'failed', attempts = 3, error = ?"
    context.database.write(lambda connection: connection.execute(sql, (why,))).result()
    context.close()
    result = run(state, "notes", KEY)
    assert fits(result)
    assert "it is overloaded" in " ".join(result.stdout.split())


@pytest.mark.parametrize("words", [[KEY], ["show", "0" * 16], ["undo", "0" * 16]], ids=" ".join)
def test_without_a_store_nothing_is_made(tmp_path: Path, words: list[str]) -> None:
    """Not even by a command that would change something."""
    result = run(tmp_path, "notes", *words)
    assert result.exit_code == 1 and "There is no store" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_store_is_left_as_it_is(state: Path) -> None:
    """Unfolding sets no file aside; that is for the sidecar to do."""
    damage(StatePaths(state))
    before = StatePaths(state).database.read_bytes()
    result = run(state, "notes", "undo", "0" * 16)
    assert result.exit_code == 1 and "Traceback" not in result.output
    assert StatePaths(state).database.read_bytes() == before


def test_retrieve_gives_a_note_and_what_it_stands_for(state: Path) -> None:
    """As the tool does: the note, or page by page what it was made from, down to messages."""
    node = top(state)["node"]
    note = run(state, "retrieve", "--node", node)
    assert note.exit_code == 0 and note.stdout == run(state, "notes", "show", node).stdout
    page = run(state, "retrieve", "--node", node, "--expand", "--max-tokens", "500")
    assert page.exit_code == 0 and "gives the next" in page.stdout.splitlines()[0]
    later = run(state, "retrieve", "--node", node, "--expand", "--from", "2", "--json")
    document = json.loads(later.stdout)
    assert document["node"] == node and document["text"].startswith("[2-")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "HASH or --node"),
        (("0" * 24, "--node", "n1"), "HASH or --node"),
        (("0" * 24, "--expand"), "--node"),
        (("--node", "n1", "--grep", "x"), "--grep"),
    ],
)
def test_retrieve_says_what_does_not_go_together(
    state: Path, arguments: tuple[str, ...], said: str
) -> None:
    """Parts are of originals, and only notes are expanded."""
    result = run(state, "retrieve", *arguments)
    assert result.exit_code == 2 and said in result.stderr


def test_an_unknown_note_is_an_error_of_retrieve(state: Path) -> None:
    """It names the node and where to find those there are."""
    result = run(state, "retrieve", "--node", "n0000", "--expand")
    assert result.exit_code == 1 and "n0000" in result.stderr
