"""Folding for the budget: what does not fit becomes a digest, without any model."""

import hashlib
import re
from collections.abc import Mapping, Sequence

from flowctx.dag.notes.budget_digest import render_digest
from flowctx.dag.notes.note import TAG
from flowctx.dag.source.source import LineRole, SourceLine, SourceTurn
from flowctx.errors import StoreError
from flowctx.gist import gist_of
from flowctx.message import encode_text
from flowctx.model import Call, Fold, Message, Placement
from flowctx.service.context import Context
from flowctx.service.planning import Planner
from flowctx.store.connection import Connection
from flowctx.store.messages import GistRow, gists_of
from flowctx.store.notes import ensure_fold, supersede_digests
from flowctx.store.sessions import SessionRow
from flowctx.tokens import estimate_tokens
from flowctx.view.budget import Cut, choose_cut, next_edge
from flowctx.view.engine_made import CUSTOM_TYPE_NOTE, custom_message, engine_text
from flowctx.view.inject import place_injections
from flowctx.view.pairing import Pairing, pair_results
from flowctx.view.plan import message_costs

NODE_CHARS = 16
# The attribute that names it.
_NODE_TOKENS = 7
# What notes may take of the budget before the oldest of them become a digest.
_NOTES_SHARE = 0.5
_LINE_ROLES: Mapping[str, LineRole] = {
    "user": "user",
    "assistant": "assistant",
    "toolResult": "tool",
    "compactionSummary": "summary",
    "branchSummary": "summary",
}
# How `flowctx.gist` tells the exit code of a result, or that it failed without one.
_GIST_STATUS = re.compile(r"(?:exit (-?\d+)|failed): ")


def fold_to_budget(
    planner: Planner, notes: Sequence[Placement], budget: int, at_least: int
) -> None:
    """Make the digests that bring a session's view under its budget.

    They replace all digests before among the session's folds.

    Args:
        planner: of the view.
        notes: that stand in it; only what they do not cover is digested, unless they
            alone leave too little room: then a digest takes the place of old ones, too.
        budget: tokens the view may take.
        at_least: everything before this message is folded in any case.

    Raises:
        StoreError: the store cannot be read.
    """
    frame = planner.frame
    pairing = pair_results(frame.messages)
    decisions = planner.decisions(pairing)
    costs = message_costs(frame.messages, pairing, lambda at: decisions[at])
    lead = frame.lead
    spent = sum(costs[:lead])
    for injected in place_injections(frame.places, planner.state.injections):
        # One behind a turn goes with it; what stands at the head takes room from all.
        if injected.at < 0:
            spent += injected.injection.tokens
        else:
            costs[injected.at] += injected.injection.tokens
    costs[:lead] = [0] * lead
    kept = _fitting(notes, (budget - spent) * _NOTES_SHARE)
    for placed in kept:
        costs[placed.start : placed.end] = [0] * (placed.end - placed.start)
    spent += sum(placed.fold.tokens for placed in kept)
    if frame.gone:
        # No view can show what the host no longer hands over.
        at_least = next_edge(frame.messages, pairing, max(at_least, frame.at_hand))
    cut = choose_cut(frame.messages, costs, pairing, max(budget - spent, 0), at_least)
    runs = [_whole(run, notes) for run in fold_runs(cut, lead)]
    gaps = [gap for run in runs for gap in _gaps(run, kept)]
    room = cut.digest_tokens // max(len(gaps), 1)
    digests = [_make_fold(planner, pairing, gap, room, notes) for gap in gaps]
    store_digests(planner.context, planner.row, digests)
    all_notes = [fold for fold in planner.state.folds if fold.kind == "note"]
    planner.state.folds = (*all_notes, *digests)


def _fitting(notes: Sequence[Placement], room: float) -> list[Placement]:
    """The newest notes that fit a room, oldest first."""
    kept: list[Placement] = []
    for placed in sorted(notes, key=lambda placed: -placed.start):
        room -= placed.fold.tokens
        if room < 0:
            break
        kept.append(placed)
    return kept[::-1]


def fold_runs(cut: Cut, lead: int) -> list[tuple[int, int]]:
    """The runs of a cut, behind the host's own summaries."""
    return [(max(start, lead), end) for start, end in cut.runs if end > max(start, lead)]


def _whole(run: tuple[int, int], notes: Sequence[Placement]) -> tuple[int, int]:
    """A run that ends with the note it would end in."""
    start, end = run
    return start, max([end, *(note.end for note in notes if note.start < end < note.end)])


