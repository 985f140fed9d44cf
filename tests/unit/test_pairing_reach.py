"""Planning by the new end only: what lies further back than pairing reaches stays as it was."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowctx.config import Settings
from flowctx.service import planning
from flowctx.view import pairing
from tests.support.host import HostSession, open_context
from tests.support.provider import violations
from tests.support.transcripts import MESSAGES, assistant, call, result, user

LOW = Settings(projection_threshold=200)
LONG = st.lists(MESSAGES, min_size=20, max_size=70)


@pytest.fixture(scope="module")
def short_reach():
    """Pairing that reaches three messages far, so that short sessions show what long ones do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairing, "REACH", 3)
        patch.setattr(planning, "REACH", 3)
        patch.setattr(planning, "_PAIR_BACK", 12)
        yield


@pytest.mark.usefixtures("short_reach")
@settings(max_examples=60)
@given(LONG, st.lists(st.integers(1, 69), max_size=6))
def test_a_session_longer_than_the_reach_is_planned_as_if_at_once(tmp_path_factory, bodies, cuts):
    """Piece by piece or at once: the same view, valid for strict providers."""
    context = open_context(tmp_path_factory.mktemp("reach"), LOW)
    host = HostSession(context, "agent:main:explicit:pieces")
    for cut in sorted(cuts):
        host.assemble(bodies[:cut])
    view = host.assemble(bodies)
    assert view == HostSession(context, "agent:main:explicit:whole").assemble(bodies)
    assert violations(view) == []
    context.close()


@pytest.mark.usefixtures("short_reach")
def test_a_displaced_result_is_reduced_once_it_leaves_the_protected_tail(tmp_path):
    """A result protected when its call no longer was is planned again when it is old."""
    context = open_context(tmp_path, LOW)
    host = HostSession(context)
    bodies = [
        assistant(call("k")),
        user("a"),
        user("b"),
        result("k", "a line of it\n" * 200),
        *[user(f"later {n}") for n in range(8)],
    ]
    assert bodies[3] in host.assemble(bodies[:4])
    view = host.assemble(bodies)
    assert bodies[3] not in view and "hash=" in view[2]["content"][0]["text"]
    context.close()
