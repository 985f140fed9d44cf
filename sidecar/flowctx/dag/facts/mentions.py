"""Ranking identifiers: which of them a note must hold when it cannot hold all.

One that the user named, that stands in a command or in a failure, or that comes
up late, outranks one that a tool printed once. Every kind keeps a few places,
so that many symbols do not push out the one port.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flowctx.dag.facts.facts import Mention
from flowctx.dag.facts.identifiers import (
    KINDS,
    Identifier,
    Kind,
    identifiers_in,
    identifiers_in_prose,
)
from flowctx.dag.source.source import SourceLine, SourceTurn

_ROLE_WEIGHT: Mapping[str, float] = {
    "user": 6, "assistant": 3, "summary": 4, "event": 1, "tool": 1,
}  # fmt: skip
_COMMAND_WEIGHT = 4.0
_FAILURE_WEIGHT = 3.0
_MOST_WEIGHT = 24.0
_KIND_WEIGHT: Mapping[Kind, float] = {
    "uuid": 1.5, "hash": 1.2, "address": 1.5, "port": 1.6, "ticket": 1.5, "code": 1.4,
    "branch": 1.3, "package": 1.2, "url": 1.1, "email": 1.2, "path": 1.0, "version": 0.9,
    "environment": 0.9, "number": 0.7, "symbol": 0.5, "flag": 0.5, "quantity": 0.5,
}  # fmt: skip
# The oldest mention still counts this much of the newest.
_OLDEST = 0.5
# A longer output is searched in its head and tail: what matters of it stands there or is named.
_SEARCHED_CHARS = 200_000


@dataclass(slots=True)
class _Tally:
    order: int
    weight: float = 0.0
    turn: int = 0
    digest: bytes = b""


def rank_mentions(turns: Sequence[SourceTurn]) -> list[Mention]:
    """All identifiers of a source, the weightiest first."""
    tallies: dict[Identifier, _Tally] = {}
    for turn in turns:
        for line in turn.lines:
            for identifier, weight in _weighed(line).items():
                tally = tallies.setdefault(identifier, _Tally(len(tallies)))
                tally.weight += weight
                tally.turn, tally.digest = turn.number, line.digest
    first, last = (turns[0].number, turns[-1].number) if turns else (0, 0)
    mentions = [
        Mention(
            text=identifier.text,
            turn=tally.turn,
            digest=tally.digest,
            kind=identifier.kind,
            score=_score(identifier.kind, tally, first, last),
            order=tally.order,
        )
        for identifier, tally in tallies.items()
    ]
    return sorted(mentions, key=_by_score)


def choose_mentions(mentions: Sequence[Mention], count: int) -> tuple[list[Mention], list[Mention]]:
    """The `count` mentions to keep, in order of kind and appearance, and the rest.

    Each kind first gets up to a twentieth of the places, the others go by score.
    """
    ranked = _without_parts(sorted(mentions, key=_by_score))
    share = max(count // (len(KINDS) + 3), 1)
    places: defaultdict[Kind, int] = defaultdict(int)
    first: list[Mention] = []
    later: list[Mention] = []
    for mention in ranked:
        places[mention.kind] += 1
        (first if places[mention.kind] <= share else later).append(mention)
    chosen = [*first, *later][:count]
    rest = [*first, *later][count:]
    return sorted(chosen, key=_by_kind), rest


def weightiest(mentions: Sequence[Mention], count: int) -> tuple[list[Mention], list[Mention]]:
    """The `count` mentions that matter most, and the rest, each in the order they have."""
    chosen = set(sorted(mentions, key=_by_score)[:count])
    kept = [mention for mention in mentions if mention in chosen]
    return kept, [mention for mention in mentions if mention not in chosen]


def _without_parts(ranked: Sequence[Mention]) -> list[Mention]:
    """Drop paths that are the end of a longer one: who has `src/a/b.py` has `a/b.py`."""
    ends: set[str] = set()
    for mention in ranked:
        if mention.kind == "path":
            parts = mention.text.strip("/").split("/")
            ends.update("/".join(parts[at:]) for at in range(1, len(parts)))
    return [mention for mention in ranked if mention.kind != "path" or mention.text not in ends]


def _by_score(mention: Mention) -> tuple[float, int]:
    return -mention.score, mention.order


def _by_kind(mention: Mention) -> tuple[int, int]:
    return KINDS.index(mention.kind), mention.order


def _weighed(line: SourceLine) -> dict[Identifier, float]:
    weight = _ROLE_WEIGHT[line.role] * (_FAILURE_WEIGHT if line.failed else 1)
    text = _searched(line.text)
    in_text = identifiers_in(text) if line.role == "tool" else identifiers_in_prose(text)
    weights = dict.fromkeys(in_text, weight)
    if line.command:
        for identifier in identifiers_in_prose(line.command):
            weights[identifier] = weights.get(identifier, 0) + _COMMAND_WEIGHT
    return weights


def _searched(text: str) -> str:
    if len(text) <= _SEARCHED_CHARS:
        return text
    half = _SEARCHED_CHARS // 2
    return f"{text[:half]} {text[-half:]}"


def _score(kind: Kind, tally: _Tally, first: int, last: int) -> float:
    recency = _OLDEST + (1 - _OLDEST) * (tally.turn - first + 1) / (last - first + 1)
    return min(tally.weight, _MOST_WEIGHT) * recency * _KIND_WEIGHT[kind]
