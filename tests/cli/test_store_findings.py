"""What is wrong with the store is told by the commands that look at it, and left as it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from flowctx.paths import StatePaths
from flowctx.store.database import Database
from tests.support.sidecar import SidecarProcess
from tests.support.state import damage, fill, run


def document(state: Path, *arguments: str) -> dict:
    return json.loads(run(state, *arguments, "--json").stdout)


def test_a_store_set_aside_is_told_as_long_as_it_lies_there(tmp_path):
    """Status, doctor and stats name the file and what to do, whichever process set it aside."""
    paths = fill(tmp_path)
    assert document(tmp_path, "status")["store"]["set_aside"] == []
    damage(paths)
    Database(paths.database).close()
    (aside,) = paths.home.glob("*.damaged-????????-??????")

    status = document(tmp_path, "status")
    assert status["store"]["set_aside"] == [str(aside)]
    text = run(tmp_path, "status").stdout
    assert aside.name in text and "move or delete it" in " ".join(text.split())
    doctor = run(tmp_path, "doctor")
    assert doctor.exit_code == 1
    assert any("WRONG" in line and aside.name in line for line in doctor.stdout.splitlines())
    assert document(tmp_path, "stats")["store"]["set_aside_as"] == str(aside)

    for part in paths.home.glob("*.damaged-*"):
        part.unlink()
    assert document(tmp_path, "status")["store"]["set_aside"] == []
    assert "set aside" not in run(tmp_path, "doctor").stdout


@pytest.fixture
def open_state() -> Iterator[Path]:
    """A state directory that anybody may look into."""
    if os.name == "nt" or os.getuid() != 0:
        pytest.skip("only root can become somebody who may not write")
    with TemporaryDirectory(prefix="fx-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def run_as_nobody(state: Path, *arguments: str) -> tuple[int, dict]:
    command = [sys.executable, "-m", "tests.support.cli_as_nobody"]
    done = subprocess.run(
        [*command, *arguments, "--json", "--state-dir", str(state)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout, done.stderr[-2000:]
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize("what", ["file", "folder and file"])
def test_a_store_that_may_not_be_written_is_told(open_state, what):
    """Status and doctor name the file or the folder and what to look at."""
    paths = fill(open_state)
    for file in paths.home.iterdir():
        file.chmod(0o644)
    paths.home.chmod(0o777 if what == "file" else 0o755)
    code, status = run_as_nobody(open_state, "status")
    assert code == 1 and status["store"]["state"] == "read-only"
    assert str(paths.database) in status["store"]["reason"] or what != "file"
    assert any(reason.startswith("The store is read-only:") for reason in status["why_not"])
    code, doctor = run_as_nobody(open_state, "doctor")
    (check,) = [check for check in doctor["checks"] if check["name"] == "store"]
    assert code == 1 and not check["is_ok"] and "read-only" in check["detail"]


def test_what_the_sidecar_says_of_its_store_counts(tmp_path):
    """A store that only the sidecar cannot use is told although the file looks sound from here."""
    with TemporaryDirectory(prefix="fx-") as name:
        state = Path(name)
        paths = StatePaths(state)
        paths.database.mkdir(parents=True)
        sidecar = SidecarProcess(state)
        try:
            paths.database.rmdir()
            Database(paths.database).close()
            status = document(state, "status")
            assert status["store"]["state"] == "unavailable"
            doctor = document(state, "doctor")
            assert any(
                check["name"] == "store" and "unavailable" in check["detail"]
                for check in doctor["checks"]
            )
        finally:
            sidecar.close()
