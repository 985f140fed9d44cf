"""Planning folds: what to fold next, and why there is nothing to fold.

Pure: the same state and settings give the same plan. One pass takes all chunks
that can be folded, oldest first, and then condenses; planning again after it,
with nothing new, gives nothing. Every step has a ceiling below what it
replaces, so that each commit makes the view smaller than it would be without
it; where digests stand, see `flowctx.dag.plan.room`.
"""

from collections.abc import Sequence

from flowctx.config import Settings
from flowctx.dag.plan.chunks import Chunk, Node, TurnSize, cut_chunks, uncovered_runs
from flowctx.dag.plan.room import expected_tokens, rooms
from flowctx.dag.plan.standing import top_nodes
from flowctx.dag.plan.steps import LEAST_NOTE_TOKENS, Idle, Plan, PlanState, Step

# What of a summariser's window its source may take; the rest is for the instructions,
# the facts and the reply.
_SOURCE_SHARE = 0.6
# The smallest chunk the settings allow; a smaller window still gets leaves of this size.
_LEAST_CHUNK_TOKENS = 2000
# A last chunk that is not full waits until it is half: every round rewrites the view.
_FULL_SHARE = 0.5


def plan(state: PlanState, settings: Settings) -> Plan:
    """Plan one pass over a session."""
    if idle := _closed(state, settings):
        return Plan(idle=idle)
    end = _fold_end(state, settings)
    if end is None:
        return Plan(idle="nothing old enough")
    steps = _rolling(state, settings, end) if not settings.layered_summary else None
    if steps is None:
        leaves = _leaves(state, settings, end)
        steps = [*leaves, *_condense(state, settings, leaves)]
    return Plan(tuple(steps)) if steps else Plan(idle=_idle(state, settings, end))


def gate_tokens(state: PlanState, settings: Settings) -> int:
    """Assembled tokens that open the gate."""
    return int(state.window_tokens * settings.summary_trigger_ratio)


def chunk_tokens(state: PlanState, settings: Settings) -> int:
    """Raw tokens of a leaf: what is set, but no more than opens the gate or can be read."""
    gate = gate_tokens(state, settings)
    readable = int(state.summariser_tokens * _SOURCE_SHARE)
    return max(min(settings.leaf_chunk_tokens, gate, readable), min(_LEAST_CHUNK_TOKENS, readable))


def _closed(state: PlanState, settings: Settings) -> Idle | None:
    if not (settings.short_term_memory and settings.background_summary):
        return "switched off"
    if len(state.turns) < settings.summary_min_turns:
        return "too few turns"
    is_below = state.assembled_tokens < gate_tokens(state, settings)
    return "below the gate" if is_below else None


def _fold_end(state: PlanState, settings: Settings) -> int | None:
    """First message that is not folded: the kept turns begin with it."""
    old = state.turns[: max(len(state.turns) - settings.summary_keep_recent_turns, 0)]
    return old[-1].end if old else None


def _idle(state: PlanState, settings: Settings, end: int) -> Idle:
    chunks = _chunks(state, settings, end)
    if not chunks:
        return "all folded"
    if all(room < LEAST_NOTE_TOKENS for room in _rooms(state, settings, chunks)):
        return "nothing to gain"
    return "waiting for a full chunk"


def _chunks(state: PlanState, settings: Settings, end: int) -> list[Chunk]:
    """What no note covers; a digest counts as none, so that notes take its place."""
    size = chunk_tokens(state, settings)
    runs = uncovered_runs(_notes(state), state.turns[0].start, end)
    return [chunk for run in runs for chunk in cut_chunks(state.turns, *run, size)]


def _rooms(state: PlanState, settings: Settings, chunks: Sequence[Chunk]) -> list[int]:
    return rooms(state, gate_tokens(state, settings), chunks)


def _notes(state: PlanState) -> list[Node]:
    return [node for node in state.nodes if node.kind == "note"]


