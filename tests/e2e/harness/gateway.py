"""A running gateway of a private host, and what a test does with it."""

from __future__ import annotations

import base64
import subprocess
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from websockets.exceptions import WebSocketException

from tests.e2e.harness import gateway_process as processes
from tests.e2e.harness.gateway_connection import GatewayConnection, GatewayError, Payload
from tests.e2e.harness.gateway_log import GatewayLog
from tests.e2e.harness.private_host import PrivateHost

_START_S = 90.0
_CALL_S = 30.0
_TURN_S = 120.0
_POLL_S = 0.1
_STOP_S = 15.0
# At the very end nobody waits for what still runs.
_LAST_PATIENCE_S = 3.0
_ALL_MESSAGES = 100_000


@dataclass(frozen=True, slots=True)
class Turn:
    """A finished turn: the text of its reply, and how long the user waited for it."""

    text: str
    seconds: float
    payload: Payload


@dataclass(frozen=True, slots=True)
class Image:
    """An image that a user sends along."""

    data: bytes
    mime_type: str = "image/png"
    name: str = "image.png"


def session_key(session: str, agent: str = "main") -> str:
    """The host's key for a session with a short name; a whole key stays as it is."""
    return session if session.startswith("agent:") else f"agent:{agent}:explicit:{session.lower()}"


