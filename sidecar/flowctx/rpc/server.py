"""Serving: one sidecar per state directory, from READY to the last call."""

import asyncio
import logging
import os
import secrets
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1._async import HealthServicer

from flowctx import __version__
from flowctx.errors import StoreError
from flowctx.paths import StatePaths
from flowctx.rpc.auth import TokenInterceptor
from flowctx.rpc.endpoint import (
    SOCKET_PATH_MAX,
    Endpoint,
    RunLock,
    ensure_token,
    prepare_folders,
    withdraw_endpoint,
    write_endpoint,
)
from flowctx.rpc.servicer import Servicer
from flowctx.service.context import Context
from flowctx.service.hello import restore_settings
from flowctx.store.database import Database
from flowctx.v1.flowctx_pb2_grpc import add_FlowctxServicer_to_server

# A session of 10,000 messages handed over whole exceeds gRPC's 4 MB by far.
MESSAGE_MAX_BYTES = 64 * 1024 * 1024
IDLE_EXIT_SECONDS = 900
# What calls under way get to finish when the sidecar stops.
GRACE_SECONDS = 2.0
_CHECK_SECONDS = 1.0
_SERVICE = "flowctx.v1.Flowctx"

CHANNEL_OPTIONS = (
    ("grpc.max_receive_message_length", MESSAGE_MAX_BYTES),
    ("grpc.max_send_message_length", MESSAGE_MAX_BYTES),
)

log = logging.getLogger("flowctx.server")

Announce = Callable[[Endpoint], None]


class ActivityInterceptor(grpc.aio.ServerInterceptor):
    """Notes when the last call came, so that an idle sidecar can leave."""

    def __init__(self) -> None:
        self.last = time.monotonic()

    async def intercept_service(self, continuation, handler_call_details):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        """Let every call through."""
        self.last = time.monotonic()
        return await continuation(handler_call_details)


class Sidecar:
    """One run of the service."""

    def __init__(self, paths: StatePaths, idle_exit_seconds: float) -> None:
        self._paths = paths
        self._idle_exit_seconds = idle_exit_seconds
        self._lock = RunLock(paths.lock)
        self._instance = secrets.token_hex(8)
        self._stop = asyncio.Event()
        self._activity = ActivityInterceptor()
        self._health: Any = None

    async def run(self, announce: Announce) -> None:
        """Serve until told to stop, drained, idle, or the store has to be set aside.

        Args:
            announce: called with the address once calls are answered.

        Raises:
            AlreadyRunningError: another sidecar serves this state directory.
            OSError: the state directory cannot be written.
        """
        prepare_folders(self._paths)
        self._lock.acquire()
        # What a sidecar that was killed has left leads nowhere.
        self._paths.endpoint.unlink(missing_ok=True)
        try:
            await self._serve(announce)
        finally:
            withdraw_endpoint(self._paths, self._instance)
            self._lock.release()

    async def _serve(self, announce: Announce) -> None:
        context = Context(self._paths.home, Database(self._paths.database))
        self._restore(context)
        servicer = Servicer(context, self._instance, self._stop.set)
        context.notify = servicer.attachments.notify
        context.wake = servicer.attachments.jobs.wake
        server = self._build(servicer)
        endpoint = await self._bind(server)
        write_endpoint(self._paths, endpoint)
        self._watch_signals()
        log.info("ready at %s, store %s", endpoint.address, context.database.status)
        announce(endpoint)
        await self._wait(context, servicer)
        servicer.attachments.jobs.stop()
        servicer.attachments.end_all()
        await server.stop(GRACE_SECONDS)
        servicer.close()
        context.close()
        if self._lock.is_ours():
            self._paths.socket.unlink(missing_ok=True)
        log.info("stopped")

    def _build(self, servicer: Servicer) -> grpc.aio.Server:
        interceptors = (TokenInterceptor(ensure_token(self._paths)), self._activity)
        server = grpc.aio.server(interceptors=interceptors, options=CHANNEL_OPTIONS)
        add_FlowctxServicer_to_server(servicer, server)
        self._health = HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        return server

    async def _bind(self, server: grpc.aio.Server) -> Endpoint:
        address = _bind_unix(server, self._paths.socket) or _bind_loopback(server)
        await server.start()
        await self._health.set(_SERVICE, health_pb2.HealthCheckResponse.SERVING)
        if address.startswith("unix:"):
            self._paths.socket.chmod(0o600)
        return Endpoint(address, os.getpid(), __version__, self._instance)

    def _restore(self, context: Context) -> None:
        with suppress(StoreError):
            restore_settings(context)
        if aside := context.database.set_aside_as:
            log.error("the database was damaged and is now %s; a new one was begun", aside)

    def _watch_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            with suppress(NotImplementedError):
                loop.add_signal_handler(number, self._stop.set)

    async def _wait(self, context: Context, servicer: Servicer) -> None:
        told = context.database.status.state
        while not self._stop.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), _CHECK_SECONDS)
            if (status := context.database.status).state != told:
                told = status.state
                context.notify("trouble", f"store {told}: {status.reason}".rstrip(": "))
            if servicer.attachments:
                self._activity.last = time.monotonic()
            if time.monotonic() - self._activity.last > self._idle_exit_seconds:
                log.info("idle, leaving")
                return
            if not self._lock.is_ours():
                log.error("the state directory was removed or replaced, leaving")
                return
            if reason := context.database.why_restart:
                log.error("leaving: %s", reason)
                return


def _bind_unix(server: grpc.aio.Server, socket: Path) -> str:
    """Bind the socket and return its address; empty where unix sockets do not work."""
    if os.name == "nt" or len(os.fsencode(socket)) > SOCKET_PATH_MAX:
        return ""
    socket.unlink(missing_ok=True)
    address = f"unix:{socket}"
    with suppress(RuntimeError):
        server.add_insecure_port(address)
        return address
    return ""


def _bind_loopback(server: grpc.aio.Server) -> str:
    port = server.add_insecure_port("127.0.0.1:0")
    return f"127.0.0.1:{port}"
