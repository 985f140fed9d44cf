"""Which of a session's nodes stand in its view."""

from collections.abc import Sequence

from flowctx.dag.plan.chunks import Node, uncovered_runs


def standing(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Of nodes in the order they were made, those that stand, by their messages, without overlap.

    Of notes that overlap, the one that covers more stands: it was made later. A
    digest stands until notes cover all of it in fewer tokens than it takes, so
    that the view never grows for their sake.
    """
    notes = [node for node in nodes if node.kind == "note"]
    digests = [
        digest
        for digest in top_nodes([node for node in nodes if node.kind == "digest"])
        if not _gives_way(digest, notes)
    ]
    kept = [note for note in notes if not any(_overlap(note, digest) for digest in digests)]
    return tuple(sorted([*digests, *top_nodes(kept)], key=lambda node: node.start))


def top_nodes(nodes: Sequence[Node]) -> list[Node]:
    """The nodes that no other of them covers, in order; of two that are alike the later one."""
    kept: list[Node] = []
    later_first = nodes[::-1]
    for node in sorted(later_first, key=lambda node: (node.start - node.end, -node.depth)):
        if not any(_overlap(node, other) for other in kept):
            kept.append(node)
    return sorted(kept, key=lambda node: node.start)


def _gives_way(digest: Node, notes: Sequence[Node]) -> bool:
    """True once the notes up to any of them took the digest's place: later ones replace those."""
    ends = (at for at, note in enumerate(notes, start=1) if _overlap(note, digest))
    return any(_is_outdone(digest, notes[:end]) for end in ends)


def _is_outdone(digest: Node, notes: Sequence[Node]) -> bool:
    inside = [note for note in top_nodes(notes) if _overlap(note, digest)]
    if uncovered_runs(inside, digest.start, digest.end):
        return False
    # Notes that reach beyond the digest also replace what stands beside it.
    start, end = inside[0].start, inside[-1].end
    beside = [n for n in notes if start <= n.start and n.end <= end and not _overlap(n, digest)]
    stands_now = digest.tokens + sum(node.tokens for node in top_nodes(beside))
    return sum(note.tokens for note in inside) < stands_now


def _overlap(one: Node, other: Node) -> bool:
    return one.start < other.end and one.end > other.start