def _gaps(run: tuple[int, int], notes: Sequence[Placement]) -> list[tuple[int, int]]:
    """What notes leave of a run."""
    start, end = run
    gaps: list[tuple[int, int]] = []
    for placed in notes:
        if placed.start < end and placed.end > start:
            gaps.append((start, placed.start))
            start = placed.end
    gaps.append((start, end))
    return [(low, high) for low, high in gaps if low < high]


def _make_fold(
    planner: Planner,
    pairing: Pairing,
    run: tuple[int, int],
    max_tokens: int,
    notes: Sequence[Placement],
) -> Fold:
    start, end = run
    messages = planner.frame.messages
    inside = [placed for placed in notes if start <= placed.start and placed.end <= end]
    turns = [turn for gap in _gaps(run, inside) for turn in turns_of_gists(planner, pairing, *gap)]
    told = [engine_text(placed.fold.body) for placed in inside]
    text = render_digest(turns, end - start, max_tokens - _NODE_TOKENS, told)
    node = node_of(planner, run, text)
    named = text.replace(f"<{TAG} ", f'<{TAG} node="{node}" ', 1)
    return fold_of(messages[start:end], node, named)


def node_of(planner: Planner, run: tuple[int, int], text: str) -> str:
    """Id of a fold: the same for the same messages at the same place, and text."""
    messages, row = planner.frame.messages, planner.row
    # Equal messages, here or in another session, have notes of their own.
    owner = f"{row.ref.agent} {row.ref.key} {row.epoch} {run[0]} ".encode()
    anchors = messages[run[0]].digest + messages[run[1] - 1].digest
    return hashlib.sha256(owner + anchors + encode_text(text)).hexdigest()[:NODE_CHARS]


def fold_of(covered: Sequence[Message], node: str, text: str) -> Fold:
    """The fold that stands for some messages with a digest's text."""
    return Fold(
        node=node,
        kind="digest",
        first=covered[0].digest,
        last=covered[-1].digest,
        count=len(covered),
        body=custom_message(CUSTOM_TYPE_NOTE, text, covered[-1].time_ms),
        tokens=estimate_tokens(text),
    )


def turns_of_gists(planner: Planner, pairing: Pairing, start: int, end: int) -> list[SourceTurn]:
    """What is known of messages [start, end) for digests: a line each.

    Raises:
        StoreError: the store cannot be read.
    """
    turns: list[list[SourceLine]] = []
    messages = planner.frame.messages
    for at, gist in enumerate(_gists(planner, start, end), start=start):
        if not turns or messages[at].opens_turn:
            turns.append([])
        turns[-1].append(_line_of_gist(gist, messages[at], pairing.calls.get(at)))
    return [SourceTurn(tuple(lines), number) for number, lines in enumerate(turns, start=1)]


def _line_of_gist(gist: GistRow, message: Message, call: Call | None) -> SourceLine:
    status = _GIST_STATUS.match(gist.text) if message.is_result else None
    return SourceLine(
        role=_LINE_ROLES.get(gist.role, "event"),
        text=gist.text[status.end() :] if status else gist.text,
        digest=message.digest,
        time_ms=message.time_ms,
        tool=call.tool if call else "",
        command=call.detail if call else "",
        exit_code=int(status.group(1)) if status and status.group(1) else None,
        is_error=message.is_error,
        original=gist.hash,
    )


def _gists(planner: Planner, start: int, end: int) -> list[GistRow]:
    """The gists of messages [start, end); of those at hand where the store lacks some."""
    row, messages = planner.row, planner.frame.messages[start:end]
    rows = planner.context.database.read(
        lambda connection: gists_of(connection, row.id, start, end)
    )
    if len(rows) == len(messages):
        return rows
    return [
        GistRow(message.role, gist_of(planner.fresh[message.digest]), "")
        if message.digest in planner.fresh
        else GistRow(message.role, "", "")
        for message in messages
    ]


def store_digests(context: Context, row: SessionRow, folds: Sequence[Fold]) -> None:
    """Make these the digests that stand in a session's view; all others step back."""
    now = context.now_ms()

    def write(connection: Connection) -> None:
        for fold in folds:
            ensure_fold(connection, row.id, fold, now)
        supersede_digests(connection, row.id, [fold.node for fold in folds], now)

    # A fold that cannot be written still stands in memory: the view must fit.
    try:
        context.database.write(write).result()
    except StoreError as error:
        context.notify("engine", f"digest not stored: {error}")
