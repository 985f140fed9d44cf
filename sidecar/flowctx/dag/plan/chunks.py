"""What the planner plans over: turns, nodes, and chunks cut from them. Values only."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

NodeKind = Literal["note", "digest"]


@dataclass(frozen=True, slots=True)
class Edge:
    """A place inside a turn where it may be cut: no call turn has parts on both sides.

    Attributes:
        at: index of the first message behind it.
        raw_tokens, view_tokens: of the turn's messages before it.
    """

    at: int
    raw_tokens: int
    view_tokens: int


@dataclass(frozen=True, slots=True)
class TurnSize:
    """A turn: messages [start, end) of the session, and what they cost.

    Attributes:
        raw_tokens: as the host has them.
        view_tokens: as they stand in the view, reduced; folds are not counted in.
        edges: where it may be cut, in order.
    """

    start: int
    end: int
    raw_tokens: int
    view_tokens: int
    edges: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """A fold that exists or is planned: it stands for messages [start, end)."""

    start: int
    end: int
    depth: int
    tokens: int
    kind: NodeKind = "note"
    node: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of messages that one leaf may cover."""

    start: int
    end: int
    raw_tokens: int
    view_tokens: int


def cut_chunks(turns: Sequence[TurnSize], start: int, end: int, size: int) -> list[Chunk]:
    """Cut messages [start, end) into chunks of at most `size` raw tokens.

    Cuts lie at turn edges; only a turn that is larger than a chunk is cut inside, at
    its own edges. A piece between two edges is never cut, however large it is.
    """
    chunks: list[Chunk] = []
    for piece in _pieces(turns, start, end, size):
        last = chunks[-1] if chunks else None
        if last and last.end == piece.start and last.raw_tokens + piece.raw_tokens <= size:
            chunks[-1] = Chunk(
                last.start,
                piece.end,
                last.raw_tokens + piece.raw_tokens,
                last.view_tokens + piece.view_tokens,
            )
        else:
            chunks.append(piece)
    return chunks


def uncovered_runs(nodes: Sequence[Node], start: int, end: int) -> list[tuple[int, int]]:
    """The runs of [start, end) that no node covers, in order."""
    runs: list[tuple[int, int]] = []
    at = start
    for node in sorted(nodes, key=lambda node: node.start):
        if node.start > at:
            runs.append((at, min(node.start, end)))
        at = max(at, node.end)
    runs.append((at, end))
    return [(low, high) for low, high in runs if low < high]


def _pieces(turns: Sequence[TurnSize], start: int, end: int, size: int) -> list[Chunk]:
    pieces: list[Chunk] = []
    for turn in turns:
        if turn.start >= end or turn.end <= start:
            continue
        is_whole = turn.start >= start and turn.end <= end
        if is_whole and turn.raw_tokens <= size:
            pieces.append(Chunk(turn.start, turn.end, turn.raw_tokens, turn.view_tokens))
        else:
            pieces.extend(_pieces_of(turn, start, end))
    return pieces


def _pieces_of(turn: TurnSize, start: int, end: int) -> list[Chunk]:
    """The parts of a turn between its edges that lie in [start, end)."""
    first = Edge(turn.start, 0, 0)
    last = Edge(turn.end, turn.raw_tokens, turn.view_tokens)
    inner = [edge for edge in turn.edges if turn.start < edge.at < turn.end]
    places = [edge for edge in (first, *inner, last) if start <= edge.at <= end]
    return [
        Chunk(low.at, high.at, high.raw_tokens - low.raw_tokens, high.view_tokens - low.view_tokens)
        for low, high in pairwise(places)
    ]