def _leaves(state: PlanState, settings: Settings, end: int) -> list[Step]:
    least = chunk_tokens(state, settings) * _FULL_SHARE
    chunks = _chunks(state, settings, end)
    full = [chunk for chunk in chunks if chunk.end != end or chunk.raw_tokens >= least]
    return [
        _leaf(chunk, room, settings)
        for chunk, room in zip(full, _rooms(state, settings, full), strict=True)
        if room >= LEAST_NOTE_TOKENS
    ]


def _leaf(chunk: Chunk, room: int, settings: Settings) -> Step:
    return Step(
        kind="leaf",
        start=chunk.start,
        end=chunk.end,
        depth=0,
        read_from=chunk.start,
        with_prior=settings.incremental_summary,
        new_tokens=room,
    )


def _rolling(state: PlanState, settings: Settings, end: int) -> list[Step]:
    """One note over everything old, brought up to date chunk by chunk."""
    start = state.turns[0].start
    prior = next((n for n in sorted(_notes(state), key=lambda n: -n.end) if n.start <= start), None)
    size = chunk_tokens(state, settings)
    begin = prior.end if prior else start
    is_new = prior is not None and prior.end < end
    if is_new and not settings.incremental_summary and _raw(state.turns, start, end) <= size:
        # All of it can be read anew at once.
        prior, begin = None, start
    steps: list[Step] = []
    read_from, new = begin, 0
    chunks = cut_chunks(state.turns, begin, end, size)
    for chunk, room in zip(chunks, _rooms(state, settings, chunks), strict=True):
        new += room
        if chunk.end == end and chunk.raw_tokens < size * _FULL_SHARE:
            break
        if new < LEAST_NOTE_TOKENS:
            # Too little for a note of its own: read with the next chunk.
            continue
        sources = (prior,) if prior else ()
        step = Step("rolling", start, chunk.end, 0, read_from, sources, bool(prior), new)
        steps.append(step)
        prior = Node(start, chunk.end, 0, _expected(step))
        read_from, new = chunk.end, 0
    return steps


def _condense(state: PlanState, settings: Settings, leaves: Sequence[Step]) -> list[Step]:
    """Groups of neighbours of one depth that become one note, depth after depth."""
    made = [Node(step.start, step.end, 0, _expected(step)) for step in leaves]
    nodes, planned = [*_notes(state), *made], set(made)
    readable = int(state.summariser_tokens * _SOURCE_SHARE)
    steps: list[Step] = []
    for depth in range(settings.max_summary_depth):
        for group in _groups(top_nodes(nodes), depth, settings.condense_fanout):
            total = sum(node.tokens for node in group)
            # How long a planned note will be is not known: whether there is a gain shows then.
            may_gain = total >= LEAST_NOTE_TOKENS or not planned.isdisjoint(group)
            if may_gain and total <= readable:
                start, end = group[0].start, group[-1].end
                step = Step("condense", start, end, depth + 1, start, tuple(group))
                steps.append(step)
                nodes.append(Node(start, end, depth + 1, total // 3))
                planned.add(nodes[-1])
    return steps


def _groups(nodes: Sequence[Node], depth: int, fanout: int) -> list[list[Node]]:
    """Runs of `fanout` neighbours of a depth, oldest first."""
    groups: list[list[Node]] = []
    run: list[Node] = []
    for node in nodes:
        if node.depth != depth or (run and run[-1].end != node.start):
            run = []
        if node.depth == depth:
            run = [*run, node]
        if len(run) == fanout:
            groups.append(run)
            run = []
    return groups


def _expected(step: Step) -> int:
    """Tokens the note of a step will take, as far as can be told before it is written."""
    prior = sum(node.tokens for node in step.sources)
    return min(expected_tokens(step.new_tokens) + prior, step.ceiling_tokens - 1)


def _raw(turns: Sequence[TurnSize], start: int, end: int) -> int:
    return sum(turn.raw_tokens for turn in turns if turn.start >= start and turn.end <= end)
