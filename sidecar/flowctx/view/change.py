"""Where a list or a view begins to differ from the one before it."""

from collections.abc import Sequence

from flowctx.model import Insert, Keep, Op


def shared_ops(old: Sequence[Op], new: Sequence[Op]) -> int:
    """How many ops two views have in common from the start."""
    count = 0
    for before, after in zip(old, new, strict=False):
        if before != after:
            break
        count += 1
    return count


def first_change(old: Sequence[Op], new: Sequence[Op], end: int) -> int:
    """Index of the first message whose bytes the new view changes; `end` if it only grows.

    Args:
        old: ops of the view that was sent.
        new: ops of the view that will be.
        end: how many messages the old view was made of.
    """
    at = shared_ops(old, new)
    if at == len(old):
        return end
    before = old[at]
    after = new[at] if at < len(new) else None
    if isinstance(before, Keep) and isinstance(after, Keep) and before.start == after.start:
        return min(before.end, after.end)
    if isinstance(before, Insert):
        return _end_of(old[:at])
    return before.start if isinstance(before, Keep) else before.index


def shared_runs(known: Sequence[bytes], wanted: Sequence[bytes]) -> list[int]:
    """For each place in `known`: how many entries from there on are the first of `wanted`.

    Linear in both lists, by the Z algorithm (Gusfield, "Algorithms on Strings,
    Trees, and Sequences", 1997, section 1.4).
    """
    both = [*wanted, None, *known]
    runs = [0] * len(both)
    left = right = 0
    for at in range(1, len(both)):
        run = min(runs[at - left], right - at) if at < right else 0
        while at + run < len(both) and both[run] == both[at + run]:
            run += 1
        runs[at] = run
        if at + run > right:
            left, right = at, at + run
    return runs[len(wanted) + 1 :]


def _end_of(ops: Sequence[Op]) -> int:
    """First message behind some ops; an insert itself has no place among the messages."""
    for op in reversed(ops):
        if not isinstance(op, Insert):
            return op.end if isinstance(op, Keep) else op.index + 1
    return 0
