"""A model on loopback that answers by script and keeps every request it gets."""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from tests.e2e.harness.model_reply import Cut, Hang, Refuse, Reply, Usage
from tests.e2e.harness.model_request import WIRES, Request
from tests.e2e.harness.prefix import shared_prefix
from tests.e2e.harness.wire import Answer, dump

Script = Callable[[Request], Reply]


class ScriptedModel:
    """Serves OpenAI chat completions and Anthropic messages; use as a context manager.

    *strict* answers requests that the real provider would refuse with status
    400. Sessions may have scripts of their own.
    """

    def __init__(self, script: Script, *, strict: bool = True) -> None:
        self.strict = strict
        self._default = script
        self._scripts: dict[str, Script] = {}
        self._requests: list[Request] = []
        self._violations: list[str] = []
        self._script_errors: list[str] = []
        self._arrived = threading.Condition()
        self._stopping = threading.Event()
        self._server = _Server(self)

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopping.set()
        self._server.shutdown()
        self._server.hang_up()
        self._server.server_close()

    @property
    def url(self) -> str:
        """Address of the server, without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def set_script(self, session: str, script: Script) -> None:
        """Answer one session (its full key) by a script of its own from now on."""
        self._scripts[session] = script

    @property
    def requests(self) -> tuple[Request, ...]:
        """All requests so far, in order of arrival."""
        with self._arrived:
            return tuple(self._requests)

    def requests_of(self, session: str, *, since: int = 0) -> tuple[Request, ...]:
        """Requests of one session (its full key), from number *since* on."""
        return tuple(r for r in self.requests if r.session == session and r.number >= since)

    def wait_for(self, wanted: Callable[[Request], bool], *, timeout_s: float) -> Request:
        """The first request, past or coming, that is wanted; `TimeoutError` when none comes."""
        end = time.monotonic() + timeout_s
        seen = 0
        with self._arrived:
            while True:
                for request in self._requests[seen:]:
                    if wanted(request):
                        return request
                seen = len(self._requests)
                left = end - time.monotonic()
                if left <= 0 or not self._arrived.wait(left):
                    raise TimeoutError(f"no such request in {timeout_s} s; {seen} others came")

    @property
    def violations(self) -> tuple[str, ...]:
        """What strict checking found so far, each with the number of its request."""
        return tuple(self._violations)

    @property
    def script_errors(self) -> tuple[str, ...]:
        """What scripts raised (the host was answered with status 500) and the server met."""
        return tuple(self._script_errors)

    def receive(self, path: str, raw: bytes) -> Request:
        """Record a request; raises `ValueError` when its body is not JSON."""
        body = json.loads(raw)
        with self._arrived:
            request = Request(len(self._requests), time.monotonic(), path, raw, body)
            self._requests.append(request)
            self._arrived.notify_all()
        return request

    def reply_to(self, request: Request) -> Reply:
        """What the script answers, or a refusal where the provider would refuse."""
        wrong = request.wire.violations(request.body)
        self._violations += [f"request {request.number}: {each}" for each in wrong]
        if wrong and self.strict:
            return Reply(failure=Refuse(400, "; ".join(wrong)))
        script = self._scripts.get(request.session or "", self._default)
        try:
            return script(request)
        except Exception as error:  # noqa: BLE001 -- a broken script must not hang the host
            self.note_error(f"request {request.number}: {error!r}")
            return Reply(failure=Refuse(500, f"script failed: {error!r}"))

    def usage_of(self, request: Request) -> Usage:
        """What a provider with a prefix cache would count."""
        earlier = [r for r in self.requests_of(request.session or "") if r.number < request.number]
        share = shared_prefix(earlier[-1], request).share if earlier else 0.0
        cached = int(request.tokens * share)
        return Usage(sent=request.tokens, cached=cached, written=request.tokens - cached)

    def note_error(self, error: str) -> None:
        """Keep an error for the test that asks for `script_errors`."""
        self._script_errors.append(error)

    def pause(self, seconds: float) -> None:
        """Wait, but not longer than the server lives."""
        self._stopping.wait(seconds)


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    model: ScriptedModel

    def __init__(self, model: ScriptedModel) -> None:
        self.model = model
        self._open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """End connections that clients keep open, so that their threads end too."""
        for each in list(self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep what went wrong, but for a host that hung up: that is part of many tests."""
        error = sys.exception()
        if not isinstance(error, ConnectionError):
            self.model.note_error(f"server: {error!r}")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing: the requests are recorded."""

    def do_GET(self) -> None:
        self._send(404, dump({"error": {"message": f"nothing at {self.path}"}}))

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", "0")))
        path = self.path.partition("?")[0]
        if path not in WIRES:
            self._send(404, dump({"error": {"message": f"nothing at {path}"}}))
            return
        model = self.server.model
        request = model.receive(path, raw)
        reply = model.reply_to(request)
        model.pause(reply.delay_s)
        if reply.failure is None:
            self._answer(request, reply)
        else:
            self._fail(request, reply)

    def _answer(self, request: Request, reply: Reply) -> None:
        answer = self._written(request, reply)
        if request.body.get("stream"):
            self._send_events(request.wire.stream(answer))
        else:
            self._send(200, request.wire.plain(answer))

    def _fail(self, request: Request, reply: Reply) -> None:
        if isinstance(reply.failure, Refuse):
            self._send(reply.failure.status, request.wire.error(reply.failure))
        elif isinstance(reply.failure, Hang):
            self.server.model.pause(reply.failure.seconds)
            self.close_connection = True
        elif isinstance(reply.failure, Cut):
            self._send_events(request.wire.stream(self._written(request, reply))[:1], end=False)

    def _written(self, request: Request, reply: Reply) -> Answer:
        usage = reply.usage or self.server.model.usage_of(request)
        return Answer(request.number, str(request.body.get("model")), reply, usage)

    def _send_events(self, events: list[bytes], *, end: bool = True) -> None:
        """Send a chunked body; without its end the client sees a broken connection."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for each in [*events, *([b""] if end else [])]:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(each), each))
            self.wfile.flush()
        self.close_connection = not end

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
