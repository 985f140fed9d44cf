"""Retention: what is left of a session's facts when the summariser drops half of everything."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from flowctx.config import Settings
from flowctx.dag.facts.extract import must_keep
from flowctx.dag.facts.facts import Fact, Failure, KeepLimits
from flowctx.dag.facts.occurrence import occurs, squeezed
from flowctx.dag.source.source import lines_of
from flowctx.dag.wording.lexicon import lexicon
from flowctx.message import parse_message
from tests.support.notes import planted_session, read_transcript
from tests.support.summariser import INVENTED, Folded, fold_session
from tests.support.transcripts import dump

ALL = KeepLimits(*[1_000_000] * 9)
SETTINGS = Settings(
    summary_min_turns=1, summary_keep_recent_turns=1, leaf_chunk_tokens=8000, condense_fanout=3
)
LONG = 20


@dataclass
class Retention:
    """How many facts there were, how many stand in the view, how many one retrieve away."""

    facts: int
    in_view: int
    lost: list[str]


def retention(facts: tuple[Fact, ...], folded: Folded) -> Retention:
    view = squeezed("\n".join(folded.notes.values()))
    under = squeezed("\n".join(folded.under))
    said = {line.digest: _said(line) for line in lines_of(folded.turns)}
    away = {_key(fact): fact.digest for fact in folded.elsewhere if fact.digest}
    lost, in_view = [], 0
    for fact in facts:
        if _stands(view, fact):
            in_view += 1
        elif not _stands(under, fact):
            source = said.get(away.get(_key(fact), b""), "")
            if squeezed(fact.text).removesuffix("…").removesuffix("()") not in source:
                lost.append(fact.text)
    return Retention(len(facts), in_view, lost)


def _said(line) -> str:
    return squeezed(f"{line.text} {line.tool} {line.command} {line.arguments}")


def _key(fact: Fact) -> tuple[str, str]:
    return fact.text, getattr(fact, "reason", "")


def _stands(text: str, fact: Fact) -> bool:
    if isinstance(fact, Failure):
        return squeezed(fact.text) in text and squeezed(fact.reason) in text
    return occurs(text, squeezed(fact.text))


@dataclass
class Findings:
    """Retention by kind of fact."""

    bans: Retention
    failed: Retention
    named: Retention


def check(folded: Folded) -> Findings:
    """Everything extracted without limits from what was covered, against what is left."""
    facts = must_keep(folded.turns, limits=ALL)
    found = Findings(
        bans=retention(facts.constraints, folded),
        failed=retention(facts.failed, folded),
        named=retention(facts.identifiers, folded),
    )
    assert found.bans.lost == found.failed.lost == []
    assert len(found.named.lost) <= 0.02 * found.named.facts
    _no_invention_is_unmarked(folded)
    return found


def _no_invention_is_unmarked(folded: Folded) -> None:
    for note in (*folded.notes.values(), *folded.under):
        language = next(
            code for code in ("en", "zh", "de") if lexicon(code).labels["record"] in note
        )
        unknown = lexicon(language).labels["unknown"]
        for word in INVENTED:
            assert note.count(word) == note.count(f"{word} {unknown}")


@pytest.mark.parametrize("number", range(3))
def test_facts_survive_a_summariser_that_drops_half_of_everything(number: int):
    """Planted bans, failures and identifiers, through leaves and a condensed note."""
    parsed = [parse_message(dump(body)) for body in planted_session(number, turns=60)]
    folded = fold_session(parsed, SETTINGS)
    found = check(folded)
    assert folded.under
    assert found.bans.in_view == found.bans.facts == 20
    assert found.failed.facts > 60 and found.failed.in_view >= 0.4 * found.failed.facts
    assert found.named.in_view >= 250


@pytest.mark.shared
def test_facts_of_recorded_sessions_survive_it(shared):
    """At least twenty long sessions; every ban and failed approach, 98 % of identifiers."""
    paths = sorted(shared.glob("transcripts/*/*.jsonl.xz"), key=lambda p: -p.stat().st_size)
    folds = (
        fold_session(parsed, SETTINGS)
        for parsed in (read_transcript(path, max_tokens=60_000) for path in paths)
        if sum(entry.message.opens_turn for entry in parsed) >= 3
    )
    results: list[Findings] = []
    while len(results) < LONG:
        folded = next(folds)
        if folded.accepted >= 2:
            results.append(check(folded))
    bans = [found.bans for found in results]
    assert sum(ban.in_view for ban in bans) == sum(ban.facts for ban in bans) > 50
    assert sum(found.failed.facts for found in results) > 50
    assert sum(found.named.facts for found in results) > 5000
