"""What cards cost: tokens injected per turn, over recorded sessions lived one after the other."""

from __future__ import annotations

import lzma
from pathlib import Path

import orjson
import pytest

from flowctx.service.context import Context
from flowctx.service.state import SessionTable
from tests.support.host import HostSession, open_context

_SETS = ("entireio-cli", "context-evaluator", "pi-mono")
_TURN_MS, _MOST_SESSIONS, _MOST_TURNS = 600_000, 60, 12


@pytest.mark.shared
def test_tokens_injected_per_turn(tmp_path, shared, record_property):
    """Sessions of one person, a turn every ten minutes; the block is in every view that follows."""
    context = open_context(tmp_path)
    clock = [context.now_ms()]
    context.now_ms = lambda: clock[0]
    table, views, chosen = SessionTable(), [], []
    paths = [p for name in _SETS for p in sorted((shared / "transcripts" / name).glob("*.xz"))]
    for number, path in enumerate(paths[:: max(len(paths) // _MOST_SESSIONS, 1)]):
        for injected, standing in _live(context, table, number, path, clock):
            chosen.append(injected)
            views.append(standing)
    context.close()
    record_property("turns", len(views))
    record_property("blocks", sum(tokens > 0 for tokens in chosen))
    record_property("injected_per_turn", round(sum(chosen) / len(chosen), 1))
    record_property("standing_per_view", round(sum(views) / len(views), 1))
    assert 0 < sum(chosen) / len(chosen) < 1_500 and max(chosen) <= 1_500


def _live(
    context: Context, table: SessionTable, number: int, path: Path, clock: list[int]
) -> list[tuple[int, int]]:
    """Live a recorded session; tokens that each turn added, and that stood in its view."""
    session = HostSession(context, f"agent:main:explicit:s{number}", table)
    figures = []
    history: list[dict] = []
    for turn in _turns(path)[:_MOST_TURNS]:
        clock[0] += _TURN_MS
        session.prompt = _text(turn[0])
        before = sum(each.tokens for each in session.state.injections)
        session.assemble(history)
        after = sum(each.tokens for each in session.state.injections)
        figures.append((after - before, after))
        stamped = [{**body, "timestamp": clock[0] + at} for at, body in enumerate(turn)]
        session.observe(*stamped)
        session.settle()
        history += stamped
    return figures


def _turns(path: Path) -> list[list[dict]]:
    turns: list[list[dict]] = []
    for line in lzma.decompress(path.read_bytes()).splitlines():
        body = orjson.loads(line)
        if body.get("role") == "user":
            turns.append([])
        if turns:
            turns[-1].append(body)
    return turns


def _text(body: dict) -> str:
    content = body.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content or [])
