"""A card from one turn's own messages: no model, any language, at most 120 tokens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from flowctx.card import Card, CardKind, CardOutcome
from flowctx.dag.facts.extract import must_keep
from flowctx.dag.facts.facts import MustKeep
from flowctx.dag.source.source import SourceLine, SourceTurn, lines_of, source_turns
from flowctx.identity import SessionKind, SessionRef
from flowctx.message import ParsedMessage
from flowctx.sliding.clip import JOINT, clip, fit_parts, one_line
from flowctx.sliding.foreign import own_text
from flowctx.sliding.terms import terms_of
from flowctx.sliding.tools import is_memory_lookup, sent_text, tool_of
from flowctx.sliding.trivial import is_silent, is_trivial
from flowctx.view.pairing import pair_results

TEXT_MAX_TOKENS = 120
TITLE_MAX_TOKENS = 16
# Of a command, so that the line that says why it failed has room.
_ATTEMPT_TOKENS = 8
# What an answer begins with is told once.
_TOLD_TOKENS = 38
# Terms kept of each card; more than a long report has.
_MOST_TERMS = 1_500
_STOPPED = frozenset({"error", "aborted"})

_KINDS: dict[SessionKind, CardKind] = {
    SessionKind.GROUP: "group",
    SessionKind.CRON: "cron",
    SessionKind.WEBHOOK: "webhook",
    SessionKind.SUBAGENT: "sub-agent",
}


@dataclass(frozen=True, slots=True)
class CardLimits:
    """What a card may hold.

    Attributes:
        skips_trivial: turns in which nothing happened leave none.
        field_chars: the longest text that is looked at for its terms.
    """

    skips_trivial: bool = True
    field_chars: int = 16_000


def compose_card(
    messages: Sequence[ParsedMessage], ref: SessionRef, limits: CardLimits, now_ms: int
) -> Card | None:
    """The card of a turn, or None where there is nothing to tell.

    Args:
        messages: of the turn, from the one that opened it.
        ref: the session it ran in.
        limits: of the card.
        now_ms: its time where the messages have none.
    """
    turns = _own_turns(messages)
    said = _Said.of(turns)
    if not said.anything or (limits.skips_trivial and said.is_trivial):
        return None
    facts = must_keep(turns)
    parts = list(_parts(said, facts))
    return Card(
        anchor=messages[0].message.digest,
        time_ms=max(parsed.message.time_ms for parsed in messages) or now_ms,
        kind="heartbeat" if said.by_host and ref.kind is SessionKind.DIRECT else _kind(ref),
        outcome=_outcome(messages, turns, said, facts),
        title=clip(said.asked or said.answer, TITLE_MAX_TOKENS),
        text=JOINT.join(fit_parts(parts, TEXT_MAX_TOKENS)),
        terms=" ".join(_terms(said, facts, limits.field_chars)),
        has_work=bool(said.tools or facts.decided),
        messages=len(messages),
    )


@dataclass(frozen=True, slots=True)
class _Said:
    """What was said in a turn.

    Attributes:
        final: the last words of the run, even where they only say that there is nothing to say.
        sent: what the agent said to somebody through a tool.
        spoken: digests of the messages that hold the outcome.
    """

    asked: str
    final: str
    sent: tuple[str, ...]
    tools: tuple[str, ...]
    spoken: frozenset[bytes]
    by_host: bool

    @classmethod
    def of(cls, turns: Sequence[SourceTurn]) -> "_Said":
        lines = list(lines_of(turns))
        asked = [line for line in lines if line.role in ("user", "event")]
        # Lines of what a tool sent have its name.
        finals = [line for line in lines if line.role == "assistant" and not line.tool][-1:]
        sent = [line for line in lines if line.role == "assistant" and line.tool]
        tools = (tool_of(line) for line in lines if line.role == "tool")
        return cls(
            one_line(" ".join(line.text for line in asked)),
            finals[0].text if finals else "",
            tuple(line.text for line in sent),
            tuple(dict.fromkeys(filter(None, tools))),
            frozenset(line.digest for line in (*finals, *sent[-1:])),
            bool(asked) and all(line.role == "event" for line in asked),
        )

    @property
    def answer(self) -> str:
        """The outcome in the agent's words: its answer, and what it told by a tool."""
        final = one_line(self.news)
        sent = one_line(self.sent[-1]) if self.sent else ""
        return f"{final} “{sent}”" if final and sent else final or sent

    @property
    def news(self) -> str:
        """The last words, where they say something."""
        return "" if is_silent(self.final) else self.final

    @property
    def anything(self) -> bool:
        return bool(self.asked or self.answer or self.tools)

    @property
    def is_trivial(self) -> bool:
        return not self.sent and is_trivial(self.asked, self.final, self.tools)


