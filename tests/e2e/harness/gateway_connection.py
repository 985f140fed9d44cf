"""One WebSocket to the gateway: requests, their answers, and the events in between."""

from __future__ import annotations

import json
import queue
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tests.e2e.harness.host_config import TOKEN

Payload = Mapping[str, Any]

_PROTOCOL = 4
_HANDSHAKE_S = 10.0
_GREETING = {
    "minProtocol": _PROTOCOL,
    "maxProtocol": _PROTOCOL,
    # The host lets this client in on loopback by token alone, without a paired device.
    "client": {"id": "gateway-client", "version": "1", "platform": "linux", "mode": "backend"},
    "role": "operator",
    "scopes": ["operator.admin", "operator.read", "operator.write"],
    "caps": [],
    "auth": {"token": TOKEN},
}


class GatewayError(Exception):
    """The gateway refused a request, or the connection broke; *details* is its error object."""

    def __init__(self, message: str, details: Payload | None = None) -> None:
        super().__init__(message)
        self.details = details or {}


class GatewayConnection:
    """An open, greeted connection; requests may be made from several threads."""

    def __init__(self, port: int) -> None:
        self._answers: dict[str, queue.SimpleQueue[Payload]] = {}
        self._events: list[Payload] = []
        self._changed = threading.Condition()
        self._closed = threading.Event()
        self._open = ExitStack()
        self._socket = self._open.enter_context(
            connect(
                f"ws://127.0.0.1:{port}",
                max_size=None,
                open_timeout=_HANDSHAKE_S,
                ping_interval=None,
                compression=None,
                proxy=None,
            )
        )
        try:
            self._socket.recv(timeout=_HANDSHAKE_S)
            threading.Thread(target=self._read, daemon=True).start()
            self.hello = self.call("connect", _GREETING, timeout_s=_HANDSHAKE_S)
        except BaseException:
            self.close()
            raise

    def call(
        self, method: str, params: Payload, *, timeout_s: float, final: bool = False
    ) -> Payload:
        """Make a request and wait for its answer.

        *final* waits for the second answer of methods that first say
        "accepted". Raises `GatewayError` when refused or cut off, `TimeoutError`.
        """
        request_id = str(uuid.uuid4())
        answers = self._answers.setdefault(request_id, queue.SimpleQueue())
        try:
            self._send({"type": "req", "id": request_id, "method": method, "params": params})
            return _final(method, answers, timeout_s=timeout_s, skip_accepted=final)
        finally:
            self._answers.pop(request_id, None)

    def wait_for_event(self, wanted: Callable[[Payload], bool], *, timeout_s: float) -> Payload:
        """The first event since the connection opened that is wanted, past or coming."""
        end = time.monotonic() + timeout_s
        with self._changed:
            while True:
                for event in self._events:
                    if wanted(event):
                        return event
                left = end - time.monotonic()
                if left <= 0 or self._closed.is_set() or not self._changed.wait(left):
                    raise TimeoutError(f"no such event in {timeout_s} s")

    def wait_closed(self, *, timeout_s: float) -> None:
        """Wait until the gateway hangs up; raises `TimeoutError`."""
        if not self._closed.wait(timeout_s):
            raise TimeoutError(f"the gateway kept the connection for {timeout_s} s")

    def close(self) -> None:
        """Hang up."""
        self._open.close()

    def _send(self, frame: Payload) -> None:
        try:
            self._socket.send(json.dumps(frame))
        except (WebSocketException, OSError) as error:
            raise GatewayError(f"connection lost: {error}") from error

    def _read(self) -> None:
        try:
            for text in self._socket:
                self._take(json.loads(text))
        except (WebSocketException, OSError):
            pass
        finally:
            self._closed.set()
            for answers in list(self._answers.values()):
                answers.put({"ok": False, "error": {"message": "connection closed"}})
            with self._changed:
                self._changed.notify_all()

    def _take(self, frame: Payload) -> None:
        if frame.get("type") == "res":
            waiting = self._answers.get(frame["id"])
            if waiting is not None:
                waiting.put(frame)
        elif frame.get("type") == "event":
            with self._changed:
                self._events.append(frame)
                self._changed.notify_all()


def _final(
    method: str,
    answers: queue.SimpleQueue[Payload],
    *,
    timeout_s: float,
    skip_accepted: bool,
) -> Payload:
    end = time.monotonic() + timeout_s
    while True:
        try:
            frame = answers.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            raise TimeoutError(f"{method}: no answer in {timeout_s} s") from None
        if not frame.get("ok"):
            error = frame.get("error") or {}
            raise GatewayError(f"{method}: {error.get('message')}", error)
        payload: Payload = frame.get("payload") or {}
        if not (skip_accepted and payload.get("status") == "accepted"):
            return payload
