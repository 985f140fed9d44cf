"""`flowctx retrieve`, `search`, `pins`, `pin` and `unpin`: what the tools do, for the owner."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from flowctx.cli.main import main
from flowctx.message import hash_text
from flowctx.paths import StatePaths
from tests.sliding.test_import import MAIN, host_store
from tests.support.cards import turn
from tests.support.host import HostSession, open_context
from tests.support.sidecar import running
from tests.support.transcripts import assistant, call, result, user
from tests.support.wire import WireSession

LOG = "\n".join(f"{n} worker {n % 7} walrus" for n in range(1, 400))
MARKUP = "Close </flowctx-pins> and [/bold] :fire: &lt; <b>; 绝不 `force`"

BODIES = [
    user("Look at the walrus log, \x1b[31malarmed", timestamp=1_796_000_000_000),
    assistant(call("c1", command="cat log"), timestamp=1_796_000_000_001),
    result("c1", LOG, timestamp=1_796_000_000_002),
    assistant("Looked.", timestamp=1_796_000_000_003),
    user("and now?", timestamp=1_796_000_000_004),
]


def run(state: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments, "--state-dir", str(state)])


def test_what_was_imported_is_found_at_once(tmp_path):
    """Without any sidecar its messages and its cards answer the next search."""
    now = time.time_ns() // 1_000_000
    bodies = turn("Feed the walrus at noon", "It is fed and content.", now - 5_000)
    host_store(tmp_path / "state", "main", {MAIN: bodies})
    assert run(tmp_path / "state", "import", "--yes").exit_code == 0
    found = json.loads(run(tmp_path / "state", "search", "walrus", "--json").stdout)
    assert [hit["role"] for hit in found["hits"]] == ["user"]
    assert [card["session"] for card in found["cards"]] == [MAIN]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state directory with one session, and no sidecar."""
    home = StatePaths(tmp_path).home
    home.mkdir(parents=True)
    context = open_context(home)
    host = HostSession(context, MAIN)
    host.assemble(BODIES)
    host.settle()
    context.index.drain(context.settings)
    context.close()
    return tmp_path


def listed(state: Path) -> list[dict]:
    return json.loads(run(state, "pins", "--json").stdout)["pins"]


def test_pins_are_set_listed_and_removed_as_they_were_written(state):
    """Markup of ours, of a terminal or of a table in a pin is shown as the user gave it."""
    done = json.loads(run(state, "pin", MARKUP, "--json").stdout)
    assert done["pins"][0]["text"] == MARKUP and done["said"].startswith("Pinned as")
    assert MARKUP in run(state, "pin", MARKUP).stdout
    assert listed(state)[0]["text"] == MARKUP and len(listed(state)) == 1
    assert "</flowctx-pins>" in run(state, "pins").stdout and "[/bold]" in run(state, "pins").stdout
    gone = run(state, "unpin", str(done["pins"][0]["id"]))
    assert MARKUP in gone.stdout and listed(state) == []


def test_a_pin_stands_where_it_was_asked_for(state):
    """A session's pin carries its key, an agent's its person; both are in the next view."""
    run(state, "pin", "only here")
    run(state, "pin", "a peer's", "--scope", "agent", "--session", "agent:main:telegram:direct:7")
    where = {pin["text"]: (pin["session"], pin["person"]) for pin in listed(state)}
    assert where == {"only here": (MAIN, "owner"), "a peer's": ("", "direct:telegram:7")}
    context = open_context(StatePaths(state).home)
    view = HostSession(context, MAIN).assemble(BODIES[:4])
    context.close()
    assert "only here" in str(view) and "a peer's" not in str(view)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("pin", " "), "nothing to pin"),
        (("pin", "x", "--session", "agent:main:telegram:direct:9"), "no open session"),
        (("pin", "x", "--session", ""), "no open session"),
        (("pin", "word " * 9000), "no room"),
        (("unpin", "77"), "no pin '77'"),
        (("unpin", "1 OR 1=1"), "no pin"),
        (("unpin", "\u00b2"), "no pin"),
    ],
)
def test_what_cannot_be_pinned_is_said_in_one_line(state, words, said):
    """With exit code 1, and with `--json` as a document."""
    result_ = run(state, *words)
    assert (result_.exit_code, result_.stdout) == (1, "") and said in result_.stderr
    assert said in json.loads(run(state, *words, "--json").stdout)["error"]["message"]
    assert listed(state) == []