def _own_turns(messages: Sequence[ParsedMessage]) -> tuple[SourceTurn, ...]:
    pairing = pair_results([parsed.message for parsed in messages])
    turns = source_turns(messages, pairing.calls)
    return tuple(SourceTurn(tuple(_own_lines(turn)), turn.number) for turn in turns)


def _own_lines(turn: SourceTurn) -> Iterator[SourceLine]:
    for line in turn.lines:
        if is_memory_lookup(line):
            continue
        yield _without_foreign(line)
        if text := own_text(sent_text(line)):
            yield SourceLine("assistant", text, line.digest, time_ms=line.time_ms, tool=line.tool)


def _without_foreign(line: SourceLine) -> SourceLine:
    return line if line.role == "tool" else replace(line, text=own_text(line.text))


def _kind(ref: SessionRef) -> CardKind:
    return _KINDS.get(ref.kind, "dm")


def _outcome(
    messages: Sequence[ParsedMessage],
    turns: Sequence[SourceTurn],
    said: _Said,
    facts: MustKeep,
) -> CardOutcome:
    """Failed when the run broke off, when the last thing it tried failed, or by its own word."""
    if messages[-1].value.get("stopReason") in _STOPPED:
        return "failed"
    results = [line for line in lines_of(turns) if line.role == "tool"]
    if results and results[-1].failed:
        return "failed"
    return "failed" if _tells_of_failure(said.spoken, facts) else "ok"


def _tells_of_failure(spoken: frozenset[bytes], facts: MustKeep) -> bool:
    """True when the outcome names something that failed and nothing that is done."""
    if any(fact.digest in spoken for fact in facts.done):
        return False
    return any(failure.digest in spoken for failure in facts.failed)


def _parts(said: _Said, facts: MustKeep) -> Iterator[tuple[str, int]]:
    """What the card says, each with the tokens it may take when all are there."""
    yield said.asked, 38
    if said.tools:
        yield ", ".join(said.tools), 12
    files = [fact.text for fact in facts.files if fact.action == "written"] or [
        fact.text for fact in facts.files
    ]
    if files:
        yield ", ".join(reversed(files[-4:])), 18
    if facts.decided:
        yield f"! {facts.decided[-1].text}", 18
    if error := _error(said, facts):
        yield f"✗ {error}", 22
    if said.answer:
        yield f"→ {said.answer}", 38


def _error(said: _Said, facts: MustKeep) -> str:
    """The last command that never worked with the line that says why, else what was said of it."""
    failed = [failure for failure in facts.failed if not failure.worked_later]
    tried = [failure for failure in failed if failure.reason]
    if tried:
        return f"{clip(tried[-1].text, _ATTEMPT_TOKENS)} — {tried[-1].reason}"
    told = one_line(failed[-1].text) if failed else ""
    return "" if clip(said.answer, _TOLD_TOKENS).startswith(told) else told


def _terms(said: _Said, facts: MustKeep, field_chars: int) -> list[str]:
    texts = [
        said.asked,
        said.news,
        *said.sent,
        " ".join(said.tools),
        *(fact.text for fact in (*facts.files, *facts.decided, *facts.runs)),
        *(f"{failure.text} {failure.reason}" for failure in facts.failed),
        *(mention.text for mention in facts.identifiers),
    ]
    return terms_of(" ".join(text[:field_chars] for text in texts), _MOST_TERMS)
