"""Planning folds: what to fold next, and why there is nothing to fold.

Pure: the same state and settings give the same plan. One pass takes all chunks
that can be folded, oldest first, and then condenses; planning again after it,
with nothing new, gives nothing. Every step has a ceiling below what it
replaces, so that each commit makes the view smaller.
"""

from collections.abc import Sequence
from itertools import pairwise

from flowctx.config import Settings
from flowctx.dag.plan.chunks import Chunk, Node, TurnSize, cut_chunks, uncovered_runs
from flowctx.dag.plan.standing import top_nodes
from flowctx.dag.plan.steps import LEAST_NOTE_TOKENS, NOTE_FRAME_TOKENS, Idle, Plan, PlanState, Step

# What of a summariser's window its source may take; the rest is for the instructions,
# the facts and the reply.
_SOURCE_SHARE = 0.6
# The smallest chunk the settings allow; a smaller window still gets leaves of this size.
_LEAST_CHUNK_TOKENS = 2000
# A last chunk that is not full waits until it is half: every round rewrites the view.
_FULL_SHARE = 0.5
# What a note is expected to take of the view it replaces, for steps that build on planned ones.
_NOTE_SHARE, _NOTE_TOKENS = 0.2, 3000


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


def chunk_tokens(state: PlanState, settings: Settings) -> int:
    """Raw tokens of a leaf: what is set, but no more than opens the gate or can be read."""
    gate = int(state.window_tokens * settings.summary_trigger_ratio)
    readable = int(state.summariser_tokens * _SOURCE_SHARE)
    return max(min(settings.leaf_chunk_tokens, gate, readable), min(_LEAST_CHUNK_TOKENS, readable))


def _closed(state: PlanState, settings: Settings) -> Idle | None:
    if not (settings.short_term_memory and settings.background_summary):
        return "switched off"
    if len(state.turns) < settings.summary_min_turns:
        return "too few turns"
    gate = state.window_tokens * settings.summary_trigger_ratio
    return "below the gate" if state.assembled_tokens < gate else None


def _fold_end(state: PlanState, settings: Settings) -> int | None:
    """First message that is not folded: the kept turns begin with it."""
    old = state.turns[: max(len(state.turns) - settings.summary_keep_recent_turns, 0)]
    return old[-1].end if old else None


def _idle(state: PlanState, settings: Settings, end: int) -> Idle:
    chunks = [chunk for run in _open_runs(state, end) for chunk in _cut(state, settings, run)]
    if not chunks:
        return "all folded"
    if all(_gain_room(chunk, state) < LEAST_NOTE_TOKENS for chunk in chunks):
        return "nothing to gain"
    return "waiting for a full chunk"


def _open_runs(state: PlanState, end: int) -> list[tuple[int, int]]:
    """Runs of messages that no note covers, cut where a digest begins or ends.

    A digest counts as none, so that notes take its place; they must lie wholly in it to do so.
    """
    digests = [node for node in state.nodes if node.kind == "digest"]
    bounds = sorted({at for node in digests for at in (node.start, node.end)})
    runs: list[tuple[int, int]] = []
    for low, high in uncovered_runs(_notes(state), state.turns[0].start, end):
        cuts = [low, *(at for at in bounds if low < at < high), high]
        runs.extend(pairwise(cuts))
    return runs


def _cut(state: PlanState, settings: Settings, run: tuple[int, int]) -> list[Chunk]:
    return cut_chunks(state.turns, *run, chunk_tokens(state, settings))


def _notes(state: PlanState) -> list[Node]:
    return [node for node in state.nodes if node.kind == "note"]


def _leaves(state: PlanState, settings: Settings, end: int) -> list[Step]:
    least = chunk_tokens(state, settings) * _FULL_SHARE
    steps = []
    for run in _open_runs(state, end):
        for chunk in _cut(state, settings, run):
            room = _gain_room(chunk, state)
            is_full = chunk.end != end or chunk.raw_tokens >= least
            if is_full and room >= LEAST_NOTE_TOKENS:
                steps.append(_leaf(chunk, room, settings))
    return steps


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


def _gain_room(chunk: Chunk, state: PlanState) -> int:
    """What the chunk costs in the view now, which a note must stay below."""
    digests = [
        node
        for node in state.nodes
        if node.kind == "digest" and node.start < chunk.end and node.end > chunk.start
    ]
    if not digests:
        return chunk.view_tokens
    # A digest gives way only to notes that take less than it does, so they share its room.
    covered = sum(
        chunk.raw_tokens for digest in digests for chunk in _all_of(state, digest.start, digest.end)
    )
    tokens = sum(digest.tokens for digest in digests)
    return min(chunk.view_tokens, tokens * chunk.raw_tokens // max(covered, chunk.raw_tokens, 1))


def _all_of(state: PlanState, start: int, end: int) -> list[Chunk]:
    return cut_chunks(state.turns, start, end, state.window_tokens + state.summariser_tokens)


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
    for chunk in cut_chunks(state.turns, begin, end, size):
        new += _gain_room(chunk, state)
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
    guess = int(step.new_tokens * _NOTE_SHARE) + prior + NOTE_FRAME_TOKENS
    return min(guess, _NOTE_TOKENS, step.ceiling_tokens - 1)


def _raw(turns: Sequence[TurnSize], start: int, end: int) -> int:
    return sum(turn.raw_tokens for turn in turns if turn.start >= start and turn.end <= end)
