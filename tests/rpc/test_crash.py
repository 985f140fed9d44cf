"""Crashes and damage under load: nothing answered is lost, nothing is there twice."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest

from flowctx.message import parse_message
from flowctx.v1 import flowctx_pb2 as pb
from tests.rpc.conftest import Start
from tests.support.sidecar import PATIENCE_S, SidecarProcess, damage_of, stored_rows
from tests.support.transcripts import dump
from tests.support.turns import turns
from tests.support.wire import WireSession

KEYS = ["agent:main:main", "agent:main:chat:direct:ann", "agent:other:main"]
HISTORY = turns(30)


class Load:
    """Sessions that go on, turn after turn, until the sidecar is gone."""

    def __init__(self, sidecar: SidecarProcess, start: int) -> None:
        self.start = start
        self.done = dict.fromkeys(KEYS, start)
        self._steps = threading.Semaphore(0)
        self._threads = [
            threading.Thread(target=self._drive, args=(WireSession(sidecar.stub, key),))
            for key in KEYS
        ]
        for thread in self._threads:
            thread.start()

    def wait_for(self, steps: int) -> None:
        for _ in range(steps):
            assert self._steps.acquire(timeout=PATIENCE_S)

    def join(self) -> None:
        for thread in self._threads:
            thread.join(PATIENCE_S)
            assert not thread.is_alive()

    def _drive(self, host: WireSession) -> None:
        key = host.ref.key
        try:
            for turn in range(self.start, 30):
                host.assemble(HISTORY[: turn * 4 + 1])
                self._steps.release()
                host.commit(f"{key} {turn}", HISTORY[turn * 4 : turn * 4 + 4])
                self.done[key] = turn + 1
                self._steps.release()
        except grpc.RpcError:
            pass


def digests(count: int) -> list[bytes]:
    return [parse_message(dump(body)).message.digest for body in HISTORY[:count]]


@pytest.mark.parametrize("seed", range(3))
def test_killed_under_load_nothing_committed_is_lost(start: Start, seed: int) -> None:
    """After a kill the store is sound and holds every turn that was answered, once."""
    chance = random.Random(seed)
    sidecar = start()
    load = Load(sidecar, start=1)
    load.wait_for(chance.randint(3, 40))
    sidecar.kill()
    load.join()
    assert damage_of(sidecar.paths) == []
    for key, turns_done in load.done.items():
        stored = stored_rows(sidecar.paths, key)
        assert len(stored) == len(set(stored))
        assert set(digests(turns_done * 4)[4:]) <= set(stored)
    again = start()
    for key, turns_done in load.done.items():
        count = min(turns_done * 4 + 5, len(HISTORY))
        host = WireSession(again.stub, key)
        view = host.settled(HISTORY[:count])
        assert len(view) == count and view[-1] == HISTORY[count - 1]
        assert host.assemble(HISTORY[:count]) == view
    assert again.terminate() == 0
    for key, turns_done in load.done.items():
        assert stored_rows(again.paths, key) == digests(min(turns_done * 4 + 5, len(HISTORY)))


def _overwrite(database: Path) -> None:
    for path in (database, database.with_name(f"{database.name}-wal")):
        with path.open("r+b") as file:
            file.write(b"\xde\xad\xbe\xef" * (path.stat().st_size // 4))


@pytest.mark.parametrize("harm", [_overwrite, Path.unlink])
def test_a_store_harmed_while_in_use_is_left_and_begun_anew(
    start: Start, harm: Callable[[Path], Any]
) -> None:
    """The sidecar leaves, the next one keeps what is left under another name, and views go on."""
    sidecar = start()
    host = WireSession(sidecar.stub)
    host.assemble(HISTORY[:37])
    harm(sidecar.paths.database)
    for count in range(41, 80, 4):
        try:
            assert len(host.assemble(HISTORY[:count])) == count
            host.commit(f"turn {count}", HISTORY[count - 1 : count + 3])
            sidecar.stub.Explain(pb.ExplainRequest(session_key=host.ref.key), timeout=PATIENCE_S)
        except grpc.RpcError:
            break
    assert sidecar.process.wait(PATIENCE_S) == 0
    again = start()
    assert again.word == "READY"
    fresh = WireSession(again.stub)
    assert len(fresh.assemble(HISTORY[:81])) == 81
    assert again.terminate() == 0
    assert damage_of(again.paths) == []
    aside = list(again.paths.home.glob("*damaged*"))
    assert bool(aside) == (harm is _overwrite), sorted(p.name for p in again.paths.home.iterdir())
