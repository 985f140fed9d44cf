"""The host's compactions with flowctx: it folds first, and the host only what is left."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.conditions import let_downs
from tests.e2e.harness.gateway import session_key
from tests.e2e.harness.host_config import HostOptions
from tests.e2e.harness.host_install import HostPaths
from tests.e2e.harness.install_flowctx import install_flowctx
from tests.e2e.harness.model_reply import Refuse, Reply, Usage
from tests.e2e.harness.model_request import Request
from tests.e2e.harness.rig import Rig, running_gateway
from tests.e2e.note_model import NoteModel
from tests.e2e.test_notes import DEBUG_PROFILE, grow, notes_in

# Notes would only come at a gate that these sessions never reach.
WINDOW = 30_000
LATE = {**DEBUG_PROFILE, "summaryTriggerRatio": 0.95}


@pytest.fixture(scope="module")
def module_rig(host: HostPaths) -> Iterator[Rig]:
    """A gateway with a small window whose gate for notes stays closed."""
    options = HostOptions(context_window=WINDOW)
    install = install_flowctx(settings=LATE)
    with running_gateway(host, options, install=install, script=NoteModel()) as rig:
        yield rig


@pytest.fixture
def rig(module_rig: Rig) -> Iterator[Rig]:
    """The gateway; the host has no complaint afterwards."""
    mark = module_rig.gateway.log.mark()
    yield module_rig
    assert let_downs(module_rig, mark) == []


def summaries(request: Request) -> list[str]:
    """Messages of a request that the host's own compaction made."""
    return [m.text for m in request.messages if "compacted into the following summary" in m.text]


def test_a_user_who_asks_gets_a_folded_view(rig: Rig, session: str) -> None:
    """`/compact`: the next request holds flowctx's digest and no summary of the host."""
    grow(rig, session, 9)
    before = rig.requests(session)[-1].tokens
    answer = rig.gateway.compact(session)
    rig.gateway.turn("go on", session=session)
    request = rig.requests(session)[-1]
    assert answer["compacted"], answer
    assert notes_in(request, "digest") and not summaries(request)
    assert request.tokens < before


def test_an_overflow_folds_and_the_turn_goes_on(rig: Rig, session: str) -> None:
    """The provider refuses a request as too long; the retry has a smaller view and is answered."""
    grow(rig, session, 9)
    model = NoteModel()
    refused: list[Request] = []

    def script(request: Request) -> Reply:
        if not request.is_host_call and not refused:
            refused.append(request)
            text = "This model's maximum context length is 30000 tokens (context_length_exceeded)."
            return Reply(failure=Refuse(400, text))
        return model(request)

    rig.model.set_script(session_key(session), script)
    turn = rig.gateway.turn("still there?", session=session)
    assert turn.text.startswith("done:")
    later = rig.requests(session)[-1]
    assert refused and later.tokens < refused[0].tokens
    assert notes_in(later, "digest")


def test_high_usage_compacts_and_the_next_message_is_taken(rig: Rig, session: str) -> None:
    """The last request used nearly all of the window: no message is refused for it."""
    grow(rig, session, 9)
    model = NoteModel()

    def script(request: Request) -> Reply:
        reply = model(request)
        return Reply(reply.text, reply.calls, Usage(sent=WINDOW - 1_500, cached=0, written=0))

    rig.model.set_script(session_key(session), script)
    for number in range(3):
        turn = rig.gateway.turn(f"and {number}?", session=session)
        assert turn.text.startswith("done:")
    later = rig.requests(session)[-1]
    assert notes_in(later, "digest")
