"""Walls: an original comes back to the agent and the person it belongs to, and to nobody else."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import pytest

from flowctx.errors import OriginalNotFoundError
from flowctx.identity import SessionRef, resolve_session
from flowctx.reducers.marker import marked_hashes
from flowctx.service.context import Context
from flowctx.service.events import record_event
from flowctx.service.retrieve import retrieve
from flowctx.service.state import SessionTable
from tests.support.host import HostSession, open_context
from tests.support.turns import BIG, text_at, turn

AGENTS = ("main", "ops", "public")
PEOPLE = ("ann", "bob", "cy")
KINDS = ("direct", "group", "cron", "subagent")


@dataclass(frozen=True)
class Seat:
    """One place in the matrix: whose session of which kind."""

    agent: str
    person: str
    kind: str

    @property
    def ref(self) -> SessionRef:
        direct = f"agent:{self.agent}:telegram:direct:{self.person}"
        keys = {
            "direct": direct,
            "group": f"agent:{self.agent}:telegram:group:{self.person}s-room",
            "cron": f"agent:{self.agent}:cron:{self.person}:run:1",
            "subagent": f"agent:{self.agent}:subagent:of-{self.person}",
        }
        parent = direct if self.kind == "subagent" else ""
        return resolve_session(keys[self.kind], parent_key=parent)

    @property
    def owner(self) -> tuple[str, str]:
        """What may not differ: agent, and the person behind the session."""
        whose = {"group": f"room of {self.person}", "cron": "owner"}.get(self.kind, self.person)
        return self.agent, whose


SEATS = [Seat(*seat) for seat in product(AGENTS, PEOPLE, KINDS)]


@pytest.fixture(scope="module")
def matrix(tmp_path_factory):
    """A store in which every seat has an original of its own."""
    context = open_context(tmp_path_factory.mktemp("walls"))
    hashes = {}
    for number, seat in enumerate(SEATS):
        host = HostSession(context, seat.ref.key)
        host.state.ref = seat.ref
        view = host.assemble(turn(number, f"{BIG}\ncanary of {seat}"))
        (hashes[seat],) = marked_hashes(text_at(view, 2))
    yield context, hashes
    context.close()


def may_see(context: Context, caller: SessionRef, hash_: str) -> bool:
    try:
        retrieve(context.database, caller, hash_)
    except OriginalNotFoundError as error:
        assert error.reason == "not-yours" and "belongs to another" in str(error)
        assert "canary" not in str(error)
        return False
    return True


@pytest.mark.parametrize(
    "caller", SEATS, ids=lambda seat: f"{seat.agent}-{seat.person}-{seat.kind}"
)
def test_only_the_same_agent_and_person_may_see(matrix, caller):
    """Over three agents, three people and four kinds of session: own originals, no others."""
    context, hashes = matrix
    seen = {seat.owner for seat, hash_ in hashes.items() if may_see(context, caller.ref, hash_)}
    assert seen == {caller.owner}


@pytest.mark.parametrize(
    "key",
    [
        "agent:main:internal-session-effects:u-1",
        "agent:main:telegram:ann",
        "agent:main:voice:ann",
        "id:some-session",
        "agent:main:subagent:unknown",
    ],
)
def test_a_caller_nobody_knows_sees_nothing(matrix, key):
    """Hidden runs and sessions of unknown shape have no rights to what others stored."""
    context, hashes = matrix
    assert not any(may_see(context, resolve_session(key), hash_) for hash_ in hashes.values())


def test_slash_commands_are_their_senders(matrix):
    """A person's slash commands see what that person's conversation holds, not the owner's."""
    context, hashes = matrix
    caller = resolve_session("agent:main:telegram:slash:ann")
    seen = {seat for seat, hash_ in hashes.items() if may_see(context, caller, hash_)}
    assert {seat.owner for seat in seen} == {("main", "ann")}


def test_a_sub_agent_is_known_by_who_spawned_it(context: Context):
    """Told once who its parent is, a sub-agent speaks for that person in every later call."""
    table = SessionTable()
    parent, child = "agent:main:telegram:direct:ann", "agent:main:subagent:u-1"
    told = table.open(resolve_session(child, parent_key=parent))
    record_event(context, told, "subagent-spawned")
    host = HostSession(context, child, SessionTable())
    (hash_,) = marked_hashes(text_at(host.assemble(turn(0)), 2))
    for caller in (parent, child):
        assert may_see(context, resolve_session(caller), hash_)
    for caller in ("agent:main:main", "agent:main:telegram:direct:bob", "agent:ops:subagent:u-1"):
        assert not may_see(context, resolve_session(caller), hash_)


def test_the_same_text_in_two_conversations_is_each_ones_own(context: Context):
    """Storing one text once does not open it to others, and deleting one right keeps the other."""
    ann = HostSession(context, "agent:main:telegram:direct:ann")
    (hash_,) = marked_hashes(text_at(ann.assemble(turn(0)), 2))
    bob = resolve_session("agent:main:telegram:direct:bob")
    assert not may_see(context, bob, hash_)
    assert text_at(HostSession(context, bob.key).assemble(turn(0)), 2)
    assert may_see(context, bob, hash_) and may_see(context, ann.state.ref, hash_)
    count = context.database.read(lambda c: c.execute("SELECT count(*) FROM originals").get)
    assert count == 1
