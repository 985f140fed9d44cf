"""A sidecar as a process of its own, and what a test asks of it over the wire."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import psutil

from flowctx.paths import StatePaths
from flowctx.rpc.auth import TOKEN_KEY
from flowctx.rpc.server import CHANNEL_OPTIONS
from flowctx.store.reader import StoreReader
from flowctx.store.verify import integrity_problems, verify_store
from flowctx.v1 import flowctx_pb2 as pb
from flowctx.v1.flowctx_pb2_grpc import FlowctxStub

# How long anything may take before a test gives up on it, on a machine under load.
PATIENCE_S = 60.0


class SidecarProcess:
    """A `flowctx serve` that has said its line."""

    def __init__(self, state_dir: Path, *options: str) -> None:
        self.paths = StatePaths(state_dir)
        command = [sys.executable, "-m", "flowctx", "serve", "--state-dir", str(state_dir)]
        self.process = subprocess.Popen(
            [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout and self.process.stderr
        line = self.process.stdout.readline()
        self.word, _, told = line.strip().partition(" ")
        self.endpoint: dict[str, Any] = json.loads(told or "{}")

    @property
    def stub(self) -> FlowctxStub:
        """Calls with this state directory's token, on a connection of their own."""
        # A pool of its own: in the common one a later sidecar at the same address would
        # be taken for the one that just left, until the pause after a failure is over.
        options = (*CHANNEL_OPTIONS, ("grpc.use_local_subchannel_pool", 1))
        channel = grpc.insecure_channel(self.endpoint["address"], options)
        return FlowctxStub(grpc.intercept_channel(channel, _Token(self.token)))

    @property
    def token(self) -> str:
        return self.paths.token.read_text()

    def bare_channel(self) -> grpc.Channel:
        """A connection that carries no token by itself."""
        return grpc.insecure_channel(self.endpoint["address"], CHANNEL_OPTIONS)

    def load(self) -> tuple[int, int]:
        """Threads and open files of the process."""
        process = psutil.Process(self.process.pid)
        return process.num_threads(), process.num_fds()

    def kill(self) -> None:
        """End it as a crash would."""
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def terminate(self) -> int:
        """Ask it to leave; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_S)

    def close(self) -> None:
        """Nothing of it is left behind."""
        if self.process.poll() is None:
            self.kill()
        for stream in (self.process.stdout, self.process.stderr):
            if stream:
                stream.close()


def connected(paths: StatePaths) -> FlowctxStub:
    """Calls to the sidecar that serves a state directory, whoever started it."""
    address = json.loads(paths.endpoint.read_text())["address"]
    channel = grpc.insecure_channel(address, CHANNEL_OPTIONS)
    return FlowctxStub(grpc.intercept_channel(channel, _Token(paths.token.read_text())))


@contextmanager
def attached(paths: StatePaths) -> Iterator[None]:
    """A gateway's stream to the sidecar of a state directory, open meanwhile."""
    frames: queue.SimpleQueue[pb.ShimFrame | None] = queue.SimpleQueue()
    frames.put(pb.ShimFrame(ping=pb.Ping(seq=1)))
    answers = connected(paths).Attach(iter(frames.get, None))
    assert next(frame for frame in answers if frame.HasField("pong"))
    try:
        yield
    finally:
        frames.put(None)
        list(answers)


@contextmanager
def running(state_dir: Path, *options: str) -> Iterator[SidecarProcess]:
    """A sidecar, ended however the test ends."""
    sidecar = SidecarProcess(state_dir, *options)
    try:
        yield sidecar
    finally:
        sidecar.close()


def damage_of(paths: StatePaths) -> list[str]:
    """All that proves a store unsound: SQLite's own check and every hash."""
    reader = StoreReader(paths.database)
    found = reader.read(integrity_problems)
    for verified in reader.read(lambda connection: list(verify_store(connection))):
        found += verified.wrong
    return found


def stored_rows(paths: StatePaths, session_key: str) -> list[bytes]:
    """Digests of all messages of a session's running epoch, in the host's order."""
    query = (
        "SELECT m.digest FROM messages m JOIN sessions s ON s.id = m.session_id"
        " WHERE s.key = ? AND s.ended_ms IS NULL ORDER BY m.position, m.id"
    )
    rows = StoreReader(paths.database).read(lambda c: c.execute(query, (session_key,)).fetchall())
    return [digest for (digest,) in rows]


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class _Token(
    grpc.UnaryUnaryClientInterceptor,  # type: ignore[misc]
    grpc.StreamStreamClientInterceptor,  # type: ignore[misc]
):
    def __init__(self, token: str) -> None:
        self._token = token

    def _with_token(self, details: Any) -> Any:
        return details._replace(metadata=[*(details.metadata or ()), (TOKEN_KEY, self._token)])

    def intercept_unary_unary(self, continuation, details, request):
        return continuation(self._with_token(details), request)

    def intercept_stream_stream(self, continuation, details, requests):
        return continuation(self._with_token(details), requests)
