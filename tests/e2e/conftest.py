"""Fixtures of the end-to-end tests: the installed host, gateways, session names."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.e2e.conditions import let_downs, loud_lines
from tests.e2e.harness.host_config import HostOptions
from tests.e2e.harness.host_install import HostPaths, PlatformUnsupportedError, ensure_host
from tests.e2e.harness.install_flowctx import install_flowctx
from tests.e2e.harness.rig import Install, Rig, running_gateway
from tests.e2e.harness.signals import end_cleanly_on_signals
from tests.e2e.note_model import NoteModel, well
from tests.support.distribution import group_of, group_of_rig

OpenRig = Callable[..., Rig]
# Tests that use the first two mostly use both.
_SHARED_RIGS = ("shared_rig", "flow_rig", "rough_rig")


def pytest_configure() -> None:
    end_cleanly_on_signals()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.e2e)
            _check_group(item)


def _check_group(item: pytest.Item) -> None:
    """Two workers would each start a gateway that is meant for the whole run."""
    for rig in set(_SHARED_RIGS) & set(getattr(item, "fixturenames", ())):
        if group_of(item.nodeid) != group_of_rig(rig):
            raise pytest.UsageError(f"{item.nodeid} uses {rig}: say so in support/distribution.py")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report = yield
    if report.failed:
        for value in getattr(item, "funcargs", {}).values():
            if isinstance(value, Rig):
                report.sections.append(("gateway", value.gateway.diagnosis()))
    return report


@pytest.fixture(scope="session")
def host() -> HostPaths:
    """The installed host; brings it on first use."""
    try:
        return ensure_host()
    except PlatformUnsupportedError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def open_rig(host: HostPaths) -> Iterator[OpenRig]:
    """Brings up gateways that live until the module ends."""
    with _opening(host) as opened:
        yield opened


@pytest.fixture
def brief_rig(host: HostPaths) -> Iterator[OpenRig]:
    """Brings up gateways that live until the test ends: a gateway takes a gigabyte."""
    with _opening(host) as opened:
        yield opened


@contextmanager
def _opening(host: HostPaths) -> Iterator[OpenRig]:
    with ExitStack() as stack:

        def opened(options: HostOptions, install: Install | None = None) -> Rig:
            return stack.enter_context(running_gateway(host, options, install=install))

        yield opened


@pytest.fixture(scope="session")
def shared_rig(host: HostPaths) -> Iterator[Rig]:
    """One gateway without flowctx for all tests; its second agent has an Anthropic model."""
    with running_gateway(host, HostOptions(second_agent="anthropic")) as rig:
        yield rig


@pytest.fixture(scope="session")
def flow_rig(host: HostPaths) -> Iterator[Rig]:
    """One gateway with flowctx on for all tests; its second agent has an Anthropic model.

    Without cards: what one test does would be news to the sessions of the next.
    """
    options = HostOptions(second_agent="anthropic", max_output=4096)
    install = install_flowctx(settings={"sliding": {"enabled": False}})
    with running_gateway(host, options, install=install) as rig:
        yield rig


@pytest.fixture(scope="session")
def rough_rig(host: HostPaths) -> Iterator[Rig]:
    """One gateway with flowctx as it is by default, for all tests that kill, restart or load it."""
    with running_gateway(host, HostOptions(), install=install_flowctx()) as rig:
        yield rig


@pytest.fixture
def flow(flow_rig: Rig) -> Iterator[Rig]:
    """The shared gateway with flowctx; whatever a test does, the host has no complaint."""
    mark = flow_rig.gateway.log.mark()
    yield flow_rig
    assert flow_rig.model.violations == ()
    assert flow_rig.model.script_errors == ()
    assert let_downs(flow_rig, mark) == []
    assert loud_lines(flow_rig, mark) == []


@pytest.fixture
def rig(shared_rig: Rig) -> Iterator[Rig]:
    """The shared gateway; a refused request or a broken script fails the test."""
    yield shared_rig
    assert shared_rig.model.violations == ()
    assert shared_rig.model.script_errors == ()


@pytest.fixture
def session(request: pytest.FixtureRequest) -> str:
    """A session name of the test's own, in the form that a key keeps (HOST A5)."""
    return re.sub(r"[^a-z0-9]+", "-", request.node.name.lower()).strip("-")


@pytest.fixture(scope="module")
def model() -> NoteModel:
    """The script of a module's gateway whose model writes notes."""
    return NoteModel()


@pytest.fixture(scope="module")
def module_note_rig(
    request: pytest.FixtureRequest, host: HostPaths, model: NoteModel
) -> Iterator[Rig]:
    """A gateway with the WINDOW and the DEBUG_PROFILE of the module."""
    options = HostOptions(context_window=request.module.WINDOW)
    install = install_flowctx(settings=request.module.DEBUG_PROFILE)
    with running_gateway(host, options, install=install, script=model) as rig:
        yield rig


@pytest.fixture
def note_rig(module_note_rig: Rig, model: NoteModel) -> Iterator[Rig]:
    """The gateway, with a model that writes good notes; the host has no complaint afterwards."""
    model.write = well
    model.asked.clear()
    mark = module_note_rig.gateway.log.mark()
    yield module_note_rig
    assert let_downs(module_note_rig, mark) == []
    assert loud_lines(module_note_rig, mark) == []
    assert module_note_rig.model.script_errors == ()
