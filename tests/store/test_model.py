"""The rows of a session against a plain list, whatever is told in whatever order."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from flowctx.message import parse_message
from flowctx.service.events import record_event
from flowctx.store.messages import visible_messages
from tests.support.host import HostSession, open_context
from tests.support.transcripts import Body, assistant, call, dump, result, user

TEXTS = st.sampled_from(["ok", "go on", "same words", "漢字 \ud83d", ""])


def digests(bodies: list[Body]) -> list[bytes]:
    return [parse_message(dump(body)).message.digest for body in bodies]


class SessionAgainstList(RuleBasedStateMachine):
    """A host that observes, commits, asks, forgets, restarts, resets and rewrites."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="fx-model-"))
        self.context = open_context(self.folder)
        self.host = HostSession(self.context)
        self.history: list[Body] = []
        self.turn: list[Body] = []
        self.observed = 0
        self.number = 0

    @rule(text=TEXTS, is_timed=st.booleans(), has_call=st.booleans())
    def say(self, text: str, is_timed: bool, has_call: bool) -> None:
        """A turn happens; its messages may read like earlier ones."""
        self.finish()
        time = {"timestamp": self.number} if is_timed else {}
        self.number += 1
        steps = [assistant(call("c", command=text), **time), result("c", text, **time)]
        self.turn = [user(text, **time), *(steps if has_call else []), assistant("done", **time)]
        self.observed = 0

    @rule(count=st.integers(1, 4))
    def observe(self, count: int) -> None:
        """The host writes some messages and tells them ahead."""
        for body in self.turn[self.observed : self.observed + count]:
            self.host.observe(body)
        self.observed = min(len(self.turn), self.observed + count)

    @rule()
    def commit(self) -> None:
        """The turn is accepted, told once more because the answer was lost."""
        if self.turn:
            key = f"turn {self.number}"
            self.host.commit(key, self.turn)
            assert not self.host.commit(key, self.turn)

    @rule()
    def finish(self) -> None:
        """The turn becomes a part of what the host hands over."""
        self.history, self.turn, self.observed = [*self.history, *self.turn], [], 0

    @precondition(lambda self: self.history)
    @rule()
    def view(self) -> None:
        """The view is the list, and so are the rows."""
        self.finish()
        assert self.host.assemble(self.history) == self.history
        assert self.rows("visible = 1") == digests(self.history)
        assert self.rows("position IS NULL") == []

    @rule()
    def restart_gateway(self) -> None:
        """The host forgets what it held of the session."""
        self.host = HostSession(self.context)

    @rule()
    def restart_sidecar(self) -> None:
        """The store alone is left."""
        self.context.close()
        self.context = open_context(self.folder)
        self.host = HostSession(self.context)

    @precondition(lambda self: self.history)
    @rule()
    def reset(self) -> None:
        """The session begins anew under the same key."""
        record_event(self.context, self.host.state, "reset")
        self.history, self.turn, self.observed = [], [], 0

    @precondition(lambda self: len(self.history) > 6)
    @rule(kept=st.integers(1, 2))
    def compact(self, kept: int) -> None:
        """The host puts a summary in the place of its oldest turns."""
        self.view()
        asks = [at for at, body in enumerate(self.history) if body["role"] == "user"]
        start = asks[-kept:][0] if asks else len(self.history)
        summary = {"role": "compactionSummary", "summary": f"before {self.number}"}
        self.history = [summary, *self.history[start:]]

    @precondition(lambda self: len(self.history) > 3)
    @rule()
    def merge(self) -> None:
        """The host joins the newest answer with another one."""
        self.view()
        self.history = [*self.history[:-1], assistant(f"merged {self.number}")]

    @invariant()
    def nothing_is_there_twice(self) -> None:
        """No more visible rows than the host ever handed over."""
        assert len(self.rows("visible = 1")) <= len(self.history) + 8

    def rows(self, where: str) -> list[bytes]:
        self.host.settle()
        row = self.host.state.row
        if row is None:
            return []
        if where == "visible = 1":
            found = self.context.database.read(lambda c: visible_messages(c, row.id))
            return [message.digest for message in found]
        query = f"SELECT digest FROM messages WHERE session_id = ? AND {where}"
        told: list[Any] = self.context.database.read(
            lambda c: c.execute(query, (row.id,)).fetchall()
        )
        return [digest for (digest,) in told]

    def teardown(self) -> None:
        try:
            if self.history:
                self.view()
        finally:
            self.context.close()
            shutil.rmtree(self.folder)


TestSessionAgainstList = SessionAgainstList.TestCase
TestSessionAgainstList.settings = settings(
    max_examples=8,
    stateful_step_count=20,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
