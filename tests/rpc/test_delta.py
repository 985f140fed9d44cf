"""The delta: whatever was lost on the way, both sides come to the same view."""

from __future__ import annotations

import random
from typing import Any

import pytest

from flowctx.service.assemble import AssembleAnswer, AssembleRequest
from tests.support.sidecar import SidecarProcess
from tests.support.transcripts import user
from tests.support.turns import turns
from tests.support.wire import WireSession

Body = dict[str, Any]


class Lossy(WireSession):
    """Loses answers, and forgets what it held, at random."""

    def __init__(self, sidecar: SidecarProcess, key: str, seed: int) -> None:
        super().__init__(sidecar.stub, key)
        self.random = random.Random(seed)
        self.asked = 0

    def disturb(self, history: list[Body]) -> None:
        """What may happen before a view: an answer that got lost, a restart of the gateway."""
        chance = self.random.random()
        held = (self.count, self.token, self.view_token, self.lead, self.gone, self.sent, self.ops)
        if chance < 0.4:
            self.assemble(history[: self.random.randint(1, len(history))])
        if chance < 0.3:
            self.count, self.token, self.view_token = held[:3]
            self.lead, self.gone, self.sent, self.ops = held[3:]
        elif chance > 0.8:
            super(WireSession, self).__init__()

    def _call(self, request: AssembleRequest) -> AssembleAnswer | None:
        self.asked += 1
        return super()._call(request)


@pytest.mark.parametrize("seed", range(3))
def test_answers_lost_on_the_way_do_not_change_the_view(sidecar: SidecarProcess, seed: int) -> None:
    """A session with losses sees, view for view, what one without any sees."""
    lossy = Lossy(sidecar, f"agent:main:explicit:lossy{seed}", seed)
    plain = WireSession(sidecar.stub, f"agent:main:explicit:plain{seed}")
    for count in range(4, 40, 4):
        history = turns(10)[:count]
        lossy.disturb(history)
        assert lossy.settled(history) == plain.settled(history)
    assert lossy.asked > 9


def test_only_what_is_new_goes_over(sidecar: SidecarProcess) -> None:
    """The next turn's request holds its own messages, and the answer keeps the ops that stand."""
    host = WireSession(sidecar.stub, "agent:main:explicit:new")
    host.assemble(turns(8))
    known = len(host.ops)
    asked: list[AssembleRequest] = []
    call = host._call
    host._call = lambda request: (asked.append(request), call(request))[1]  # type: ignore[method-assign]
    history = [*turns(8), user("and now?")]
    view = host.assemble(history)
    assert [len(each.bodies) for each in asked] == [1]
    assert host.answer and host.answer.kept_ops >= known - 1
    assert view[-1] == history[-1] and len(view) == 33


def test_a_view_from_another_gateway_is_whole(sidecar: SidecarProcess) -> None:
    """Two gateways with one session each hold their own delta and see the same."""
    one = WireSession(sidecar.stub, "agent:main:explicit:two")
    other = WireSession(sidecar.stub, "agent:main:explicit:two")
    for count in range(1, 9):
        first, second = (one, other) if count % 2 else (other, one)
        assert first.settled(turns(count)) == second.settled(turns(count))


def test_a_list_that_became_shorter_is_followed(sidecar: SidecarProcess) -> None:
    """Messages the host took back are gone from the view, and from the next delta."""
    host = WireSession(sidecar.stub, "agent:main:explicit:shorter")
    host.assemble(turns(8))
    short = [*turns(5), user("instead")]
    view = host.settled(short)
    assert len(view) == 21 and view[-1] == short[-1]
    fresh = WireSession(sidecar.stub, "agent:main:explicit:shorter")
    assert fresh.settled(short) == view
