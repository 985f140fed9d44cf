"""Fixtures of the installer's tests: a private host, and a checkout that is built."""

from collections.abc import Iterator

import pytest

from tests.e2e.harness.host_config import HostOptions
from tests.e2e.harness.host_install import HostPaths, PlatformUnsupportedError, ensure_host
from tests.e2e.harness.private_host import PrivateHost
from tests.install.checkout import Checkout


@pytest.fixture(scope="session")
def host_paths() -> HostPaths:
    """The installed host; brings it on first use."""
    try:
        return ensure_host()
    except PlatformUnsupportedError as error:
        pytest.skip(str(error))


@pytest.fixture
def host(host_paths: HostPaths) -> Iterator[PrivateHost]:
    """A host without flowctx whose gateway does not run."""
    private = PrivateHost(host_paths, "http://127.0.0.1:9", HostOptions())
    yield private
    private.close()


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout with what was built here, in a folder whose name has a space."""
    checkout = Checkout(tmp_path_factory.mktemp("built") / "my flowctx")
    checkout.borrow_build()
    return checkout
