"""What the next round would do to a session, worked out from the store; nothing is changed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flowctx.config import Settings
from flowctx.dag.plan.frontier import place_folds
from flowctx.dag.plan.policy import Pace, choose_form
from flowctx.model import Decision, Injection, Message, Placement
from flowctx.service.edges.edge import EVENT
from flowctx.service.edges.measure import calls_ahead, measure
from flowctx.service.explain import newest_epoch
from flowctx.service.folding import fold_runs
from flowctx.service.frame import SUMMARY_ROLES, Frame
from flowctx.service.planning import uncovered
from flowctx.service.projection import OWN_RESULT, standing_reason
from flowctx.store.connection import Connection
from flowctx.store.injections import current_injections
from flowctx.store.ledger import last_events
from flowctx.store.messages import visible_messages
from flowctx.store.notes import current_folds
from flowctx.store.reader import Readable
from flowctx.store.sessions import SessionRow, gone_of
from flowctx.store.turns import coming_messages
from flowctx.store.views import StoredView, all_views
from flowctx.view.budget import choose_cut, next_edge
from flowctx.view.pairing import Pairing, pair_results
from flowctx.view.plan import message_costs, plan_segment
from flowctx.view.protect import Protection, protect_stored
from flowctx.view.turns import turn_starts

Document = dict[str, Any]
_PENDING = Decision("pending", "not reduced yet")


@dataclass(frozen=True, slots=True)
class _Stored:
    """A session as the store holds it."""

    row: SessionRow
    messages: list[Message]
    placements: list[Placement]
    injections: list[Injection]
    views: dict[bytes, StoredView]
    budget: int
    gone: int
    window: int


def preview_session(database: Readable, key: str, settings: Settings, budget: int = 0) -> Document:
    """What would fold if the next view had to fit a budget, with tokens before and after.

    Args:
        database: the store.
        key: of the session.
        settings: in use.
        budget: tokens; 0 for the one that the host gave last, and what pays at a turn edge.

    Raises:
        InvalidRequestError: no session has this key.
        StoreError: the store cannot be read.
    """
    stored = database.read(lambda connection: _load(connection, key))
    window = stored.window or settings.context_window_tokens
    document = _preview(stored, settings, budget or stored.budget or window)
    # Who asks for a budget wants to see what that alone does.
    return document if budget or document["folds"] else document | _at_edge(stored, settings)


def _load(connection: Connection, key: str) -> _Stored:
    row = newest_epoch(connection, key)
    messages = visible_messages(connection, row.id) + coming_messages(connection, row.id)
    told = last_events(connection, row.id, "assemble", 1)
    edge = last_events(connection, row.id, EVENT, 1)
    return _Stored(
        row,
        messages,
        place_folds(messages, current_folds(connection, row.id)),
        current_injections(connection, row.id),
        all_views(connection, row.id),
        told[0]["budget"] if told else 0,
        gone_of(connection, row.id),
        edge[0]["window"] if edge else 0,
    )


def _preview(stored: _Stored, settings: Settings, budget: int) -> Document:
    pairing = pair_results(stored.messages)
    now = _costs(stored, pairing, settings, releases=False)
    injected = sum(each.tokens for each in stored.injections)
    covered = {at for p in stored.placements for at in range(p.start, p.end)}
    tokens = injected + sum(p.fold.tokens for p in stored.placements)
    tokens += sum(cost for at, cost in enumerate(now) if at not in covered)
    document: Document = {
        "key": stored.row.ref.key,
        "epoch": stored.row.epoch,
        "budget": budget,
        "tokens_now": tokens,
        "tokens_after": tokens,
        "folds": [],
        "form": "keep",
        "reason": "",
    }
    if tokens > budget:
        released = _costs(stored, pairing, settings, releases=True)
        document |= _round(stored, pairing, released, (budget, injected))
        document |= {"form": "digest", "reason": "over budget"}
    return document


def _at_edge(stored: _Stored, settings: Settings) -> Document:
    """The form that the view takes when the next turn begins while the cache is warm.

    Under the plain gate notes by a model fold where they may; how long these will be, nobody knows.
    """
    frame = _frame(stored)
    pairing = pair_results(stored.messages)
    decide = _decider(stored, pairing, settings, releases=False)
    segments = [
        plan_segment(stored.messages, turn, pairing, decide)
        for turn in uncovered(frame.turns(0), stored.placements)
    ]
    window = stored.window or settings.context_window_tokens
    measured = measure(frame, segments, stored.placements, settings, window)
    gate = int(window * settings.summary_trigger_ratio)
    is_plain = settings.fold_policy == "ratio"
    pace = Pace(calls_ahead(frame), cache_is_dead=False, gate_tokens=gate)
    choice = choose_form(measured.standing, pace, only_at_gate=is_plain)
    if choice.form == "keep":
        return {}
    if is_plain and settings.background_summary:
        return {"form": "notes", "reason": choice.reason}
    injected = sum(each.tokens for each in stored.injections)
    return {
        "form": choice.form,
        "reason": choice.reason,
        "tokens_after": choice.tokens + injected,
    }


def _frame(stored: _Stored) -> Frame:
    """The session's list as it is looked at when a turn has ended and all of it was sent."""
    end = len(stored.messages)
    starts = turn_starts(stored.messages)
    frame = Frame(stored.messages, starts, stored.gone, protection=Protection(end, end))
    frame.placements = stored.placements
    return frame


def _round(stored: _Stored, pairing: Pairing, costs: list[int], room: tuple[int, int]) -> Document:
    """The runs that would fold; a digest may turn out shorter than counted here."""
    budget, injected = room
    lead = 0
    while lead < len(stored.messages) and stored.messages[lead].role in SUMMARY_ROLES:
        lead += 1
    spent = sum(costs[:lead])
    open_costs = [0] * lead + costs[lead:]
    at_least = next_edge(stored.messages, pairing, lead + stored.gone) if stored.gone else 0
    left_over = max(budget - spent - injected, 0)
    cut = choose_cut(stored.messages, open_costs, pairing, left_over, at_least)
    runs = fold_runs(cut, lead)
    covered = {at for start, end in runs for at in range(start, end)}
    left = sum(cost for at, cost in enumerate(costs) if at not in covered)
    folds = [
        {
            "first": start,
            "last": end - 1,
            "messages": end - start,
            "tokens_now": sum(costs[start:end]),
            "tokens_after_at_most": cut.digest_tokens,
        }
        for start, end in runs
    ]
    after = left + injected + cut.digest_tokens * len(runs)
    return {"folds": folds, "tokens_after": after}


def _costs(stored: _Stored, pairing: Pairing, settings: Settings, *, releases: bool) -> list[int]:
    decide = _decider(stored, pairing, settings, releases=releases)
    return message_costs(stored.messages, pairing, decide)


def _decider(
    stored: _Stored, pairing: Pairing, settings: Settings, *, releases: bool
) -> Callable[[int], Decision]:
    protection = protect_stored(stored.messages, settings)

    def decide(at: int) -> Decision:
        message, call = stored.messages[at], pairing.calls.get(at)
        reason = standing_reason(at, message, call, protection, settings)
        view = stored.views.get(message.digest)
        if reason and not (reason == OWN_RESULT and view):
            is_long = message.text_tokens > settings.projection_threshold
            is_released = releases and is_long and reason == OWN_RESULT
            return Decision("reduced", reason) if is_released else Decision("raw", reason)
        return view.decision if view else _PENDING

    return decide
