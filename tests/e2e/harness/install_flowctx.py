"""Putting flowctx into a private host."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.e2e.harness.host_install import ROOT
from tests.e2e.harness.private_host import PrivateHost

PLUGIN = ROOT / "plugin-shim"


def install_flowctx(
    plugin: Path = PLUGIN, settings: Mapping[str, Any] | None = None
) -> Callable[[PrivateHost], None]:
    """What installs flowctx from a built plugin folder, with settings of its own."""

    def install(host: PrivateHost) -> None:
        host.install_plugin(plugin, settings)

    return install
