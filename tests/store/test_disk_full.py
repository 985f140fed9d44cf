"""A full disk: views go on, nothing is promised that is not kept, and room again is enough."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from flowctx.store.verify import integrity_problems, verify_store
from tests.support.host import HostSession, open_context
from tests.support.turns import turns


def run_full(folder: Path, *args: str) -> dict:
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.full_disk", str(folder), *args],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def assert_sound(folder: Path) -> None:
    """What is in the store is whole, and a new process goes on with it."""
    context = open_context(folder)
    assert context.database.status.state == "ok"
    assert context.database.read(integrity_problems) == []
    assert all(not found.wrong for found in context.database.read(lambda c: list(verify_store(c))))
    host = HostSession(context)
    host.assemble(turns(12))
    assert host.answer.reduced == 12
    context.close()


@pytest.mark.skipif(os.name == "nt", reason="limits of a process are POSIX")
def test_a_disk_that_is_full_and_then_has_room_again(tmp_path):
    """While nothing can be written every view is whole; afterwards all is stored."""
    seen = run_full(tmp_path, "limit")
    assert seen["before"] == "ok" and seen["while"] == "read-only" and seen["after"] == "ok"
    assert seen["reason"].startswith("The database cannot be written")
    assert seen["views"] == [len(turns(count)) for count in range(2, 12)]
    assert seen["reduced at last"] == 12
    assert seen["rows"] == len(turns(12)) and seen["new session rows"] == len(turns(3))
    assert_sound(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="limits of a process are POSIX")
def test_a_disk_that_is_full_from_the_start(tmp_path):
    """A store that cannot even begin is stood in for, and taken up by the next start."""
    seen = run_full(tmp_path, "start")
    assert seen["before"] == "unavailable" and seen["views"][-1] == len(turns(11))
    assert seen["why restart"] == "The file of the database can be used again."
    assert_sound(tmp_path)


@pytest.fixture
def tiny_disk(tmp_path):
    """A disk of its own with room for little."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(disk)]
    try:
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("nothing may be mounted here")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_a_disk_that_fills_up_for_real(tiny_disk):
    """On a disk with no room left views stay whole, and room makes the store go on."""
    context = open_context(tiny_disk)
    host = HostSession(context)
    host.assemble(turns(2))
    ballast = os.open(tiny_disk / "ballast", os.O_WRONLY | os.O_CREAT)
    with suppress(OSError):
        while True:
            os.write(ballast, bytes(4096))
    os.close(ballast)
    for count in range(3, 9):
        assert len(host.assemble(turns(count))) == 4 * count
    host.settle()
    assert context.database.status.state == "read-only"
    (tiny_disk / "ballast").unlink()
    for count in (9, 10, 10, 10):
        assert len(host.assemble(turns(count))) == 4 * count
        host.settle()
    assert context.database.status.state == "ok" and host.answer.reduced == 10
    context.close()
