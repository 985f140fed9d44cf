"""What must survive a fold, found without a model.

Deterministic and linear in the source: the same messages always give the same
facts, so that a note can be held to them before and after it is written.
"""

from collections.abc import Sequence
from dataclasses import replace

from flowctx.dag.facts.constraints import find_constraints
from flowctx.dag.facts.facts import Fact, Failure, KeepLimits, MustKeep
from flowctx.dag.facts.failures import find_failures, find_runs
from flowctx.dag.facts.mentions import choose_mentions, rank_mentions
from flowctx.dag.facts.progress import find_progress
from flowctx.dag.facts.touched import find_files
from flowctx.dag.source.language import conversation_language
from flowctx.dag.source.source import SourceTurn, lines_of
from flowctx.tokens import estimate_total

ASK_MAX_CHARS = 400


def must_keep(
    turns: Sequence[SourceTurn], *, language: str = "", limits: KeepLimits | None = None
) -> MustKeep:
    """Extract what a note about some turns must hold.

    Args:
        turns: the source.
        language: of the conversation; found out when not given.
        limits: how many of each kind; by default in proportion to the source.
    """
    language = language or conversation_language(turns)
    progress = find_progress(turns, language)
    everything = MustKeep(
        asks=tuple(_asks(turns)),
        constraints=tuple(find_constraints(turns, language)),
        failed=tuple(_in_order([*find_failures(turns), *progress.failed])),
        done=tuple(progress.done),
        decided=tuple(progress.decided),
        open=tuple(progress.open),
        identifiers=tuple(rank_mentions(turns)),
        runs=tuple(find_runs(turns)),
        files=tuple(find_files(turns)),
    )
    return limited(everything, limits or KeepLimits().scaled(_tokens(turns)))


def limited(facts: MustKeep, limits: KeepLimits) -> MustKeep:
    """Hold facts to limits; what is over goes to `elsewhere`, in the order of the fields.

    Of asks the first and the newest stay, of failures those that never worked
    before those that did, of the rest the newest.
    """
    mentions, other_mentions = choose_mentions(facts.identifiers, limits.identifiers)
    failed = sorted(facts.failed, key=lambda failure: not failure.worked_later)
    kept = replace(
        facts,
        asks=_first_and_newest(facts.asks, limits.asks),
        constraints=facts.constraints[-limits.constraints :],
        failed=tuple(_in_order(failed[-limits.failed :])),
        done=facts.done[-limits.done :],
        decided=facts.decided[-limits.decided :],
        open=facts.open[: limits.open],
        identifiers=tuple(mentions),
        runs=facts.runs[-limits.runs :],
        files=facts.files[-limits.files :],
    )
    over: list[Fact] = [*_over(facts, kept), *other_mentions]
    return replace(kept, elsewhere=(*facts.elsewhere, *over))


def _over(facts: MustKeep, kept: MustKeep) -> list[Fact]:
    over: list[Fact] = []
    for name in ("constraints", "failed", "open", "done", "decided", "asks", "files", "runs"):
        stays = set(getattr(kept, name))
        over.extend(fact for fact in getattr(facts, name) if fact not in stays)
    return over


def _asks(turns: Sequence[SourceTurn]) -> list[Fact]:
    return [
        Fact(_one_line(line.text), turn.number, line.digest)
        for turn in turns
        for line in turn.lines
        if line.role == "user"
    ]


def _one_line(text: str) -> str:
    line = " ".join(text[: ASK_MAX_CHARS * 4].split())
    return line if len(line) <= ASK_MAX_CHARS else f"{line[: ASK_MAX_CHARS - 1]}…"


def _first_and_newest(facts: Sequence[Fact], count: int) -> tuple[Fact, ...]:
    if len(facts) <= count:
        return tuple(facts)
    return (facts[0], *facts[len(facts) - count + 1 :]) if count else ()


def _in_order(failures: Sequence[Failure]) -> list[Failure]:
    return sorted(failures, key=lambda failure: failure.turn)


def _tokens(turns: Sequence[SourceTurn]) -> int:
    return estimate_total(line.text for line in lines_of(turns))
