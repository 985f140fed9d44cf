"""Replaying recordings turn by turn under one policy, and adding up what they cost."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from flowctx.message import ParsedMessage, parse_message
from flowctx.model import Fold
from flowctx.replay.describe import describe
from flowctx.replay.dump import Dump
from flowctx.replay.figures import Figures, total
from flowctx.replay.host import Host, item_of
from flowctx.replay.lookup import Lookup
from flowctx.replay.policies import Plan, open_engine
from flowctx.replay.probes import Probe, sample_probes
from flowctx.replay.provider import Item, Prompt, Provider
from flowctx.replay.sources import Recording
from flowctx.view.turns import split_turns

Progress = Callable[[int], None]


@dataclass(slots=True)
class Replay:
    """What came of a replay.

    Attributes:
        tasks: figures of each recording, by name, in order.
        turns: one row per turn, for charts.
        session: notes and largest results of the last session, for reports.
    """

    plan: Plan
    tasks: list[tuple[str, Figures]] = field(default_factory=list)
    turns: list[dict[str, Any]] = field(default_factory=list)
    session: dict[str, Any] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """As `--json` prints it."""
        return {
            "policy": self.plan.policy,
            "window": self.plan.window,
            "total": total([figures for _, figures in self.tasks]).document(),
            "tasks": [{"name": name, **figures.document()} for name, figures in self.tasks],
            "turns": self.turns,
            **self.session,
        }


@dataclass(slots=True)
class Runner:
    """Replays under one plan.

    Attributes:
        dump: where every request is written; None for nowhere.
        progress: told after each turn how many messages it had.
    """

    plan: Plan
    dump: Dump | None = None
    progress: Progress = lambda _: None
    result: Replay = field(init=False)
    _provider: Provider = field(init=False)
    _host: Host = field(init=False)
    _new_tokens: int = 0
    _own_tokens: int = 0
    _hits: list[float] = field(default_factory=list)
    _task: int = 0
    _probes: dict[int, list[Probe]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.result = Replay(self.plan)
        self._provider = Provider(self.plan.system_tokens, self.plan.cache_ttl_seconds * 1000)

    def run(self, recordings: Sequence[Recording]) -> Replay:
        """Replay recordings: one shared session, unless the policy is "fresh".

        Raises:
            StoreError: the temporary store cannot be used.
        """
        shared = self.plan.policy != "fresh"
        with ExitStack() as stack:
            context = stack.enter_context(open_engine(self.plan))
            self._host = Host(context, self.plan)
            for self._task, recording in enumerate(recordings):
                if not shared:
                    self._host = Host(context, self.plan)
                self._run_task(recording)
                if not shared:
                    self._probe([self._task])
            if shared:
                self._probe(range(len(recordings)))
        return self.result

    def _run_task(self, recording: Recording) -> None:
        started, figures = time.monotonic(), Figures()
        self.result.tasks.append((recording.name, figures))
        begins, self._own_tokens = len(self._host.history), 0
        messages = [parse_message(body) for body in recording.bodies]
        for turn in split_turns([parsed.message for parsed in messages]):
            self._run_turn(messages[turn.start : turn.end], figures)
            self.progress(turn.end - turn.start)
        self._probes[self._task] = sample_probes(messages, begins, self._task)
        figures.seconds = time.monotonic() - started
        figures.cost_usd = figures.cost * self.plan.settings.input_cost_per_m_tok / 1e6

    def _run_turn(self, turn: Sequence[ParsedMessage], figures: Figures) -> None:
        before = Figures(**{name: getattr(figures, name) for name in _CURVE})
        self._host.tell_time(turn)
        view = self._view(figures)
        is_first, waiting = True, list[Item]()
        for parsed in turn:
            item = item_of(parsed)
            if parsed.message.role == "assistant":
                if is_first:
                    self._provider.begin([*view, *waiting])
                else:
                    self._provider.extend(waiting)
                self._call(figures, parsed.message.time_ms, is_first=is_first)
                is_first, waiting, self._new_tokens = False, [], 0
            waiting.append(item)
            self._new_tokens += item.tokens
        row = _row(self._task, before, figures, self._host, view)
        hits, self._hits = self._hits, []
        self.result.turns.append({**row, "own_tokens": self._own_tokens, "hits": hits})
        self._host.history.extend(turn)
        self._own_tokens += sum(parsed.message.tokens for parsed in turn)

    def _view(self, figures: Figures) -> list[Item]:
        view, new = self._host.view()
        figures.rounds += bool(self._host.round)
        figures.notes += len(new)
        if self.plan.note_tokens:
            self._charge(figures, new)
        return view

    def _charge(self, figures: Figures, folds: Sequence[Fold]) -> None:
        """Count the calls of a summariser: it reads what a note covers, uncached, and writes it."""
        for read in filter(None, map(self._host.read_by_summariser, folds)):
            figures.summary_tokens += read + self.plan.note_tokens
            figures.cost += read + self.plan.prices.output * self.plan.note_tokens
            if self.dump:
                self.dump.summary(self._task, read, self.plan.note_tokens)

    def _call(self, figures: Figures, time_ms: int, *, is_first: bool) -> None:
        follows = self._provider.has_called
        prompt = self._provider.call(time_ms)
        figures.add_call(prompt, self.plan.prices)
        self._hits.append(round(prompt.cached_tokens / max(prompt.tokens, 1), 4))
        if is_first and follows:
            figures.resent_tokens += max(_uncached(prompt) - self._new_tokens, 0)
        if self.dump:
            self.dump.request(self._task, prompt, new_tokens=self._new_tokens, is_first=is_first)

    def _probe(self, tasks: Sequence[int]) -> None:
        """Classify the tasks' probes in the view that the next turn would have."""
        view, _ = self._host.view()
        self.result.session = describe(self._host)
        lookup = Lookup(self._host, view)
        for task in tasks:
            self.result.tasks[task][1].probes = lookup.count(self._probes[task])


_CURVE = ("calls", "tokens_in", "cached_tokens", "cost", "rounds", "notes")


def _uncached(prompt: Prompt) -> int:
    return prompt.tokens - prompt.cached_tokens


def _row(
    task: int, before: Figures, after: Figures, host: Host, view: Sequence[Item]
) -> dict[str, Any]:
    """One turn: what it added to the figures, and what its view was made of.

    `raw_tokens` are those of all history before it, `own_tokens` of its task's alone.
    """
    added = {name: round(getattr(after, name) - getattr(before, name), 1) for name in _CURVE}
    return {
        "task": task,
        **added,
        "view_tokens": sum(item.tokens for item in view),
        "raw_tokens": sum(parsed.message.tokens for parsed in host.history),
        "tiers": host.tiers,
        "round": host.round,
    }
