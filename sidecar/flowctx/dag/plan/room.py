"""What digests hide, and how much room that leaves for notes in their place.

A digest stands for turns until a model has written of them. So the gate is
about the view as it would be without digests, or notes would never be due
where digests keep it small. And a note may be longer than the digest was,
within what it covers, as long as the view stays below the gate.
"""

from collections.abc import Collection, Sequence

from flowctx.dag.plan.chunks import Chunk, Node, TurnSize, cut_chunks, uncovered_runs
from flowctx.dag.plan.standing import standing, top_nodes
from flowctx.dag.plan.steps import NOTE_FRAME_TOKENS, PlanState

# What a note is expected to take of the view it replaces, and at most.
_NOTE_SHARE, _NOTE_TOKENS = 0.2, 3000
# In less the facts that code adds leave no room for what the model wrote. Should notes of
# this length not fit below the gate, they wait until they are condensed.
_USEFUL_TOKENS = 1200


def hidden_tokens(nodes: Sequence[Node], costs: Sequence[int], starts: Collection[int]) -> int:
    """Tokens by which a view would grow if its digests of old turns went.

    The outline of a turn's steps, which begins inside the turn, is reduction and not counted.

    Args:
        nodes: that may stand in the view.
        costs: tokens each message takes in it when nothing covers it.
        starts: messages that turns begin with, or that are the first behind the host's summaries.
    """
    digests = [n for n in standing(nodes) if n.kind == "digest" and n.start in starts]
    return sum(max(sum(costs[n.start : n.end]) - n.tokens, 0) for n in digests)


def noted_tokens(nodes: Sequence[Node], costs: Sequence[int], raw: Sequence[int]) -> int:
    """Tokens of a view in which all notes stand, and of digests only what they leave.

    Args:
        nodes: notes, also such as wait for their round, and digests.
        costs: tokens each message takes when nothing covers it.
        raw: tokens each message takes as the host has it.
    """
    notes = top_nodes([node for node in nodes if node.kind == "note"])
    total = sum(costs)
    for note in notes:
        total += note.tokens - sum(costs[note.start : note.end])
    for digest in top_nodes([node for node in nodes if node.kind == "digest"]):
        whole = sum(raw[digest.start : digest.end])
        for start, end in uncovered_runs(notes, digest.start, digest.end):
            share = digest.tokens * sum(raw[start:end]) // max(whole, 1)
            total += min(share - sum(costs[start:end]), 0)
    return total


def rooms(state: PlanState, gate_tokens: int, chunks: Sequence[Chunk]) -> list[int]:
    """Tokens below which the note of each chunk must stay, if all of them are written.

    That is what the chunk takes in the view now. Where a digest shows it in less, a
    note may take its part of what the gate leaves, or what it needs to be of use, but
    never more than the chunk takes without digests.
    """
    shown = [_shown_tokens(state, chunk) for chunk in chunks]
    pairs = list(zip(chunks, shown, strict=True))
    plain = sum(expected_tokens(now) for chunk, now in pairs if now >= chunk.view_tokens)
    left = gate_tokens - state.noted_tokens + sum(shown) - plain
    raw = max(sum(chunk.raw_tokens for chunk, now in pairs if now < chunk.view_tokens), 1)
    return [
        min(chunk.view_tokens, max(now, left * chunk.raw_tokens // raw, _USEFUL_TOKENS))
        for chunk, now in pairs
    ]


def expected_tokens(replaced: int) -> int:
    """What a note is expected to take in place of so many tokens of the view."""
    return min(int(replaced * _NOTE_SHARE) + NOTE_FRAME_TOKENS, _NOTE_TOKENS, replaced)


def _shown_tokens(state: PlanState, chunk: Chunk) -> int:
    """What a chunk takes in the view now, its part of digests included."""
    tokens = chunk.view_tokens
    for digest in top_nodes([node for node in state.nodes if node.kind == "digest"]):
        start, end = max(digest.start, chunk.start), min(digest.end, chunk.end)
        if start < end:
            part, whole = _run(state.turns, start, end), _run(state.turns, digest.start, digest.end)
            tokens += digest.tokens * part.raw_tokens // max(whole.raw_tokens, 1) - part.view_tokens
    return max(tokens, 0)


def _run(turns: Sequence[TurnSize], start: int, end: int) -> Chunk:
    parts = cut_chunks(turns, start, end, 1)
    raw, view = sum(part.raw_tokens for part in parts), sum(part.view_tokens for part in parts)
    return Chunk(start, end, raw, view)