class Gateway:
    """One gateway process with one connection; use as a context manager.

    Leaving it ends every process of the host, also those that detached
    themselves, and removes its folders unless *keep* is set.
    """

    def __init__(self, host: PrivateHost, *, keep: bool = False) -> None:
        self.host = host
        self.log = GatewayLog(host.folders.log)
        self._keep = keep
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: GatewayConnection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """Process id of the gateway."""
        if self._process is None:
            raise GatewayError("the gateway is not running")
        return self._process.pid

    @property
    def connection(self) -> GatewayConnection:
        """The open connection."""
        if self._connection is None:
            raise GatewayError("the gateway is not running")
        return self._connection

    def start(self) -> Self:
        """Start the process and wait until it lets us in; raises `GatewayError`."""
        self._process = processes.spawn(
            self.host.command("gateway", "run"),
            env=self.host.env,
            folder=self.host.folders.root,
            console=self.host.folders.console,
        )
        self._connection = self._connected()
        return self

    def stop(self) -> None:
        """End the gateway politely; what it detached lives on."""
        self._hang_up()
        if self._process is not None:
            processes.stop(self._process, patience_s=_STOP_S)
            self._process = None

    def kill(self) -> None:
        """End the gateway as a crash would."""
        self._hang_up()
        if self._process is not None:
            processes.kill(self._process)
            self._process = None

    def restart(self) -> None:
        """Stop the process and start another one."""
        self.stop()
        self.start()

    def restart_in_process(self) -> None:
        """Restart as `openclaw gateway restart` does it: the process stays the same."""
        old = self.connection
        self.call("gateway.restart.request", {"reason": "asked for by a test"})
        old.wait_closed(timeout_s=_START_S)
        self._connection = self._connected()

    def close(self) -> None:
        """End the gateway, then everything else of its host; remove the folders."""
        self._hang_up()
        if self._process is not None:
            processes.stop(self._process, patience_s=_LAST_PATIENCE_S)
            self._process = None
        self.host.close(keep=self._keep)

    def call(self, method: str, params: Payload, *, timeout_s: float = _CALL_S) -> Payload:
        """Call a gateway method; raises `GatewayError`, `TimeoutError`."""
        return self._call(method, params, timeout_s=timeout_s)

    def turn(
        self,
        text: str,
        *,
        session: str,
        agent: str = "main",
        images: Sequence[Image] = (),
        timeout_s: float = _TURN_S,
    ) -> Turn:
        """Send a user's message and wait for the reply; raises as `call` does.

        A turn that takes too long is aborted, so that it disturbs nobody later.
        """
        params: dict[str, Any] = {
            "message": text,
            "sessionKey": session_key(session, agent),
            "agentId": agent,
            "idempotencyKey": str(uuid.uuid4()),
        }
        if images:
            params["attachments"] = [_attachment(image) for image in images]
        began = time.monotonic()
        try:
            payload = self._run(params, timeout_s)
        except TimeoutError:
            self.abort(session, agent=agent)
            raise
        return Turn(_reply_text(payload), time.monotonic() - began, payload)

    def _run(self, params: dict[str, Any], timeout_s: float) -> Payload:
        """One run of the agent; the host refuses one while it takes up plugins that changed."""
        try:
            return self._call("agent", params, timeout_s=timeout_s, final=True)
        except GatewayError as error:
            if "was superseded" not in str(error):
                raise
        again = {**params, "idempotencyKey": str(uuid.uuid4())}
        return self._call("agent", again, timeout_s=timeout_s, final=True)

    def abort(self, session: str, *, agent: str = "main") -> Payload:
        """Stop what runs or waits in a session."""
        params = {"key": session_key(session, agent), "clearQueued": True}
        return self.call("sessions.abort", params)

    def command(self, text: str, *, session: str, timeout_s: float = _TURN_S) -> str:
        """Send a slash command as a chat client does and return the answer's text."""
        run_id = str(uuid.uuid4())
        params = {
            "sessionKey": session_key(session),
            "message": text,
            "idempotencyKey": run_id,
        }
        self._call("chat.send", params, timeout_s=_CALL_S)
        with self._diagnosed():
            event = self.connection.wait_for_event(
                lambda each: _ends_chat(each, run_id), timeout_s=timeout_s
            )
        return _message_text(event["payload"].get("message") or {})

    def reset(self, session: str, *, agent: str = "main") -> Payload:
        """Forget a session's messages; its key and id stay (HOST L3)."""
        return self.call("sessions.reset", {"key": session_key(session, agent)})

    def compact(self, session: str, *, agent: str = "main") -> Payload:
        """Have the host summarise a session now."""
        key = session_key(session, agent)
        return self.call("sessions.compact", {"key": key}, timeout_s=_TURN_S)

    def transcript(self, session: str, *, agent: str = "main") -> list[Payload]:
        """The session's messages as the host keeps them, oldest first."""
        params = {"key": session_key(session, agent), "limit": _ALL_MESSAGES}
        found = self.call("sessions.get", params)
        return list(found["messages"])

    def sessions(self) -> list[Payload]:
        """All sessions the host lists."""
        return list(self.call("sessions.list", {})["sessions"])

    def diagnosis(self) -> str:
        """The end of the log and of the console, for an error message."""
        console = self.host.folders.console
        said = console.read_text(errors="replace")[-2000:] if console.exists() else ""
        return f"--- log\n{self.log.tail()}\n--- console\n{said}"

    def _call(
        self, method: str, params: Payload, *, timeout_s: float, final: bool = False
    ) -> Payload:
        with self._diagnosed():
            return self.connection.call(method, params, timeout_s=timeout_s, final=final)

    @contextmanager
    def _diagnosed(self) -> Iterator[None]:
        try:
            yield
        except (GatewayError, TimeoutError) as error:
            error.add_note(self.diagnosis())
            raise

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self) -> GatewayConnection:
        end = time.monotonic() + _START_S
        while time.monotonic() < end:
            if self._process is None or self._process.poll() is not None:
                raise GatewayError(f"the gateway ended while starting\n{self.diagnosis()}")
            try:
                return GatewayConnection(self.host.port)
            except (GatewayError, OSError, WebSocketException, TimeoutError):
                time.sleep(_POLL_S)
        raise GatewayError(f"the gateway was not ready in {_START_S} s\n{self.diagnosis()}")


def _attachment(image: Image) -> Payload:
    return {
        "type": "image",
        "mimeType": image.mime_type,
        "fileName": image.name,
        "content": base64.b64encode(image.data).decode(),
    }


def _reply_text(payload: Payload) -> str:
    parts = (payload.get("result") or {}).get("payloads") or []
    return "\n".join(part["text"] for part in parts if part.get("text"))


def _ends_chat(event: Payload, run_id: str) -> bool:
    payload = event.get("payload") or {}
    return (
        event.get("event") == "chat"
        and payload.get("runId") == run_id
        and payload.get("state") in ("final", "error", "aborted")
    )


def _message_text(message: Payload) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content or [])
