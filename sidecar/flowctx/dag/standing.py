"""Which of a session's nodes stand in its view."""

from collections.abc import Sequence

from flowctx.dag.chunks import Node, uncovered_runs


def standing(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """The nodes that stand for their messages, in order and without overlap.

    Of notes that overlap, the one that covers more stands: it was made later. A
    digest stands until notes cover all of it in fewer tokens than it takes, so
    that the view never grows for their sake.
    """
    notes = top_nodes([node for node in nodes if node.kind == "note"])
    digests = [
        digest
        for digest in top_nodes([node for node in nodes if node.kind == "digest"])
        if not _gives_way(digest, notes)
    ]
    kept = [note for note in notes if not any(_overlap(note, digest) for digest in digests)]
    return tuple(sorted([*digests, *kept], key=lambda node: node.start))


def top_nodes(nodes: Sequence[Node]) -> list[Node]:
    """The nodes that no other of them covers, in order; of two that are alike the later one."""
    kept: list[Node] = []
    later_first = nodes[::-1]
    for node in sorted(later_first, key=lambda node: (node.start - node.end, -node.depth)):
        if not any(_overlap(node, other) for other in kept):
            kept.append(node)
    return sorted(kept, key=lambda node: node.start)


def _gives_way(digest: Node, notes: Sequence[Node]) -> bool:
    inside = [note for note in notes if _overlap(note, digest)]
    # A note may reach beyond the digest; its tokens still count in full.
    return (
        not uncovered_runs(inside, digest.start, digest.end)
        and sum(note.tokens for note in inside) < digest.tokens
    )


def _overlap(one: Node, other: Node) -> bool:
    return one.start < other.end and one.end > other.start
