"""What is known of a session when its notes are planned: sizes, folds, the window."""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import accumulate

from flowctx.chain import chain_of
from flowctx.dag.plan.chunks import Edge, TurnSize
from flowctx.dag.plan.frontier import find_folds, nodes_of
from flowctx.dag.plan.room import hidden_tokens, noted_tokens
from flowctx.dag.plan.standing import standing
from flowctx.dag.plan.steps import PlanState
from flowctx.model import Message, Placement
from flowctx.service.adopt import open_frame, open_row
from flowctx.service.context import Context
from flowctx.service.frame import Frame
from flowctx.service.planning import Planner
from flowctx.service.state import UNSTORED, NoteState, SessionState
from flowctx.store.notes import NoteRow, is_current, session_notes
from flowctx.store.sessions import SessionRow, note_terms, set_window
from flowctx.view.budget import is_edge
from flowctx.view.pairing import Pairing, pair_results
from flowctx.view.plan import message_costs
from flowctx.view.turns import Turn

# The host does not tell the window of the model that writes notes, and a larger source
# makes a worse note.
SUMMARISER_MAX_TOKENS = 128_000


@dataclass(frozen=True, slots=True)
class Survey:
    """A session as it was at one moment, with the state for the planner.

    Attributes:
        frame: a copy, for messages and turns alone.
        costs: tokens each message takes in the view when no fold covers it.
        rows: of folds whose messages are there and that are not superseded, by node, in
            the order they were made; `spots` are where they are.
        focus: what the user wants notes to attend to.
        generation: of the session at that moment.
    """

    row: SessionRow
    frame: Frame
    pairing: Pairing
    costs: Sequence[int]
    rows: Mapping[str, NoteRow]
    spots: Mapping[str, Placement]
    plan_state: PlanState
    focus: str
    generation: int

    @property
    def messages(self) -> Sequence[Message]:
        """The session's messages."""
        return self.frame.messages

    @property
    def drafts(self) -> list[NoteRow]:
        """Notes that wait for their round."""
        return [row for row in self.rows.values() if row.committed_ms is None]

    @property
    def current(self) -> list[str]:
        """Folds that may stand in the view now."""
        return [node for node, row in self.rows.items() if is_current(row)]

    def placed(self, nodes: Iterable[str]) -> list[Placement]:
        """Where these folds are."""
        return [self.spots[node] for node in nodes]

    def view_tokens(self, folds: Iterable[Placement]) -> int:
        """What the view takes when it is made of these folds and what they leave."""
        tokens = sum(self.costs)
        for node in standing(nodes_of(folds)):
            tokens += node.tokens - sum(self.costs[node.start : node.end])
        return tokens


@dataclass(frozen=True, slots=True)
class _Moment:
    """What of a session may change at any time, copied while it could not."""

    row: SessionRow
    frame: Frame
    view_tokens: int
    notes: NoteState


def survey(context: Context, state: SessionState) -> Survey | None:
    """Look at a session; None where nothing of it is stored.

    Raises:
        StoreError: the store cannot be read.
    """
    moment = _moment(context, state)
    if moment is None:
        return None
    row, frame, notes = moment.row, moment.frame, moment.notes
    window, focus = _terms(context, row, notes.window_tokens)
    pairing = pair_results(frame.messages)
    costs = _costs(context, state, moment, pairing)
    rows, spots = _folds(context, row, frame.messages)
    plan_state = PlanState(
        turns=_turns(frame, pairing, costs, notes.pass_end),
        nodes=nodes_of(spots.values()),
        assembled_tokens=moment.view_tokens,
        window_tokens=window,
        summariser_tokens=min(window, SUMMARISER_MAX_TOKENS),
    )
    found = Survey(row, frame, pairing, costs, rows, spots, plan_state, focus, notes.generation)
    return replace(found, plan_state=_weighed(found))


