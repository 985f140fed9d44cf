"""Folding for the budget: what does not fit becomes a digest, without any model."""

import hashlib
import re
from collections.abc import Mapping, Sequence

from flowctx.dag.budget_digest import render_digest
from flowctx.dag.source import LineRole, SourceLine, SourceTurn
from flowctx.errors import StoreError
from flowctx.gist import gist_of
from flowctx.model import Call, Fold, Message, Placement
from flowctx.service.context import Context
from flowctx.service.planning import Planner
from flowctx.store.connection import Connection
from flowctx.store.messages import GistRow, gists_of
from flowctx.store.notes import ensure_fold, supersede_folds
from flowctx.store.sessions import SessionRow
from flowctx.tokens import estimate_tokens
from flowctx.view.budget import Cut, choose_cut, next_edge
from flowctx.view.engine_made import CUSTOM_TYPE_NOTE, custom_message
from flowctx.view.pairing import Pairing, pair_results
from flowctx.view.plan import message_costs

_NODE_CHARS = 16
_LINE_ROLES: Mapping[str, LineRole] = {
    "user": "user",
    "assistant": "assistant",
    "toolResult": "tool",
    "compactionSummary": "summary",
    "branchSummary": "summary",
}
# How `flowctx.gist` tells the exit code of a result.
_GIST_EXIT = re.compile(r"exit (-?\d+): ")


def fold_to_budget(planner: Planner, budget: int, at_least: int) -> list[Placement]:
    """Make the digests that bring a session's view under its budget.

    Args:
        planner: of the view.
        budget: tokens the view may take.
        at_least: everything before this message is folded in any case.

    Returns:
        Where the digests stand; they replace all folds that stood before.

    Raises:
        StoreError: the store cannot be read.
    """
    frame = planner.frame
    pairing = pair_results(frame.messages)
    decisions = planner.decisions(pairing)
    costs = message_costs(frame.messages, pairing, lambda at: decisions[at])
    lead = frame.lead
    injected = sum(each.tokens for each in planner.state.injections)
    room = max(budget - sum(costs[:lead]) - injected, 0)
    costs[:lead] = [0] * lead
    if frame.gone:
        # No view can show what the host no longer hands over.
        at_least = next_edge(frame.messages, pairing, max(at_least, frame.at_hand))
    cut = choose_cut(frame.messages, costs, pairing, room, at_least)
    runs = fold_runs(cut, lead)
    placements = [Placement(_make_fold(planner, pairing, run, cut), *run) for run in runs]
    _store_folds(planner.context, planner.row, [placed.fold for placed in placements])
    planner.state.folds = [placed.fold for placed in placements]
    return placements


def fold_runs(cut: Cut, lead: int) -> list[tuple[int, int]]:
    """The runs of a cut, behind the host's own summaries."""
    return [(max(start, lead), end) for start, end in cut.runs if end > max(start, lead)]


def _make_fold(planner: Planner, pairing: Pairing, run: tuple[int, int], cut: Cut) -> Fold:
    start, end = run
    messages = planner.frame.messages
    turns = turns_of_gists(planner, pairing, start, end)
    text = render_digest(turns, end - start, cut.digest_tokens)
    body = custom_message(CUSTOM_TYPE_NOTE, text, messages[end - 1].time_ms)
    # Equal messages, here or in another session, have notes of their own.
    owner = f"{planner.row.id} {start} ".encode()
    anchors = messages[start].digest + messages[end - 1].digest
    return Fold(
        node=hashlib.sha256(owner + anchors + body).hexdigest()[:_NODE_CHARS],
        kind="digest",
        first=messages[start].digest,
        last=messages[end - 1].digest,
        count=end - start,
        body=body,
        tokens=estimate_tokens(text),
    )


def turns_of_gists(planner: Planner, pairing: Pairing, start: int, end: int) -> list[SourceTurn]:
    """Messages [start, end) as their gists, by turn."""
    turns: list[list[SourceLine]] = []
    messages = planner.frame.messages
    for at, gist in enumerate(_gists(planner, start, end), start=start):
        if not turns or messages[at].opens_turn:
            turns.append([])
        turns[-1].append(_line_of_gist(gist, messages[at], pairing.calls.get(at)))
    return [SourceTurn(tuple(lines), number) for number, lines in enumerate(turns, start=1)]


def _line_of_gist(gist: GistRow, message: Message, call: Call | None) -> SourceLine:
    status = _GIST_EXIT.match(gist.text)
    return SourceLine(
        role=_LINE_ROLES.get(gist.role, "event"),
        text=gist.text[status.end() :] if status else gist.text,
        digest=message.digest,
        time_ms=message.time_ms,
        tool=call.tool if call else "",
        command=call.detail if call else "",
        exit_code=int(status.group(1)) if status else None,
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


def _store_folds(context: Context, row: SessionRow, folds: Sequence[Fold]) -> None:
    now = context.now_ms()

    def write(connection: Connection) -> None:
        for fold in folds:
            ensure_fold(connection, row.id, fold, now)
        supersede_folds(connection, row.id, [fold.node for fold in folds], now)

    # A fold that cannot be written still stands in memory: the view must fit.
    try:
        context.database.write(write).result()
    except StoreError as error:
        context.notify("engine", f"digest not stored: {error}")
