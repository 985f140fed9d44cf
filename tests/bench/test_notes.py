"""What handoff notes cost: calls and tokens per 100 turns, and what a round sends again."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from flowctx.config import Settings
from flowctx.dag.prompt.prompts import Prompt
from flowctx.model import Insert, Keep, Op
from flowctx.service.notes.passes import Rest
from flowctx.service.notes.replies import Completion
from flowctx.tokens import estimate_tokens
from flowctx.view.change import shared_ops
from tests.bench.results import table, write_section
from tests.support.host import HostSession
from tests.support.note_passes import Writer, open_clocked, read_bodies, said
from tests.support.summariser import halving

SESSIONS = (
    "concat-long/006-context-evaluator-part1.jsonl.xz",
    "concat-long/008-entireio-cli-part1.jsonl.xz",
    "concat-long/009-entireio-cli-part2.jsonl.xz",
)
TURNS = 100
WINDOW, BUDGET = 200_000, 171_000


@dataclass
class Cost:
    """Sums over one replayed session."""

    turns: int = 0
    calls: int = 0
    sent: int = 0
    written: int = 0
    view: int = 0
    again: list[int] = field(default_factory=list)


@pytest.mark.shared
def test_cost_of_notes(shared: Path, tmp_path: Path) -> None:
    """Three public sessions of up to 100 turns, default settings and a scripted summariser."""
    rows = []
    for number, name in enumerate(SESSIONS):
        cost = replay(tmp_path / str(number), shared / "transcripts" / name)
        assert cost.turns > 20
        rows.append(row_of(name, cost))
    head = [
        "session", "turns", "calls", "input tokens", "output tokens", "rounds",
        "sent again per round", "mean view",
    ]  # fmt: skip
    lines = ["Calls and tokens per 100 turns; a window of 200,000 tokens, default settings."]
    write_section("Handoff notes", [*lines, "", *table(head, rows)])


def replay(folder: Path, path: Path) -> Cost:
    """Hand a session over turn by turn; notes are written between the turns."""
    context, clock = open_clocked(folder, Settings())
    writer, cost = Writer(HostSession(context)), Cost()

    def ask(prompt: Prompt) -> Completion:
        text = halving(prompt)
        cost.calls += 1
        cost.sent += estimate_tokens(prompt.system) + estimate_tokens(prompt.user)
        cost.written += estimate_tokens(text)
        return said(text)

    writer.ask = ask
    bodies: list[dict] = []
    for turn in read_bodies(path, TURNS):
        bodies += turn
        before = writer.host.ops
        writer.host.assemble(bodies, BUDGET)
        writer.state.notes.window_tokens = WINDOW
        cost.turns += 1
        cost.view += writer.host.answer.estimated_tokens
        if writer.host.answer.round == "notes":
            cost.again.append(sent_again(writer, before))
        while not isinstance(writer.step(), Rest):
            pass
        clock.pass_minutes(5)
    context.close()
    return cost


def sent_again(writer: Writer, before: tuple[Op, ...]) -> int:
    """Tokens of the view behind the first op that changed."""
    ops = writer.host.ops
    messages = writer.state.frame.messages
    total = 0
    for op in ops[shared_ops(before, ops) :]:
        if isinstance(op, Keep):
            total += sum(message.tokens for message in messages[op.start : op.end])
        elif isinstance(op, Insert):
            total += estimate_tokens(op.body.decode())
        else:
            total += estimate_tokens(op.text)
    return total


def row_of(name: str, cost: Cost) -> list[str]:
    """One line of the table."""
    per = 100 / cost.turns
    again = sum(cost.again) // max(len(cost.again), 1)
    figures = (cost.calls * per, cost.sent * per, cost.written * per, len(cost.again) * per)
    told = [f"{each:,.0f}" for each in figures]
    label = name.split("/")[-1].removesuffix(".jsonl.xz")
    return [label, str(cost.turns), *told, f"{again:,}", f"{cost.view // cost.turns:,}"]
