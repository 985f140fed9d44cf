"""The savings ledger: what each call cost by the host's report, and would have without flowctx."""

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from flowctx.close_tokens import estimate_closely
from flowctx.dag.counterfactual import Call, Usage, cost_without
from flowctx.errors import StoreError
from flowctx.message import ParsedMessage, text_of
from flowctx.service.context import Context
from flowctx.service.frame import Frame
from flowctx.store.connection import Connection
from flowctx.store.ledger import last_events
from flowctx.store.savings import SavingRow, add_saving, token_factor
from flowctx.store.sessions import SessionRow
from flowctx.tokens import estimate_total
from flowctx.view.protect import is_own_tool

# A provider's tokens for each estimated one; beyond this the comparison went wrong.
FACTOR_LEAST, FACTOR_MOST = 0.5, 3.0
_PER_MILLION = 1e-6
# What of the newest messages is estimated closely, so that it takes a few milliseconds at most.
_SAMPLED_MESSAGES, _SAMPLED_CHARS = 32, 4_000
_PRIOR_TOKENS = 1_000


def record_turn(
    context: Context, row: SessionRow, frame: Frame, tail: Sequence[ParsedMessage]
) -> None:
    """Write the calls among some messages to the ledger, behind the reply.

    Args:
        context: of the sidecar; nothing is written with `savingsTracking` off.
        row: of the session.
        frame: with the figures of the view that these calls were given.
        tail: messages that have come since that view.
    """
    if not context.settings.savings_tracking:
        return
    sent = frame.sent_tokens or _last_sent(context, row)
    if sent is None:
        # What was sent before flowctx made its first view is none of its doing.
        return
    rows = list(_rows(context, frame, tail, left_out=sent[1] - sent[0]))

    def write(connection: Connection) -> None:
        for each in rows:
            add_saving(connection, row.id, each)

    if rows:
        context.database.write(write)


def _last_sent(context: Context, row: SessionRow) -> tuple[int, int] | None:
    """Tokens of the last view and of what it stands for, as the ledger has them."""
    last = context.database.read(lambda connection: last_events(connection, row.id, "assemble", 1))
    return (last[0]["view_tokens"], last[0]["raw_tokens"]) if last else None


def charge_summary(context: Context, session_id: int, job: int, usage: Usage, model: str) -> None:
    """Count the call that wrote a note as a cost of flowctx, its output included.

    Args:
        context: shared by all.
        session_id: row of the session's epoch.
        job: that the call was made for.
        usage: as the host reported it.
        model: that wrote.
    """
    now = context.now_ms()
    prices = context.prices
    name = hashlib.sha256(repr((job, now, usage)).encode()).digest()[:16]
    cost = usage.cost(prices) + prices.output * usage.output
    price = usage.price_usd or context.settings.input_cost_per_m_tok * _PER_MILLION
    saving = SavingRow(name, now, _day(now), model, usage.prompt, usage.read, 0, cost, 0.0, price)
    context.database.write(lambda connection: add_saving(connection, session_id, saving))


def calibrated_budget(
    context: Context, budget: int, model: str, newest: Sequence[ParsedMessage] = ()
) -> int:
    """A budget of the host's in plainly estimated tokens, corrected by what a model counted.

    Where the host tells none, 0, it is the window of the settings.
    Before a model has counted anything, the closer estimate of the newest messages
    stands for it, as far as these are enough to tell. The plain estimate is never taken
    for too high: a view may hold what was not counted yet. So the answer lies between a
    third of the budget and all of it.
    """
    budget = budget or context.settings.context_window_tokens
    factor = None
    if model and context.settings.savings_tracking:
        with suppress(StoreError):
            factor = context.database.read(lambda connection: token_factor(connection, model))
    return int(budget / min(max(factor or _closer(newest), 1.0), FACTOR_MOST))


def _closer(newest: Sequence[ParsedMessage]) -> float:
    """Closely estimated tokens for each plainly estimated one of some texts.

    A few words say little of what a whole view is made of, and must not shrink a
    budget: as much plain text as `_PRIOR_TOKENS` is taken to be as estimated.
    """
    texts = [text_of(parsed.value)[:_SAMPLED_CHARS] for parsed in newest[-_SAMPLED_MESSAGES:]]
    closely = sum(map(estimate_closely, texts))
    return (closely + _PRIOR_TOKENS) / (estimate_total(texts) + _PRIOR_TOKENS)


def read_usage(value: Mapping[str, Any]) -> Usage | None:
    """What the host reports with an assistant message; None where it reports nothing."""
    said = value.get("usage")
    if not isinstance(said, dict):
        return None
    usage = Usage(
        fresh=_count(said.get("input")),
        read=_count(said.get("cacheRead")),
        written=_count(said.get("cacheWrite")),
        output=_count(said.get("output")),
        price_usd=_price(said),
    )
    return usage if usage.prompt else None


def _rows(
    context: Context, frame: Frame, tail: Sequence[ParsedMessage], *, left_out: int
) -> Iterator[SavingRow]:
    """The calls of one turn; the first has all messages since the last view's end as new."""
    reports = [(p, read_usage(p.value)) for p in tail if p.message.role == "assistant"]
    has_cache = any(usage and usage.read + usage.written for _, usage in reports)
    before: Usage | None = None
    new, last_ms = 0, frame.last_call_ms
    for parsed in tail:
        message = parsed.message
        usage = read_usage(parsed.value) if message.role == "assistant" else None
        if usage is None:
            new += message.tokens
            continue
        expired = bool(last_ms and message.time_ms) and (
            message.time_ms - last_ms > context.cache_ttl_ms
        )
        own = bool(message.calls) and all(is_own_tool(call.tool) for call in message.calls)
        call = Call(usage, left_out, new, has_cache, expired, own, opens_turn=before is None)
        yield _row(context, parsed, call, before)
        before, new, last_ms = usage, message.tokens, message.time_ms
    frame.last_call_ms = last_ms


def _row(context: Context, parsed: ParsedMessage, call: Call, before: Usage | None) -> SavingRow:
    message, usage = parsed.message, call.usage
    tokens_without, without = cost_without(call, context.prices)
    counted = usage.prompt - before.prompt if before else 0
    comparable = call.new > 0 and FACTOR_LEAST <= counted / call.new <= FACTOR_MOST
    return SavingRow(
        digest=message.digest,
        time_ms=message.time_ms,
        day=_day(message.time_ms or context.now_ms()),
        model=_model(parsed.value),
        tokens=usage.prompt,
        cached=usage.read,
        tokens_without=tokens_without,
        cost=usage.cost(context.prices),
        cost_without=without,
        price_usd=usage.price_usd or context.settings.input_cost_per_m_tok * _PER_MILLION,
        counted=counted if comparable else 0,
        estimated=call.new if comparable else 0,
    )


def _model(value: Mapping[str, Any]) -> str:
    model = value.get("model")
    return model if isinstance(model, str) else ""


def _count(value: Any) -> int:
    return min(max(value, 0), 1 << 40) if type(value) is int else 0


def _price(said: Mapping[str, Any]) -> float:
    """Price of a token of plain input, from what the host says that part cost."""
    cost, tokens = said.get("cost"), _count(said.get("input"))
    paid = cost.get("input") if isinstance(cost, dict) else None
    if not tokens or isinstance(paid, bool) or not isinstance(paid, int | float):
        return 0.0
    return float(paid) / tokens if math.isfinite(paid) and paid > 0 else 0.0


def _day(time_ms: int) -> str:
    return datetime.fromtimestamp(time_ms / 1000, UTC).strftime("%Y-%m-%d")