@pytest.mark.parametrize(
    "words",
    [("search", "x", "--session"), ("notes",), ("notes", "show"), ("preview",), ("explain",),
     ("pin", "x", "--session"), ("retrieve",), ("unpin",)],
    ids=" ".join,
)  # fmt: skip
def test_bytes_that_are_no_text_end_in_one_line(state, words):
    """What a shell passes on as it is, is no session, hash or id of ours."""
    result_ = run(state, *words, "\udcff")
    assert isinstance(result_.exception, SystemExit) and result_.exit_code == 1
    assert len(result_.stderr.splitlines()) == 1


def test_a_terminal_is_not_commanded_by_what_was_stored(state):
    """Escape sequences in a pin or a snippet reach no terminal."""
    run(state, "pin", "red \x1b[31m alarm \x9b2J")
    assert "red" in run(state, "pins").stdout and "\x1b" not in run(state, "pins").stdout
    assert "\x9b" not in run(state, "pins").stdout
    shown = run(state, "search", "alarmed").stdout
    assert "**alarmed**" in shown and "\x1b" not in shown


def test_parts_mirror_the_tool(state):
    """Ranges, matches and several hashes, as text and as a document; errors end with 1."""
    hash_ = hash_text(LOG)
    part = run(state, "retrieve", hash_, "--lines", "7-8").stdout
    assert part.split("\n")[1:3] == ["7:7 worker 0 walrus", "8:8 worker 1 walrus"]
    found = json.loads(run(state, "retrieve", hash_, "--grep", "/^399 /", "--json").stdout)
    assert "399:399 worker 0 walrus" in found["text"]
    assert run(state, "retrieve", hash_).stdout == LOG
    hit = json.loads(run(state, "search", "walrus tool:exec", "--json").stdout)["hits"][0]
    assert hit["hash"] == hash_
    for words in (("retrieve", "../../etc/passwd"), ("retrieve", "0" * 24), ("notes", "nowhere")):
        assert run(state, *words, "--json").exit_code == 1


def test_a_pin_beside_a_sidecar_is_in_its_next_view(state):
    """The sidecar that serves the store shows what the command line pinned, and drops it again."""
    with running(state) as sidecar:
        session, history = WireSession(sidecar.stub, MAIN), turn("Look at it", "Looked.", 9)
        session.assemble(history)
        assert run(state, "pin", "from outside").exit_code == 0
        assert "from outside" in str(session.assemble(history)[-1])
        assert run(state, "unpin", str(listed(state)[0]["id"])).exit_code == 0
        assert "Nothing is pinned" in str(
            session.assemble([*history, *turn("go on", "so", 10)])[-1]
        )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["search", "step", "--session", "nosuch"], "No session 'nosuch' is stored."),
        (["explain", MAIN, "--message", "99"], "There is no message 99"),
        (["retrieve", hash_text(LOG), "--lines", "abc"], "abc"),
        (["retrieve", hash_text(LOG), "--grep", "/(/"], "cannot be used"),
        (["retrieve", hash_text(LOG), "--json-path", "$.a"], "JSON"),
    ],
)
def test_what_is_not_there_is_an_error_on_stderr(state, words, said):
    """A script can tell it from what it asked for."""
    result = run(state, *words)
    assert result.exit_code == 1 and result.stdout == ""
    assert said in result.stderr


@pytest.mark.parametrize(
    "words", [["search", "step", "--limit", "26"], ["preview", MAIN, "--budget", "-1"]]
)
def test_numbers_outside_their_range_are_refused(state, words):
    """Nothing is silently taken for another number."""
    result = run(state, *words)
    assert result.exit_code == 2 and "not in the range" in result.stderr


def test_what_a_search_finds_can_be_retrieved(state):
    """Each hash of a hit leads to its text, also of what was never reduced."""
    hits = json.loads(run(state, "search", "walrus", "--json").stdout)["hits"]
    assert {hit["role"] for hit in hits} > {"toolResult"}
    texts = {run(state, "retrieve", hit["hash"]).stdout for hit in hits}
    assert LOG in texts and "Look at the walrus log, \x1b[31malarmed" in texts


def test_no_terminal_obeys_what_a_message_says(tmp_path):
    """Codes that set a title or clear the screen, and 8-bit controls, are not printed."""
    home = StatePaths(tmp_path).home
    home.mkdir(parents=True)
    context = open_context(home)
    host = HostSession(context, MAIN)
    host.assemble([user("\x1b]0;mine\x07 \x1b[2J \x9b2J the walrus")])
    host.settle()
    context.close()
    said = run(tmp_path, "explain", MAIN, "--message", "0")
    assert said.exit_code == 0 and "walrus" in said.stdout
    assert not {"\x1b", "\x07", "\x9b"} & set(said.stdout)
