"""The decision at a turn edge: what the view costs as it is, and the form it takes.

One decision is taken for each turn that has ended, and recorded with the clock
it was made by, so that the same transcript and record give it again.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

from flowctx.dag.plan.policy import Choice, Pace, choose_form, condensed_tokens, digest_tokens
from flowctx.errors import StoreError
from flowctx.model import Placement
from flowctx.service.edges.measure import Measured, Stretch, calls_ahead, measure
from flowctx.service.edges.records import condensed_fold, digest_fold, outline_fold
from flowctx.service.folding import store_digests
from flowctx.service.planning import Planner
from flowctx.store.ledger import add_event, last_events
from flowctx.view.pairing import REACH, Pairing, pair_results
from flowctx.view.plan import Segment

EVENT = "edge"
# How long a round waits for the rows that digests are made of; without them it is left out.
ROWS_SECONDS = 0.3


@dataclass(frozen=True, slots=True)
class Asked:
    """What the caller told of the run; 0 or empty where it did not."""

    window: int
    model: str


def edge_round(
    planner: Planner, segments: Sequence[Segment], placements: Sequence[Placement], asked: Asked
) -> str:
    """Fold where a turn has ended and that pays; nothing while the store cannot tell.

    Returns:
        Why bytes that had been sent change; empty when the folds stay as they are.
    """
    with suppress(TimeoutError, StoreError):
        return _decide(planner, segments, placements, asked)
    return ""


def _decide(
    planner: Planner, segments: Sequence[Segment], placements: Sequence[Placement], asked: Asked
) -> str:
    """Decide the form of a view when a turn has ended since the last one; empty to keep it."""
    frame, settings = planner.frame, planner.context.settings
    if frame.turn_runs or _was_decided(planner):
        return ""
    window = asked.window or settings.context_window_tokens
    measured = measure(frame, segments, placements, settings, window)
    pace = Pace(
        calls_ahead=calls_ahead(frame),
        cache_is_dead=_cache_is_dead(planner, asked.model),
        gate_tokens=int(window * settings.summary_trigger_ratio),
        note_tokens=planner.context.note_tokens,
        prices=planner.context.prices,
    )
    is_plain = settings.fold_policy == "ratio"
    choice = choose_form(measured.standing, pace, only_at_gate=is_plain)
    _note_decision(planner, pace, choice, asked)
    # Under the plain gate the notes' jobs fold; without them digests do.
    if choice.form == "keep" or (is_plain and settings.background_summary):
        return ""
    planner.stored.result(max(ROWS_SECONDS, planner.context.inline_seconds))
    _fold(planner, measured, choice, placements)
    return choice.reason


def _was_decided(planner: Planner) -> bool:
    frame, row = planner.frame, planner.row
    if not frame.decided_turns:
        read = planner.context.database.read
        last = read(lambda connection: last_events(connection, row.id, EVENT, 1))
        frame.decided_turns = int(last[0]["turns"]) if last else 0
        frame.model = str(last[0]["model"]) if last else ""
    return frame.decided_turns == len(frame.turn_starts)


def _cache_is_dead(planner: Planner, model: str) -> bool:
    """True when the last call is longer ago than a cache lives, or went to another model.

    A restart of the sidecar or the gateway within that time leaves the provider's
    cache as it is, so it is no reason of its own.
    """
    frame, context = planner.frame, planner.context
    if model and frame.model and model != frame.model:
        return True
    last = next((m.time_ms for m in reversed(frame.messages) if m.time_ms), 0)
    return bool(last) and context.now_ms() - last > context.cache_ttl_ms


def _note_decision(planner: Planner, pace: Pace, choice: Choice, asked: Asked) -> None:
    frame, row, now = planner.frame, planner.row, planner.context.now_ms()
    frame.decided_turns, frame.model = len(frame.turn_starts), asked.model
    data = {
        "turns": frame.decided_turns,
        "model": asked.model,
        "window": asked.window,
        "calls_ahead": round(pace.calls_ahead, 2),
        "cache_is_dead": pace.cache_is_dead,
        **asdict(choice),
        "saved": round(choice.saved),
    }
    planner.context.database.write(
        lambda connection: add_event(connection, row.id, EVENT, data, now)
    )


def _fold(
    planner: Planner, measured: Measured, choice: Choice, placements: Sequence[Placement]
) -> None:
    standing = measured.standing
    folds_turns = choice.form in ("fold", "condense")
    old = measured.stretches[: standing.foldable] if folds_turns else ()
    kept = [p for p in placements if not any(s.turn.start <= p.start < s.turn.end for s in old)]
    made = list(_outlines(planner, measured.stretches[len(old) :]))
    if choice.form == "condense":
        kept = [p for p in kept if p not in measured.digests]
        room = condensed_tokens(standing.digests)
        made.append(condensed_fold(planner, measured.digests, room))
    if old:
        run = old[0].turn.start, old[-1].turn.end
        room = planner.context.note_tokens or digest_tokens(len(old))
        made.append(digest_fold(planner, _pairing(planner, run[0]), run, room))
    folded = sorted([*kept, *made], key=lambda placed: placed.start)
    digests = [placed.fold for placed in folded if placed.fold.kind == "digest"]
    notes = [fold for fold in planner.state.folds if fold.kind == "note"]
    planner.state.folds = (*notes, *digests)
    store_digests(planner.context, planner.row, digests)


def _outlines(planner: Planner, stretches: Sequence[Stretch]) -> list[Placement]:
    return [
        outline_fold(planner, _pairing(planner, s.turn.start), s.steps, s.room)
        for s in stretches
        if s.steps is not None and s.cost.outlined_tokens < s.cost.tokens
    ]


def _pairing(planner: Planner, start: int) -> Pairing:
    return pair_results(planner.frame.messages, max(start - REACH, 0))
