"""Putting flowctx into a private host."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.e2e.harness.host_config import HostOptions
from tests.e2e.harness.host_install import ROOT, HostPaths
from tests.e2e.harness.private_host import PrivateHost

PLUGIN = ROOT / "plugin-shim"
# What the host's command writes into the configuration; the rest is each host's own.
_WRITTEN = ("plugins", "meta")
_NO_MODEL = "http://127.0.0.1:9"


@dataclass(frozen=True, slots=True)
class Installation:
    """What the host's own command for installing leaves in a host.

    *files* are those of the state directory by their path in it, with the
    record of the installation; they name no folder that has to be there.
    """

    plugin_id: str
    files: Mapping[Path, bytes]
    config: Mapping[str, Any]

    def put_into(self, host: PrivateHost, settings: Mapping[str, Any] | None) -> None:
        """Give it to a host that has not run yet, with settings for the plugin."""
        for name, data in self.files.items():
            file = host.folders.state / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
            file.chmod(0o600)
        host.edit_config(self.config)
        if settings:
            host.set_plugin(self.plugin_id, settings)


@cache
def installation(paths: HostPaths, plugin: Path) -> Installation:
    """Install a built plugin folder once, by the host's own command in a host of its own."""
    host = PrivateHost(paths, _NO_MODEL, HostOptions())
    try:
        plugin_id = host.install_plugin(plugin)
        state = host.folders.state
        files = {
            file.relative_to(state): file.read_bytes()
            for file in state.rglob("*")
            if file.is_file()
        }
        config = host.read_config()
        return Installation(plugin_id, files, {key: config[key] for key in _WRITTEN})
    finally:
        host.close()


def install_flowctx(
    plugin: Path = PLUGIN, settings: Mapping[str, Any] | None = None
) -> Callable[[PrivateHost], None]:
    """What puts flowctx into a host from a built plugin folder, with settings of its own."""

    def install(host: PrivateHost) -> None:
        installation(host.paths, plugin).put_into(host, settings)

    return install
