"""Fixtures for all Python tests, and the folder of recorded data some of them read."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.support.distribution import GroupScheduling

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("FLOWCTX_SHARED", ROOT.parent / "shared"))

# `make quick` tries fewer examples of a property than `make test` does, always the same ones.
settings.register_profile(
    "flowctx",
    max_examples=int(os.environ.get("FLOWCTX_EXAMPLES", "100")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
)
settings.load_profile("flowctx")


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    return GroupScheduling(config, log) if config.getoption("dist") == "loadgroup" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if SHARED.is_dir():
        return
    skip = pytest.mark.skip(reason=f"no recorded data at {SHARED} (set FLOWCTX_SHARED)")
    for item in items:
        if "shared" in item.keywords:
            item.add_marker(skip)


@pytest.fixture(autouse=True)
def _any_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are as long as they are, whatever terminal the tests are run from."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of recorded tool outputs, cases and transcripts."""
    return SHARED