def most_tokens(frame: Frame) -> int:
    """The most that the gate may find in a view; to be told without looking closer."""
    messages = frame.messages
    return frame.view_tokens + sum(
        max(sum(m.tokens for m in messages[p.start : p.end]) - p.fold.tokens, 0)
        for p in frame.standing
        if p.fold.kind == "digest"
    )


def _weighed(found: Survey) -> PlanState:
    """The state with what the gate counts, and what the view comes to with all notes."""
    state, costs, frame = found.plan_state, found.costs, found.frame
    current = found.placed(found.current)
    shown = found.view_tokens(current)
    # Nothing was assembled since the start: what would be, counts.
    assembled = state.assembled_tokens or shown
    starts = {frame.lead, *frame.turn_starts}
    noted = noted_tokens(state.nodes, costs, [message.tokens for message in found.messages])
    return replace(
        state,
        assembled_tokens=assembled + hidden_tokens(nodes_of(current), costs, starts),
        noted_tokens=noted + max(assembled - shown, 0),
    )


def _moment(context: Context, state: SessionState) -> _Moment | None:
    with state.lock:
        state.refresh(context.database)
        row = open_row(context, state)
        if row.id == UNSTORED or not context.database.keeps_originals:
            return None
        held = open_frame(context, state)
        copy = Frame(messages=list(held.messages), turn_starts=list(held.turn_starts))
        return _Moment(row, copy, held.view_tokens, replace(state.notes))


def _terms(context: Context, row: SessionRow, told: int) -> tuple[int, str]:
    """The window that the gate is a share of, and what notes are to attend to."""
    window, focus = context.database.read(lambda connection: note_terms(connection, row.id))
    if told and told != window:
        context.database.write(lambda connection: set_window(connection, row.id, told))
    return told or window or context.settings.context_window_tokens, focus


def _costs(context: Context, state: SessionState, moment: _Moment, pairing: Pairing) -> list[int]:
    """What messages take in the view with the reductions that are ready."""
    stored: Future[None] = Future()
    planner = Planner(context, state, moment.row, moment.frame, {}, stored)
    planner.deadline = 0.0
    decisions = planner.decisions(pairing)
    return message_costs(moment.frame.messages, pairing, lambda at: decisions[at])


def _folds(
    context: Context, row: SessionRow, messages: Sequence[Message]
) -> tuple[dict[str, NoteRow], dict[str, Placement]]:
    """The folds whose messages are there, but those that digests took the place of."""
    listed = context.database.read(lambda connection: session_notes(connection, row.id))
    rows = {each.fold.node: each for each in listed if each.superseded_ms is None}
    spots = {
        spot.fold.node: spot
        for spot in find_folds(messages, [each.fold for each in rows.values()])
        if _is_whole(rows[spot.fold.node], messages[spot.start : spot.end])
    }
    return {node: rows[node] for node in spots}, spots


def _is_whole(row: NoteRow, covered: Sequence[Message]) -> bool:
    return not row.chain or chain_of(covered) == row.chain


def _turns(
    frame: Frame, pairing: Pairing, costs: Sequence[int], pass_end: int | None
) -> tuple[TurnSize, ...]:
    """The turns behind the host's own summaries; a pass looks at none that came later."""
    raw_sums = [0, *accumulate(message.tokens for message in frame.messages)]
    cost_sums = [0, *accumulate(costs)]

    def size(turn: Turn) -> TurnSize:
        start, end = turn.start, turn.end
        edges = tuple(
            Edge(at, raw_sums[at] - raw_sums[start], cost_sums[at] - cost_sums[start])
            for at in range(start + 1, end)
            if is_edge(frame.messages, pairing, at)
        )
        raw, cost = raw_sums[end] - raw_sums[start], cost_sums[end] - cost_sums[start]
        return TurnSize(start, end, raw, cost, edges)

    turns = frame.turns(frame.lead)
    end = len(frame.messages) if pass_end is None else pass_end
    return tuple(size(turn) for turn in turns if turn.end <= end)
