"""Fixtures of the wire: state directories short enough for a socket, and sidecars in them."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.sidecar import SidecarProcess, running

Start = Callable[..., SidecarProcess]


@pytest.fixture
def state_dir() -> Iterator[Path]:
    """A host's state directory; pytest's own folders are too long for a socket's path."""
    with tempfile.TemporaryDirectory(prefix="fx-") as folder:
        yield Path(folder)


@pytest.fixture
def start(state_dir: Path) -> Iterator[Start]:
    """Starts sidecars that the test may end; what is left is ended after it."""
    started: list[SidecarProcess] = []

    def begin(*options: str, folder: Path = state_dir) -> SidecarProcess:
        started.append(SidecarProcess(folder, *options))
        return started[-1]

    yield begin
    for sidecar in started:
        sidecar.close()


@pytest.fixture(scope="module")
def sidecar() -> Iterator[SidecarProcess]:
    """One sidecar for all tests of a file that do not end it."""
    with (
        tempfile.TemporaryDirectory(prefix="fx-") as folder,
        running(Path(folder)) as begun,
    ):
        yield begun
