"""What failing models cost: pauses, limits, a breaker, and never a bad note."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from flowctx.dag.prompt.prompts import Prompt
from flowctx.service.breaker import FIRST_BREAK_MS
from flowctx.service.notes.limits import FIRST_PAUSE_MS, HOUR_MS, LONGEST_PAUSE_MS, pause_after
from flowctx.service.notes.passes import Rest
from flowctx.service.notes.replies import Completion
from tests.support.host import HostSession
from tests.support.note_passes import BUDGET, SMALL, Clock, Writer, good, open_clocked, said
from tests.support.notes import planted_session

BODIES = planted_session(6, turns=40)


@pytest.fixture
def clocked(tmp_path: Path):
    context, clock = open_clocked(tmp_path, replace(SMALL, summary_max_calls_per_hour=24))
    writer = Writer(HostSession(context))
    writer.host.assemble(BODIES, BUDGET)
    yield writer, clock
    context.close()


def test_pauses_double_up_to_an_hour() -> None:
    """15 s, 30 s, 1 min … never more than an hour."""
    assert [pause_after(n) for n in (1, 2, 3)] == [FIRST_PAUSE_MS * k for k in (1, 2, 4)]
    assert pause_after(500) == LONGEST_PAUSE_MS


def test_a_failed_chunk_is_tried_again_after_its_pause(clocked: tuple[Writer, Clock]) -> None:
    """Before that there is a reason; afterwards the same chunk comes again."""
    writer, clock = clocked
    writer.ask = lambda _: said("}{")
    assert writer.step() == "sections missing"
    rest = writer.step()
    assert isinstance(rest, Rest) and rest.until_ms == clock.now + FIRST_PAUSE_MS
    assert "sections missing" in rest.reason
    clock.pass_minutes(1)
    writer.ask = good
    assert writer.step() == ""
    assert writer.calls[0].key == writer.calls[1].key


@pytest.mark.parametrize(
    "reply",
    [
        said(""),
        said("<think>hm</think>"),
        said("I cannot help with that."),
        said("## Goal\n- x", "length"),
        said("word " * 60_000),
        Completion(error="boom", error_kind="failed"),
        Completion(error="no reply within 300 s", error_kind="timeout"),
    ],
)
def test_no_bad_reply_becomes_a_note(clocked: tuple[Writer, Clock], reply: Completion) -> None:
    """Each is refused with its reason, and the view stays as it was."""
    writer, _ = clocked
    before = writer.host.assemble(BODIES, BUDGET)
    writer.ask = lambda _: reply
    assert writer.step()
    assert [row for row in writer.notes() if row.fold.kind == "note"] == []
    assert writer.host.assemble(BODIES, BUDGET) == before


def test_no_more_calls_than_set_within_an_hour(clocked: tuple[Writer, Clock]) -> None:
    """24 calls, then a pause until the first of them is an hour old."""
    writer, clock = clocked
    writer.ask = lambda _: Completion(error="left", error_kind="link")
    begun = clock.now
    for _ in range(24):
        assert writer.step() == "left"
    assert writer.step() == Rest("24 calls within an hour are the limit", begun + HOUR_MS)
    clock.pass_minutes(60.1)
    assert writer.step() == "left"


def test_a_day_costs_no_more_tokens_than_set(clocked: tuple[Writer, Clock]) -> None:
    """Once the day's tokens are spent, nothing is asked for until they are a day old."""
    writer, clock = clocked
    writer.context.settings = replace(
        writer.context.settings, summary_daily_token_budget=1_500, summary_trigger_ratio=0.1
    )
    assert writer.step() == ""
    assert writer.step() == ""
    rest = writer.step()
    assert isinstance(rest, Rest) and "1,500 tokens a day" in rest.reason
    clock.pass_minutes(25 * 60)
    assert writer.step() == ""


def test_refused_credentials_stop_the_agents_calls(clocked: tuple[Writer, Clock]) -> None:
    """Half an hour, doubled with each refusal, over as soon as a call is answered."""
    writer, clock = clocked
    writer.ask = lambda _: Completion(error="401", error_kind="auth")
    lengths = []
    for _ in range(3):
        assert writer.step() == "401"
        rest = writer.step()
        assert isinstance(rest, Rest)
        lengths.append(rest.until_ms - clock.now)
        clock.now = rest.until_ms
    assert lengths == [FIRST_BREAK_MS, FIRST_BREAK_MS * 2, FIRST_BREAK_MS * 4]
    writer.ask = good
    assert writer.step() == ""
    assert writer.context.breaker.pause("main", clock.now) is None


def test_a_third_garbage_then_twenty_turns_down(tmp_path: Path) -> None:
    """No bad note, no chunk skipped, calls within the limit, and every view within budget."""
    context, clock = open_clocked(tmp_path, replace(SMALL, summary_max_calls_per_hour=24))
    writer, luck = Writer(HostSession(context)), random.Random(7)
    bodies: list[dict] = []
    for turn in range(60):
        bodies += planted_session(turn, turns=1)
        writer.ask = _down if 20 <= turn < 40 else partial(_unlucky, luck)
        writer.host.assemble(bodies, BUDGET)
        assert writer.host.answer.estimated_tokens <= BUDGET
        for _ in range(10):
            if isinstance(writer.step(), Rest):
                break
        clock.pass_minutes(2)
    notes = [row for row in writer.notes() if row.fold.kind == "note" and row.fold.depth == 0]
    assert all("as the record says" in row.fold.body.decode() for row in notes)
    placements = writer.state.frame.placements
    assert [placed.start for placed in placements] == [0, *(p.end for p in placements[:-1])]
    assert placements[-1].end > len(bodies) // 2
    context.close()


def _down(_prompt: Prompt) -> Completion:
    return Completion(error="503", error_kind="failed")


def _unlucky(luck: random.Random, prompt: Prompt) -> Completion:
    return said("}{") if luck.random() < 0.3 else good(prompt)
