"""The session that the demo runs: what the user says, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.e2e.harness.gateway import session_key
from tests.e2e.harness.model_request import Request
from tests.e2e.harness.rig import Rig
from tests.e2e.harness.transcript import KeptResult, kept_results

SESSION = "demo"
RETRIEVE = 'call: flowctx_retrieve {"hash": "{hash}", "maxTokens": 100000}'


@dataclass(frozen=True, slots=True)
class Step:
    """One turn: a word for the table, and the user's message."""

    name: str
    text: str


# Sizes as users meet them, 5 to 300 KB; the host itself cuts at 64,000 characters.
STEPS = (
    Step("test run", "run: bin/pytest -q --kb 40"),
    Step("service log", "run: bin/journalctl -u api --kb 60"),
    Step("JSON API", "run: bin/curl -s localhost/orders --kb 50"),
    Step("search", "run: bin/rg -n retry src --kb 20"),
    Step("diff", "run: bin/git diff main --kb 30"),
    Step("build", "run: bin/make --kb 50"),
    Step("two at once", "run: bin/psql -c jobs --kb 20 ;; run: bin/rg -n lock src --kb 10"),
    Step("file", "read: data/orders.csv"),
    Step("huge log", "run: bin/journalctl -u api --since yesterday --kb 300"),
    Step("JSON API", "run: bin/curl -s localhost/refunds --kb 25"),
    Step("test run", "run: bin/pytest -q tests/test_ledger.py --kb 5"),
    Step("question", "What failed in the first test run?"),
)


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A turn as it went: the requests the model received, the reply's text, the user's wait."""

    requests: tuple[Request, ...]
    reply: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What the model got for a hash it had read, and what the transcript holds."""

    hash: str
    text: str
    kept: str

    @property
    def is_equal(self) -> bool:
        """Whether both are the same, byte for byte."""
        return self.text == self.kept


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A whole session, and what the strict check of its requests had to say."""

    turns: tuple[TurnRecord, ...]
    violations: tuple[str, ...]

    @property
    def requests(self) -> tuple[Request, ...]:
        """All requests of the session, in order."""
        return tuple(request for turn in self.turns for request in turn.requests)


def run_session(rig: Rig, began: Callable[[str], None]) -> SessionRecord:
    """Run all turns; *began* is told the name of each one before it starts."""
    turns = []
    for step in STEPS:
        began(step.name)
        turns.append(run_turn(rig, step.text))
    return SessionRecord(tuple(turns), rig.model.violations + rig.model.script_errors)


def run_turn(rig: Rig, text: str) -> TurnRecord:
    """Run one turn and collect its requests."""
    since = len(rig.model.requests)
    turn = rig.gateway.turn(text, session=SESSION)
    requests = rig.model.requests_of(session_key(SESSION), since=since)
    return TurnRecord(requests, turn.text, turn.seconds)


def retrieve_one(rig: Rig) -> Retrieved:
    """Have the model retrieve the first hash it sees; raises `LookupError` when it got nothing."""
    turn = run_turn(rig, RETRIEVE)
    if len(turn.requests) < 2:
        raise LookupError(f"the model saw no marker to retrieve: {rig.model.script_errors}")
    asked, answered = turn.requests[:2]
    hash24 = answered.messages[-2].calls[0].arguments["hash"]
    place = next(result for result in asked.tool_results if f"hash={hash24}]" in result.text)
    return Retrieved(
        hash=hash24,
        text=answered.new_tool_results[-1].text,
        kept=_kept(rig, place.answers).text,
    )


def _kept(rig: Rig, call_id: str) -> KeptResult:
    results = kept_results(rig.gateway.transcript(SESSION))
    return next(result for result in results if result.call_id == call_id)
