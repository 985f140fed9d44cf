"""Bringing the host: once, atomically, and with a clear word when it cannot be had."""

import threading
from pathlib import Path

import pytest

from tests.e2e.harness.host_install import VERSION, HostUnavailableError, ensure_host, node_package

# Stands for npm: notes that it ran, takes a while, and leaves what an install leaves.
_NPM = """#!/bin/sh
echo run >> "{runs}"
sleep 1
mkdir -p node_modules/openclaw node_modules/{package}/bin
touch node_modules/openclaw/openclaw.mjs node_modules/{package}/bin/node
exit {code}
"""


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with a line for each time npm ran; nothing else is on PATH."""
    monkeypatch.delenv("FLOWCTX_HOST_DIR", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return tmp_path / "runs"


def put_npm(runs: Path, *, code: int = 0) -> None:
    npm = runs.parent / "bin" / "npm"
    npm.parent.mkdir()
    npm.write_text(_NPM.format(runs=runs, package=node_package(), code=code))
    npm.chmod(0o755)


def test_two_at_once_install_once(tmp_path: Path, runs: Path) -> None:
    """The second of two runs waits for the first and takes what it installed."""
    put_npm(runs)
    threads = [threading.Thread(target=ensure_host, args=(tmp_path / "c",)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert ensure_host(tmp_path / "c").node.is_file()
    assert runs.read_text() == "run\n"


def test_failed_install_leaves_nothing_that_looks_whole(tmp_path: Path, runs: Path) -> None:
    """After npm failed the folder is not there, and the next run tries again."""
    put_npm(runs, code=3)
    for _ in range(2):
        with pytest.raises(HostUnavailableError, match="exit code 3"):
            ensure_host(tmp_path / "c")

    assert [each.name for each in (tmp_path / "c").iterdir()] == [f"openclaw-{VERSION}.lock"]
    assert runs.read_text() == "run\nrun\n"


def test_missing_npm_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without npm the message says what to install."""
    monkeypatch.delenv("FLOWCTX_HOST_DIR", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(HostUnavailableError, match="npm is not on PATH"):
        ensure_host(tmp_path / "c")


def test_given_folder_must_hold_the_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder given by hand is used as it is, and what it lacks is named."""
    monkeypatch.setenv("FLOWCTX_HOST_DIR", str(tmp_path / "nowhere"))

    with pytest.raises(HostUnavailableError, match="bin/node is missing"):
        ensure_host(tmp_path / "c")
