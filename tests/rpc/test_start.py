"""From the first line to the last: who serves a state directory, and when it leaves."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from flowctx import __version__
from flowctx.paths import StatePaths
from flowctx.rpc.auth import TOKEN_KEY
from flowctx.rpc.endpoint import Endpoint, RunLock, prepare_folders, write_endpoint
from flowctx.v1 import flowctx_pb2 as pb
from tests.rpc.conftest import Start
from tests.support.sidecar import PATIENCE_S, stored_rows
from tests.support.turns import turns
from tests.support.wire import WireSession

KEY = "agent:main:main"


def test_the_first_is_ready_and_the_second_says_where_it_runs(start: Start) -> None:
    """The second process of a state directory names the first and ends without error."""
    first = start()
    assert first.word == "READY"
    assert first.endpoint["version"] == __version__
    assert first.endpoint == json.loads(first.paths.endpoint.read_text())
    second = start()
    assert (second.word, second.endpoint) == ("RUNNING", first.endpoint)
    assert second.process.wait(PATIENCE_S) == 0


def test_of_many_at_once_one_serves_and_all_others_name_it(start: Start) -> None:
    """Processes that start together agree on one, even while that one is still starting."""
    with ThreadPoolExecutor(4) as threads:
        begun = list(threads.map(lambda _: start(), range(4)))
    words = sorted(each.word for each in begun)
    assert words == ["READY", "RUNNING", "RUNNING", "RUNNING"]
    assert len({each.endpoint["instance"] for each in begun}) == 1


def test_one_that_is_still_starting_is_waited_for(start: Start, state_dir: Path) -> None:
    """Who finds the lock taken names whoever holds it, never a dead one or nobody at all."""
    paths = StatePaths(state_dir)
    prepare_folders(paths)
    lock = RunLock(paths.lock)
    lock.acquire()
    with ThreadPoolExecutor(1) as threads:
        second = threads.submit(start)
        while not paths.log.exists():
            threading.Event().wait(0.02)
        threading.Event().wait(0.3)
        holder = Endpoint("unix:/holder", os.getpid(), __version__, "holder")
        write_endpoint(paths, holder)
        assert (second.result().word, second.result().endpoint["instance"]) == ("RUNNING", "holder")
    lock.release()


def test_one_that_ends_while_starting_is_replaced_by_who_waited(
    start: Start, state_dir: Path
) -> None:
    """A lock that comes free without an announcement is taken by the one that waits for it."""
    paths = StatePaths(state_dir)
    prepare_folders(paths)
    lock = RunLock(paths.lock)
    lock.acquire()
    with ThreadPoolExecutor(1) as threads:
        second = threads.submit(start)
        while not paths.log.exists():
            threading.Event().wait(0.02)
        threading.Event().wait(0.3)
        lock.release()
        assert second.result().word == "READY"


def test_one_that_is_killed_while_starting_is_replaced_by_who_waited(
    start: Start, state_dir: Path
) -> None:
    """A holder that gets no chance to say anything leaves its lock to the one that waits."""
    paths = StatePaths(state_dir)
    prepare_folders(paths)
    code = (
        "import sys, time; from pathlib import Path; from flowctx.rpc.endpoint import RunLock\n"
        "lock = RunLock(Path(sys.argv[1])); lock.acquire(); print('held', flush=True)\n"
        "time.sleep(600)"
    )
    command = [sys.executable, "-c", code, str(paths.lock)]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder,
        ThreadPoolExecutor(1) as threads,
    ):
        assert holder.stdout and holder.stdout.readline() == "held\n"
        second = threads.submit(start)
        while not paths.log.exists():
            threading.Event().wait(0.02)
        threading.Event().wait(0.3)
        holder.kill()
        assert second.result().word == "READY"


def test_what_a_killed_one_announced_is_taken_back(start: Start, state_dir: Path) -> None:
    """A new sidecar takes back what a dead one announced before it announces itself."""
    paths = StatePaths(state_dir)
    prepare_folders(paths)
    write_endpoint(paths, Endpoint("127.0.0.1:9", 2**22, "0.0.0", "dead"))
    seen = []
    with ThreadPoolExecutor(1) as threads:
        begun = threads.submit(start)
        while not begun.done():
            seen.append(paths.endpoint.read_bytes() if paths.endpoint.exists() else b"")
            threading.Event().wait(0.005)
    assert begun.result().word == "READY"
    assert b"" in seen


def test_folder_socket_and_token_are_the_owners_alone(start: Start) -> None:
    """Nobody else may read what is stored, or call."""
    paths = start().paths
    modes = {
        path: stat.S_IMODE(path.stat().st_mode)
        for path in (paths.home, paths.run, paths.socket, paths.token, paths.endpoint, paths.log)
    }
    assert modes == {path: 0o700 if path.is_dir() else 0o600 for path in modes}
    assert stat.S_IMODE(paths.database.stat().st_mode) == 0o600


def test_a_socket_path_that_is_too_long_gives_way_to_loopback(start: Start, tmp_path) -> None:
    """The service is reached at a port of 127.0.0.1 then, with the same token."""
    long = tmp_path / ("d" * 120)
    long.mkdir()
    sidecar = start(folder=long)
    assert sidecar.word == "READY"
    assert sidecar.endpoint["address"].startswith("127.0.0.1:")
    assert len(WireSession(sidecar.stub).assemble(turns(2))) == 8
    assert not sidecar.paths.socket.exists()


def test_asked_to_leave_it_writes_all_and_takes_its_traces_away(start: Start) -> None:
    """What was answered before SIGTERM is there after it; socket and endpoint are gone."""
    sidecar = start()
    host = WireSession(sidecar.stub)
    host.assemble(turns(3))
    host.commit("turn 4", turns(1, start=3))
    assert sidecar.terminate() == 0
    paths = sidecar.paths
    assert not paths.socket.exists() and not paths.endpoint.exists()
    assert not paths.database.with_name("flowctx.sqlite-wal").exists()
    assert len(stored_rows(paths, KEY)) == 16


def test_drained_it_leaves_and_the_next_takes_over(start: Start) -> None:
    """Drain is answered before the process ends; the lock is free at once."""
    first = start()
    told = first.stub.Drain(pb.DrainRequest(), timeout=PATIENCE_S)
    assert told.pid == first.process.pid
    assert first.process.wait(PATIENCE_S) == 0
    assert start().word == "READY"


def test_left_alone_it_leaves_but_not_while_a_gateway_is_attached(start: Start) -> None:
    """Idle time counts from the last call, and an open stream is no idle time."""
    alone = start("--idle-exit", "1")
    assert alone.process.wait(PATIENCE_S) == 0
    attached = start("--idle-exit", "1")
    stream = attached.stub.Attach(_silence(), timeout=PATIENCE_S)
    with pytest.raises(subprocess.TimeoutExpired):
        attached.process.wait(2.5)
    stream.cancel()
    assert attached.process.wait(PATIENCE_S) == 0


def _silence():
    threading.Event().wait(PATIENCE_S)
    yield pb.ShimFrame()


def test_two_state_directories_are_served_side_by_side(start: Start, state_dir: Path) -> None:
    """Each has its own process, token and store."""
    one, other = start(folder=state_dir / "a"), start(folder=state_dir / "b")
    assert one.word == other.word == "READY"
    assert one.token != other.token
    WireSession(one.stub).assemble(turns(2))
    WireSession(other.stub).assemble(turns(5))
    counts = [json.loads(each.stub.Stats(pb.StatsRequest()).json) for each in (one, other)]
    assert counts[0] != counts[1]
    assert one.terminate() == 0
    assert len(WireSession(other.stub).assemble(turns(5))) == 20


def test_a_state_directory_that_cannot_be_used_is_an_error_in_one_line(state_dir: Path) -> None:
    """A file in the folder's place: exit code 1, one line on stderr, no traceback."""
    (state_dir / "flowctx").write_text("in the way")
    done = subprocess.run(
        [sys.executable, "-m", "flowctx", "serve", "--state-dir", str(state_dir)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 1 and done.stdout == ""
    assert len(done.stderr.splitlines()) == 1 and "Traceback" not in done.stderr


def test_health_is_serving(start: Start) -> None:
    """The standard health service answers, with the token."""
    sidecar = start()
    with sidecar.bare_channel() as channel:
        health = health_pb2_grpc.HealthStub(channel)
        answer = health.Check(
            health_pb2.HealthCheckRequest(service="flowctx.v1.Flowctx"),
            metadata=((TOKEN_KEY, sidecar.token),),
            timeout=PATIENCE_S,
        )
    assert answer.status == health_pb2.HealthCheckResponse.SERVING
