"""Where a probe can be had is found out, not supposed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from flowctx.message import parse_message
from flowctx.replay.host import Host
from flowctx.replay.lookup import Lookup
from flowctx.replay.policies import Plan, open_engine
from flowctx.replay.probes import Probe
from tests.replay.sessions import chat
from tests.support.transcripts import dump, user


@pytest.fixture
def host() -> Iterator[Host]:
    """A session whose third message says something that no other does."""
    plan = Plan()
    with open_engine(plan) as context:
        host = Host(context, plan)
        bodies = chat(3)
        said = [*bodies[:2], user("the port is qx_7_zeta, keep it"), *bodies[3:]]
        host.history = [parse_message(dump(body)) for body in said]
        host.view()
        yield host


def test_what_no_view_names_is_searched_for(host: Host) -> None:
    """Stored alone is not enough: the search itself must lead to the message."""
    probe = Probe("identifier", "qx_7_zeta", 2)
    assert Lookup(host, []).classify(probe) == "found"


def test_what_the_search_does_not_lead_to_is_lost(host: Host) -> None:
    """Text of a stored message that its index row does not hold counts as lost."""
    context = host.context
    probe = Probe("identifier", "qx_7_zeta", 2)
    lookup = Lookup(host, [])
    assert lookup.classify(probe) == "found"
    context.database.write(
        lambda c: c.execute("DELETE FROM documents WHERE message_id IS NOT NULL")
    ).result()
    assert lookup.classify(probe) == "lost"


def test_what_the_view_holds_is_visible(host: Host) -> None:
    """Nothing is searched for that stands there."""
    view, _ = host.view()
    assert Lookup(host, view).classify(Probe("identifier", "qx_7_zeta", 2)) == "visible"
