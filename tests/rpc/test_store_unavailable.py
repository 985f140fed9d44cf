"""A store that cannot be opened is not an empty one: nothing is denied, nothing is promised."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import grpc
import pytest

from flowctx.paths import StatePaths
from flowctx.reducers.marker import marked_hashes
from flowctx.v1 import flowctx_pb2 as pb
from tests.rpc.conftest import Start
from tests.support.sidecar import PATIENCE_S, SidecarProcess
from tests.support.state import run
from tests.support.turns import text_at, turns
from tests.support.wire import WireSession

KEY = "agent:main:main"
RULE = "never touch prod"


class Outage:
    """A session whose sidecar was started anew while its store was of a newer version."""

    def __init__(self, start: Start, state_dir: Path) -> None:
        self.start, self.paths = start, StatePaths(state_dir)
        self.sidecar = start()
        self.host = WireSession(self.sidecar.stub, KEY)
        self.view = self.host.settled(turns(6))
        (self.hash,) = marked_hashes(text_at(self.view, 2))
        self.pins(action="pin", text=RULE)
        self._restart(make_newer)

    def mend(self) -> None:
        """Make the file usable again, and start a sidecar as the gateway would."""
        self._restart(make_known)

    def pins(self, **asked: str) -> pb.PinsResponse:
        return self.host.stub.Pins(self.ask(pb.PinsRequest, **asked), timeout=PATIENCE_S)

    def ask(self, request: Callable[..., object], **fields: object) -> object:
        return request(session=self.host.ref, **fields)

    def _restart(self, change: Callable[[Path], None]) -> None:
        self.sidecar.terminate()
        change(self.paths.database)
        self.sidecar: SidecarProcess = self.start()
        self.host.stub = self.sidecar.stub


def make_newer(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", connection.pragma("user_version") + 1_000)
    connection.close()


def make_known(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", connection.pragma("user_version") - 1_000)
    connection.close()


@pytest.fixture
def outage(start: Start, state_dir: Path) -> Iterator[Outage]:
    return Outage(start, state_dir)


ASKED: dict[str, Callable[[Outage], object]] = {
    "retrieve": lambda o: o.host.retrieve(o.hash),
    "note": lambda o: o.host.stub.RetrieveNote(o.ask(pb.RetrieveNoteRequest, node="0" * 16)),
    "search": lambda o: o.host.stub.Search(o.ask(pb.SearchRequest, query="prod session:all")),
    "pin": lambda o: o.pins(action="pin", text="another rule"),
    "unpin": lambda o: o.pins(action="unpin", id="1"),
    "pins": lambda o: o.pins(action="list"),
    "working memory": lambda o: o.host.stub.Scratchpad(
        o.ask(pb.ScratchpadRequest, action="append", text="step 1 is done")
    ),
    "explain": lambda o: o.host.stub.Explain(pb.ExplainRequest(session_key=KEY)),
    "notes": lambda o: o.host.stub.Notes(pb.NotesRequest(action="list", session_key=KEY)),
    "purge": lambda o: o.host.stub.Purge(pb.PurgeRequest(session_key=KEY)),
    "cards": lambda o: o.host.stub.Sliding(
        pb.SlidingRequest(search=o.ask(pb.CardSearch, query="prod"))
    ),
    "cards counted": lambda o: o.host.stub.Sliding(pb.SlidingRequest(stats=o.ask(pb.CardStats))),
    "cards cleared": lambda o: o.host.stub.Sliding(
        pb.SlidingRequest(clear=pb.CardClear(session_key=KEY))
    ),
}


def test_no_call_takes_it_for_empty(outage: Outage) -> None:
    """Whatever is asked of it or is to be kept in it is refused, with the reason."""
    for what, ask in ASKED.items():
        with pytest.raises(grpc.RpcError) as refused:
            ask(outage)
        told = refused.value.details()
        assert "not available now" in told and "Update flowctx" in told, what
        assert "never stored" not in told and "Retrying" not in told, what


def test_a_view_that_was_sent_is_worth_more_than_one_made_from_nothing(outage: Outage) -> None:
    """Who still holds the last view is told to go on with it, and all is there once it opens."""
    for count in (7, 8):
        with pytest.raises(grpc.RpcError, match="not available now"):
            outage.host.assemble(turns(count))
    outage.mend()
    view = outage.host.settled(turns(8))
    assert view[: len(outage.view) - 4] == outage.view[:-4]
    assert [pin["text"] for pin in json.loads(outage.pins(action="list").json)["pins"]] == [RULE]
    assert outage.host.retrieve(outage.hash).WhichOneof("answer") == "original"


def test_who_holds_no_view_gets_one(outage: Outage) -> None:
    """A gateway that was started anew, too, knows nothing better than the messages."""
    fresh = WireSession(outage.sidecar.stub, KEY)
    for count in (7, 8):
        assert fresh.assemble(turns(count)) == turns(count)


def test_status_tells_what_goes_on_meanwhile(outage: Outage) -> None:
    """The gateway is connected and turns are offered, whatever the store is like."""
    hello = pb.HelloRequest(version="1", client="gateway", host_version="2026.9.6")
    outage.host.stub.Hello(hello, timeout=PATIENCE_S)
    WireSession(outage.sidecar.stub, KEY).assemble(turns(7))
    done = run(outage.paths.host_state, "status")
    assert done.exit_code == 1 and "store          unavailable" in done.stdout
    assert "Update flowctx" in done.stdout
    assert "OpenClaw 2026.9.6" in done.stdout
    assert "last offered   never" not in done.stdout and "No turn was offered" not in done.stdout


def test_status_does_not_say_never_of_what_it_cannot_know(outage: Outage) -> None:
    """With nobody to ask and a file that does not open, what was is unknown."""
    outage.sidecar.terminate()
    done = run(outage.paths.host_state, "status")
    assert "last offered   unknown" in done.stdout and "gateway        unknown" in done.stdout
    assert "never" not in done.stdout and "No turn was offered" not in done.stdout
