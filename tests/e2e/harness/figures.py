"""What a session cost the model: figures of each turn, from the requests it received."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tests.e2e.harness.model_request import Request
from tests.e2e.harness.prefix import shared_prefix
from tests.e2e.harness.scenario import MARKER


@dataclass(frozen=True, slots=True)
class TurnFigures:
    """One turn: tokens of all its requests, and what of them the cache could take.

    *prefix_share* is 0 to 1, by bytes, each request against the one before it;
    none for the very first request. *reduced* counts markers that were not in
    view before, by the content type they name.
    """

    requests: int
    tokens: int
    prefix_share: float | None
    reduced: Mapping[str, int] = field(default_factory=dict)


def turn_figures(turns: Sequence[Sequence[Request]]) -> list[TurnFigures]:
    """Figures of a session's turns, each given by its requests in order."""
    seen: set[str] = set()
    before: Request | None = None
    figures = []
    for requests in turns:
        markers = {m["hash"]: m["what"] for r in requests for m in _markers(r)}
        new = {each: what for each, what in markers.items() if each not in seen}
        seen.update(new)
        figures.append(
            TurnFigures(
                requests=len(requests),
                tokens=sum(request.tokens for request in requests),
                prefix_share=_share(before, requests),
                reduced=Counter(what.partition(" · ")[0] for what in new.values()),
            )
        )
        before = requests[-1] if requests else before
    return figures


def _markers(request: Request) -> list[Mapping[str, str]]:
    texts = [result.text for result in request.tool_results]
    return [found.groupdict() for text in texts for found in MARKER.finditer(text)]


def _share(before: Request | None, requests: Sequence[Request]) -> float | None:
    chain = [before, *requests] if before else list(requests)
    shared = [shared_prefix(a, b) for a, b in pairwise(chain)]
    total = sum(each.of_size for each in shared)
    return sum(each.size for each in shared) / total if total else None
