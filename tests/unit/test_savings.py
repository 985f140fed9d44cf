"""The savings ledger: net figures from the usage that the host reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from flowctx.cli.main import main
from flowctx.config import Settings
from flowctx.dag.counterfactual import Call, Usage, cost_without
from flowctx.dag.prices import Prices
from flowctx.identity import resolve_session
from flowctx.message import parse_message
from flowctx.service.adopt import open_row
from flowctx.service.context import Context
from flowctx.service.savings import calibrated_budget, charge_summary, read_usage
from flowctx.service.stats import collect_stats
from flowctx.store.savings import token_factor
from tests.replay.sessions import task
from tests.support.host import HostSession, open_context
from tests.support.transcripts import Body, assistant, dump, user

PRICES = Prices(cached=0.1, write=1.25)
WARM = Call(Usage(0, 9_000, 1_000, 50), 20_000, 1_000, True, False, False, opens_turn=False)


def test_history_left_out_would_have_been_read_from_the_cache() -> None:
    """A warm call is spared the cached price of what its view left out."""
    tokens, cost = cost_without(WARM, PRICES)
    assert tokens == 30_000
    assert cost == pytest.approx(WARM.usage.cost(PRICES) + 2_000)


def test_a_round_is_a_loss_until_it_has_paid() -> None:
    """What was sent anew behind a rewritten turn counts against flowctx."""
    usage = Usage(0, 2_000, 8_000, 50)
    first = Call(usage, 1_000, 1_000, True, False, False, opens_turn=True)
    assert cost_without(first, PRICES)[1] < usage.cost(PRICES)


def test_asking_flowctx_back_is_a_loss() -> None:
    """A call that only retrieves would not have been made."""
    own = Call(WARM.usage, 20_000, 1_000, True, False, True, opens_turn=False)
    assert cost_without(own, PRICES) == (0, 0.0)


def test_without_a_cache_all_of_it_would_have_been_read() -> None:
    """Where the provider has no cache, or it has expired, what was left out counts in full."""
    plain = Call(Usage(10_000, 0, 0, 5), 20_000, 1_000, False, False, False, opens_turn=True)
    assert cost_without(plain, PRICES) == (30_000, 30_000.0)
    cold = Call(Usage(0, 0, 10_000, 5), 20_000, 1_000, True, True, False, opens_turn=True)
    assert cost_without(cold, PRICES) == (30_000, pytest.approx(1.25 * 30_000))


@pytest.mark.parametrize(
    "usage", [None, [], {}, {"input": -5}, {"input": True}, {"input": "9"}, {"output": 7}]
)
def test_usage_that_says_nothing_counts_nothing(usage: Any) -> None:
    """Odd or missing reports are no calls."""
    assert read_usage({"role": "assistant", "usage": usage}) is None


def test_price_is_the_hosts_where_it_gives_one() -> None:
    """The price of a token of plain input is what the host says that part cost."""
    said = {"input": 1_000, "cacheRead": 10, "cost": {"input": 0.005}}
    usage = read_usage({"usage": said})
    assert usage is not None
    assert usage.price_usd == pytest.approx(5e-6)
    assert read_usage({"usage": {"input": 5, "cost": {"input": float("nan")}}}) == Usage(5, 0, 0, 0)


@pytest.fixture(name="context")
def _context(tmp_path: Path):
    context = open_context(tmp_path / "flowctx", Settings())
    yield context
    context.close()


def test_sums_are_those_of_the_calls(context: Context, tmp_path: Path) -> None:
    """Each call counts once, in its session and on its day, and `flowctx stats` shows the net."""
    host = HostSession(context)
    history = drive(host, 8)
    # Handing all of it over again, as after a restart, adds nothing.
    HostSession(context).assemble(history, budget=180_000)
    host.settle()
    document = collect_stats(context.database)
    sums = document["totals"]["savings"]
    assert sums["calls"] == sum(body["role"] == "assistant" for body in history)
    assert sums == document["sessions"][0]["savings"]
    assert sum(day["calls"] for day in document["days"]) == sums["calls"]
    assert [day["day"] for day in document["days"]] == ["2026-11-02", "2026-11-01"]
    assert sums["tokens_without"] > 1.5 * sums["tokens"]
    assert sums["net_cost_saved"] == sums["cost_without"] - sums["cost"] > 0
    said = CliRunner().invoke(main, ["stats", "--state-dir", str(tmp_path)])
    assert f"{sums['net_cost_saved']:,}" in said.stdout


def test_a_note_by_a_model_lowers_the_net(context: Context) -> None:
    """The call that writes a note is charged, input and output."""
    host = HostSession(context)
    drive(host, 8)
    host.settle()
    before = collect_stats(context.database)["totals"]["savings"]["net_cost_saved"]
    row = open_row(context, host.state)
    charge_summary(context, row.id, 1, Usage(10_000, 0, 0, 1_000), "m")
    host.settle()
    after = collect_stats(context.database)["totals"]["savings"]["net_cost_saved"]
    assert before - after == 10_000 + 5 * 1_000


def test_switched_off_nothing_is_written(tmp_path: Path) -> None:
    """Without `savingsTracking` the ledger stays empty."""
    context = open_context(tmp_path, Settings(savings_tracking=False))
    host = HostSession(context)
    drive(host, 4)
    host.settle()
    assert collect_stats(context.database)["totals"]["savings"]["calls"] == 0
    context.close()


def test_estimates_are_corrected_by_what_the_model_counts(context: Context) -> None:
    """A model that counts more tokens gets a smaller budget; none gets a larger one."""
    host = HostSession(context)
    drive(host, 4, factor=1.5)
    host.settle()
    factor = context.database.read(lambda connection: token_factor(connection, "m"))
    assert factor == pytest.approx(1.5, abs=0.02)
    assert calibrated_budget(context, 150_000, "m") == pytest.approx(100_000, rel=0.02)
    assert calibrated_budget(context, 150_000, "unknown") == 150_000
    other = HostSession(context, "agent:main:other")
    drive(other, 4, factor=0.6, model="small")
    other.settle()
    assert calibrated_budget(context, 150_000, "small") == 150_000


def test_a_few_words_shrink_no_budget(context: Context) -> None:
    """Before a model has counted, texts correct a budget by as much as they are enough to tell."""
    word, table = user("!?"), user("1.5;2.25;-3.75\n" * 4_000)
    few = [parse_message(dump(word))]
    many = [parse_message(dump(table))] * 32
    assert calibrated_budget(context, 8_000, "new", few) >= 7_950
    assert 8_000 // 3 <= calibrated_budget(context, 8_000, "new", many) < 6_000
    assert calibrated_budget(context, 8_000, "new", []) == 8_000


def test_a_short_first_call_shrinks_no_budget(context: Context) -> None:
    """What a provider counts beside a few words does not make them another vocabulary."""
    host = HostSession(context)
    host.assemble([], 0)
    reply = assistant("yes") | {"model": "terse", "usage": {"input": 60, "output": 1}}
    later = assistant("no") | {"model": "terse", "usage": {"input": 110, "output": 1}}
    host.assemble([user("a"), reply, user("what else is there to do today?"), later], 0)
    host.settle()
    assert calibrated_budget(context, 30_000, "terse") >= 28_000


def drive(host: HostSession, tasks: int, factor: float = 1.0, model: str = "m") -> list[Body]:
    """A session whose host reports what each call used: a prefix cache of the last prompt."""
    assert host.state.ref == resolve_session(host.state.ref.key)
    history: list[Body] = []
    for number in range(tasks):
        view = host.assemble(history, budget=180_000)
        prompt, cached = 7_000 + sum(map(size, view)), 7_000
        start = 1_793_500_000_000 + number * 20_000_000
        turn = task(number, start_ms=start)
        for body in turn:
            if body["role"] == "assistant":
                counted, read = round(factor * prompt), round(factor * cached)
                body["usage"] = {
                    "input": 0, "cacheRead": read, "cacheWrite": counted - read, "output": 9,
                }  # fmt: skip
                body["model"] = model
                body.setdefault("timestamp", start + 5_000_000)
                cached = prompt
            prompt += size(body)
        history += turn
        host.assemble(history, budget=180_000)
    return history


def size(body: Body) -> int:
    from flowctx.message import parse_message
    from tests.support.transcripts import dump

    return parse_message(dump(body)).message.tokens
