"""How much of a request a provider's prefix cache could take from an earlier one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tests.e2e.harness.model_request import Request


@dataclass(frozen=True, slots=True)
class SharedPrefix:
    """The common beginning of two requests: whole parts, and bytes of the later one."""

    parts: int
    size: int
    of_size: int

    @property
    def share(self) -> float:
        """The reusable share of the later request, 0 to 1."""
        return self.size / self.of_size if self.of_size else 1.0


def shared_prefix(earlier: Request, later: Request) -> SharedPrefix:
    """What the later request has in common with the earlier one, from the beginning."""
    pairs = list(zip(earlier.parts, later.parts, strict=False))
    equal = next((at for at, (one, two) in enumerate(pairs) if one != two), len(pairs))
    size = sum(len(part.data) for part in later.parts[:equal])
    if equal < len(pairs):
        size += _common_length(*(part.data for part in pairs[equal]))
    return SharedPrefix(equal, size, sum(len(part.data) for part in later.parts))


def _common_length(one: bytes, two: bytes) -> int:
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == two[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def rewritten(earlier: Request, later: Request) -> tuple[int, ...]:
    """Positions of parts that the later request sends otherwise, or no longer sends."""
    same = [one == two for one, two in zip(earlier.parts, later.parts, strict=False)]
    missing = range(len(same), len(earlier.parts))
    return (*(at for at, equal in enumerate(same) if not equal), *missing)


def unexpected_rewrites(requests: Sequence[Request]) -> list[str]:
    """Where a session's requests are no byte prefix of the next one, in words.

    Expected is one rewrite: results of the turn that has just ended, when the
    user speaks again.
    """
    return [
        f"request {later.number} rewrites part {at} ({earlier.parts[at].role})"
        for earlier, later in pairwise(requests)
        for at in rewritten(earlier, later)
        if not _ends_with_turn(earlier, later, at)
    ]


def _ends_with_turn(earlier: Request, later: Request, at: int) -> bool:
    asked = max((i for i, p in enumerate(earlier.parts) if p.role == "user"), default=0)
    user_spoke = any(part.role == "user" for part in later.parts[len(earlier.parts) :])
    return user_spoke and at > asked and earlier.parts[at].role == "tool"
