"""The preview of a round agrees with the round."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from flowctx.cli.main import main
from flowctx.config import Settings
from flowctx.service.context import Context
from flowctx.service.preview import preview_session
from flowctx.service.recall.pins import pin
from tests.recall.test_pins import turns
from tests.replay.sessions import task
from tests.support.host import HostSession, open_context

KEY = "agent:main:main"


@pytest.fixture
def context(tmp_path):
    (tmp_path / "flowctx").mkdir()
    made = open_context(tmp_path / "flowctx")
    yield made
    made.close()


def test_nothing_folds_within_the_budget(context: Context):
    """A view that fits stays as it is, and the tokens are those of the view."""
    host = HostSession(context)
    host.assemble(turns(*range(8)))
    host.settle()
    seen = preview_session(context.database, KEY, Settings(), 1_000_000)
    assert seen["folds"] == [] and seen["tokens_now"] == host.answer.estimated_tokens


def test_the_preview_says_what_the_round_then_does(context: Context):
    """The runs that it names fold, and the view is no larger than it said."""
    host, history = HostSession(context), turns(*range(20))
    host.assemble(history)
    pin(context, host.state, "Never push to main.", "session")
    before = host.assemble(history)
    host.settle()
    seen = preview_session(context.database, KEY, Settings(), 3000)
    assert seen["tokens_now"] == host.answer.estimated_tokens
    assert before == host.assemble(history), "a preview changes nothing"
    host.assemble(history, 3000)
    placed = [(p.start, p.end - 1) for p in host.state.frame.placements]
    assert placed == [(fold["first"], fold["last"]) for fold in seen["folds"]]
    assert host.answer.estimated_tokens <= seen["tokens_after"] <= 3000


def test_what_pays_at_the_next_turn_is_foreseen(context: Context):
    """Before each turn the preview says whether the view folds then, why, and how small it gets."""
    host, history = HostSession(context), []
    rounds = 0
    for number in range(12):
        host.assemble(history)
        history += task(number)
        host.commit(f"{number}", task(number))
        host.settle()
        seen = preview_session(context.database, KEY, Settings())
        host.assemble(history)
        assert host.answer is not None
        if host.answer.round:
            rounds += 1
            assert seen["form"] in ("fold", "condense") and seen["reason"] == host.answer.round
        # Digests may turn out shorter than they may be.
        assert host.answer.estimated_tokens <= seen["tokens_after"] + 100
    assert rounds


def test_the_commands_print_documents(context: Context, tmp_path):
    """preview, pins, search, explain --message and retrieve with a part, as JSON."""
    host = HostSession(context)
    host.assemble(turns(*range(4)))
    pin(context, host.state, "Never push to main.", "agent")
    host.settle()
    context.index.drain(context.settings)

    def run(*words: str) -> dict:
        done = CliRunner().invoke(main, [*words, "--json", "--state-dir", str(tmp_path)])
        assert done.exit_code == 0, done.output
        return json.loads(done.output)

    assert run("preview", KEY, "--budget", "500")["folds"]
    assert run("pins")["pins"][0]["text"] == "Never push to main."
    assert run("search", '"run 2"', "--session", KEY)["hits"]
    (line,) = run("explain", KEY, "--message", "2")["messages"]
    assert line["role"] == "toolResult"
