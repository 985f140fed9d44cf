"""What the demo claims, each claim checked on what the model received."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flowctx.tokens import estimate_tokens
from tests.e2e.demo.session import STEPS, Retrieved, SessionRecord, Step, TurnRecord
from tests.e2e.harness.prefix import unexpected_rewrites
from tests.e2e.harness.scenario import MARKER

# The share of tokens that must be saved, and the size above which results are reduced.
MIN_SAVED = 0.6
REDUCED_ABOVE_TOKENS = 1000


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence, and the first thing that speaks against it; empty when it holds."""

    text: str
    against: str = ""

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against it."""
        return not self.against


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that was observed; *retrieved* is missing when the model could not retrieve."""

    without: SessionRecord
    reduced: SessionRecord
    retrieved: Retrieved | None
    left_over: tuple[str, ...]


def check(evidence: Evidence) -> list[Claim]:
    """All claims, in the order in which they are shown."""
    return [
        Claim("Every reply arrived, as without flowctx", _missing_reply(evidence)),
        Claim("A strict provider took every request", _refused(evidence)),
        Claim(f"At least {MIN_SAVED:.0%} fewer tokens were sent", _too_many_tokens(evidence)),
        Claim("The running turn was verbatim", _touched(evidence)),
        Claim("Every long result of an earlier turn was reduced", _left_long(evidence.reduced)),
        Claim("Sent text stayed as it was sent", _rewritten(evidence.reduced)),
        Claim("The original came back byte for byte", _not_retrieved(evidence.retrieved)),
        Claim("Nothing was left running", ", ".join(evidence.left_over)),
    ]


def saved_share(evidence: Evidence) -> float:
    """The share of tokens that were not sent, 0 to 1."""
    return 1 - _tokens(evidence.reduced) / _tokens(evidence.without)


def _turns(evidence: Evidence) -> Iterator[tuple[Step, TurnRecord, TurnRecord]]:
    return zip(STEPS, evidence.without.turns, evidence.reduced.turns, strict=True)


def _tokens(record: SessionRecord) -> int:
    return sum(request.tokens for request in record.requests)


def _missing_reply(evidence: Evidence) -> str:
    for step, one, two in _turns(evidence):
        if not two.reply or one.reply != two.reply:
            return f"{step.name}: {two.reply!r} for {one.reply!r}"
    return ""


def _refused(evidence: Evidence) -> str:
    return next(iter(evidence.without.violations + evidence.reduced.violations), "")


def _too_many_tokens(evidence: Evidence) -> str:
    saved = saved_share(evidence)
    return "" if saved >= MIN_SAVED else f"only {saved:.0%} were saved"


def _touched(evidence: Evidence) -> str:
    """The results a turn ends with must be those of the run without flowctx."""
    for step, one, two in _turns(evidence):
        texts = [[r.text for r in turn.requests[-1].new_tool_results] for turn in (one, two)]
        if texts[0] != texts[1]:
            return f"{step.name}: the model saw other results"
    return ""


def _left_long(record: SessionRecord) -> str:
    return next(_long_results(record), "")


def _long_results(record: SessionRecord) -> Iterator[str]:
    for request in record.requests:
        running = {result.answers for result in request.new_tool_results}
        for result in request.tool_results:
            tokens = estimate_tokens(result.text)
            is_reduced = MARKER.search(result.text) is not None
            if tokens > REDUCED_ABOVE_TOKENS and not is_reduced and result.answers not in running:
                yield f"request {request.number}: {tokens} tokens of {result.answers}"


def _rewritten(record: SessionRecord) -> str:
    return next(iter(unexpected_rewrites(record.requests)), "")


def _not_retrieved(retrieved: Retrieved | None) -> str:
    if retrieved is None:
        return "the model found no marker to retrieve by"
    if retrieved.is_equal:
        return ""
    return f"{len(retrieved.text)} characters came back for {len(retrieved.kept)}"
