"""What a turn costs grows with what is new, not with the history before it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from flowctx.service.context import Context
from flowctx.store.connection import Connection
from tests.support.host import HostSession
from tests.support.transcripts import Body, assistant, call, result, user

# Steps of SQLite's machine between two counts.
_STEPS = 10


class Watched(list[Any]):
    """A list that counts how many of its entries are looked at."""

    looked_at = 0

    def __iter__(self) -> Iterator[Any]:
        self.looked_at += len(self)
        return super().__iter__()

    def __getitem__(self, at: Any) -> Any:
        self.looked_at += len(range(*at.indices(len(self)))) if isinstance(at, slice) else 1
        return super().__getitem__(at)


def turn(number: int) -> list[Body]:
    """One turn whose file is read again in every fifth."""
    return [
        user(f"look at {number}", timestamp=number),
        assistant(call("c", command=f"cat notes-{number % 5}.md"), timestamp=number),
        result("c", f"{number} is fine\n" * 200, timestamp=number),
        assistant(f"{number} looks fine", timestamp=number),
    ]


def turns(count: int) -> list[Body]:
    return [body for number in range(count) for body in turn(number)]


@pytest.fixture
def hosts(context: Context) -> dict[int, HostSession]:
    """A short session and a long one, each with a view."""
    made = {}
    for count in (60, 600):
        made[count] = host = HostSession(context, f"agent:main:explicit:s{count}")
        for ready in (count - 2, count - 1):
            host.assemble(turns(ready), 20_000)
            host.settle()
    return made


def test_planning_looks_at_few_messages_of_a_long_session(hosts):
    """Ten times the history makes nobody look at more of it."""
    looked_at = {}
    for count, host in hosts.items():
        frame = host.state.frame
        frame.messages = watched = Watched(frame.messages)
        host.assemble(turns(count), 20_000)
        looked_at[count] = watched.looked_at
    assert looked_at[600] < 1.3 * looked_at[60]


def test_the_store_does_as_much_for_a_turn_of_a_long_session(hosts, context: Context):
    """No query walks through all that a session ever said."""
    steps = {}
    for count, host in hosts.items():
        with_steps = _Counter(context)
        host.observe(*turn(count - 1))
        host.assemble(turns(count), 20_000)
        host.settle()
        steps[count] = with_steps.stop()
    assert steps[600] < 1.3 * steps[60]


class _Counter:
    """Counts the steps of the statements of this thread and of the writer."""

    def __init__(self, context: Context) -> None:
        self.context, self.steps = context, 0
        context.index.drain(context.settings)
        self._watch(self._count)

    def stop(self) -> int:
        self._watch(None)
        return self.steps

    def _count(self) -> bool:
        self.steps += _STEPS
        return False

    def _watch(self, handler: Any) -> None:
        def watch(connection: Connection) -> None:
            connection.set_progress_handler(handler, _STEPS)

        self.context.database.read(watch)
        self.context.database.write_outside_transaction(watch).result()
