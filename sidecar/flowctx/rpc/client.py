"""A client for the command line: one short call at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import grpc
import orjson

from flowctx import __version__
from flowctx.errors import FlowctxError, SidecarUnreachableError
from flowctx.paths import StatePaths
from flowctx.rpc.auth import TOKEN_KEY
from flowctx.rpc.endpoint import Endpoint, load_endpoint, load_token
from flowctx.service.purge import Selection
from flowctx.store.card_blocks import CardSelection
from flowctx.store.purge import PurgeCount
from flowctx.store.status import StoreStatus
from flowctx.v1 import flowctx_pb2 as pb
from flowctx.v1.flowctx_pb2_grpc import FlowctxStub

CALL_SECONDS = 2.0
PURGE_SECONDS = 120.0


class SidecarClient:
    """Calls the sidecar of a state directory."""

    def __init__(self, paths: StatePaths) -> None:
        self.endpoint: Endpoint = load_endpoint(paths)
        self._metadata = ((TOKEN_KEY, load_token(paths)),)

    def ping(self) -> tuple[StoreStatus, dict[str, Any]]:
        """Make sure that the sidecar answers; what it says of its store, and of its work.

        Raises:
            SidecarUnreachableError: it does not.
        """
        with self._stub() as stub:
            answer = stub.Stats(
                pb.StatsRequest(session_key="(none)"),
                timeout=CALL_SECONDS,
                metadata=self._metadata,
            )
        document = orjson.loads(answer.json)
        store = document["store"]
        # A sidecar of an earlier version says nothing of its work.
        return StoreStatus(store["state"], store["reason"]), document.get("activity", {})

    def purge(self, selection: Selection, *, dry_run: bool) -> PurgeCount:
        """Purge through the sidecar, which holds views in memory.

        Raises:
            SidecarUnreachableError: it does not answer.
            FlowctxError: it refused; the message says why.
        """
        request = pb.PurgeRequest(
            session_key=selection.session_key,
            hash=selection.hash,
            older_than_ms=selection.older_than_ms,
            dry_run=dry_run,
        )
        with self._stub() as stub:
            done = stub.Purge(request, timeout=PURGE_SECONDS, metadata=self._metadata)
        return PurgeCount(done.sessions, done.messages, done.originals, done.bytes_freed)

    def clear_cards(self, selection: CardSelection, *, dry_run: bool) -> int:
        """Delete cards through the sidecar, which holds injected blocks in memory.

        Raises:
            SidecarUnreachableError: it does not answer.
            FlowctxError: it refused; the message says why.
        """
        clear = pb.CardClear(
            session_key=selection.session_key,
            agent=selection.agent,
            before_ms=selection.before_ms,
            dry_run=dry_run,
        )
        request = pb.SlidingRequest(clear=clear)
        with self._stub() as stub:
            done = stub.Sliding(request, timeout=PURGE_SECONDS, metadata=self._metadata)
        return int(orjson.loads(done.json)["cards"])

    def notes(self, action: str, node: str) -> dict[str, Any]:
        """Unfold or fold a note through the sidecar, which holds views in memory.

        Raises:
            SidecarUnreachableError: it does not answer.
            FlowctxError: it refused; the message says why.
        """
        request = pb.NotesRequest(action=action, node=node)
        with self._stub() as stub:
            done = stub.Notes(request, timeout=CALL_SECONDS, metadata=self._metadata)
        document: dict[str, Any] = orjson.loads(done.json)
        return document

    @contextmanager
    def _stub(self) -> Iterator[FlowctxStub]:
        try:
            with grpc.insecure_channel(self.endpoint.address) as channel:
                yield FlowctxStub(channel)
        except grpc.RpcError as error:
            raise _translate(error, self.endpoint.address) from error


def _translate(error: grpc.RpcError, address: str) -> FlowctxError:
    code = error.code() if isinstance(error, grpc.Call) else None
    details = (error.details() if isinstance(error, grpc.Call) else "") or str(error)
    # What the transport says of itself runs over lines and names nothing to act upon.
    if code is grpc.StatusCode.UNAVAILABLE:
        return SidecarUnreachableError(f"Nothing answers at {address}.")
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return SidecarUnreachableError(f"No answer came in time from {address}.")
    return FlowctxError(details)


def is_same_version(endpoint: Endpoint) -> bool:
    """True when the sidecar is of this command's version."""
    return endpoint.version == __version__
