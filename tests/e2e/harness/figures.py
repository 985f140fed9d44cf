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
    none where there was none. *fresh_tokens* are those beyond that prefix.
    *reduced* counts markers that were not in view before, by the content type
    they name.
    """

    requests: int
    tokens: int
    fresh_tokens: int
    prefix_share: float | None
    reduced: Mapping[str, int] = field(default_factory=dict)


def turn_figures(turns: Sequence[Sequence[Request]]) -> list[TurnFigures]:
    """Figures of a session's turns, each given by its requests in order."""
    seen: set[str] = set()
    before: Request | None = None
    figures = []
    for requests in turns:
        markers = {m["hash"]: m["what"] for request in requests for m in _markers(request)}
        new = [what for hash24, what in markers.items() if hash24 not in seen]
        seen.update(markers)
        figures.append(_figures(before, requests, Counter(map(_content_type, new))))
        before = requests[-1] if requests else before
    return figures


def _figures(
    before: Request | None, requests: Sequence[Request], reduced: Mapping[str, int]
) -> TurnFigures:
    chain = [before, *requests] if before else list(requests)
    shared = [shared_prefix(one, two) for one, two in pairwise(chain)]
    # The very first request of a session has nothing before it.
    shares = [0.0] * (len(requests) - len(shared)) + [each.share for each in shared]
    fresh = sum(r.tokens * (1 - share) for r, share in zip(requests, shares, strict=True))
    size = sum(each.of_size for each in shared)
    return TurnFigures(
        requests=len(requests),
        tokens=sum(request.tokens for request in requests),
        fresh_tokens=round(fresh),
        prefix_share=sum(each.size for each in shared) / size if size else None,
        reduced=reduced,
    )


def _markers(request: Request) -> list[Mapping[str, str]]:
    texts = [result.text for result in request.tool_results]
    return [found.groupdict() for text in texts for found in MARKER.finditer(text)]


def _content_type(what: str) -> str:
    return what.partition(" · ")[0]
