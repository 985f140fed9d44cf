"""One private installation of the host: folders, environment, configuration, command line."""

from __future__ import annotations

import json
import os
import shutil
import socket
import tempfile
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil

from tests.e2e.harness import gateway_process as processes
from tests.e2e.harness.host_config import GatewayFolders, HostOptions, merged, render_config
from tests.e2e.harness.host_install import HostPaths

_CLI_S = 120.0
# What is ending may still have started something.
_SWEEPS = 5
# Settings of the user's own host, or of what runs this one, must not reach the private one.
_FOREIGN = ("OPENCLAW_", "FLOWCTX_", "NODE_OPTIONS", "PYTHONPATH")


class CommandFailedError(Exception):
    """A command of the host's command line ended with an error; the message holds its output."""


class PrivateHost:
    """A host that shares nothing with the user's: not its state, its home or its port."""

    def __init__(self, paths: HostPaths, model_url: str, options: HostOptions) -> None:
        self.paths = paths
        self.options = options
        self.folders = GatewayFolders(Path(tempfile.mkdtemp(prefix="fctx-")).resolve())
        self.port = _free_port()
        self.run_id = str(uuid.uuid4())
        self.folders.create()
        self.write_config(render_config(options, self.folders, port=self.port, model_url=model_url))

    @property
    def env(self) -> Mapping[str, str]:
        """The environment of everything that runs here."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(_FOREIGN)}
        return {
            **kept,
            "HOME": str(self.folders.root),
            "TMPDIR": str(self.folders.temporary),
            "OPENCLAW_STATE_DIR": str(self.folders.state),
            "OPENCLAW_CONFIG_PATH": str(self.folders.config),
            "NODE_COMPILE_CACHE": str(self.paths.compile_cache),
            "NO_COLOR": "1",
            "NO_PROXY": "127.0.0.1,localhost",
            processes.RUN_VARIABLE: self.run_id,
            **self.options.env,
        }

    def command(self, *words: str) -> list[str | Path]:
        """The command line that runs the host with some arguments."""
        return [self.paths.node, self.paths.openclaw, *words]

    def cli(self, *words: str, timeout_s: float = _CLI_S) -> processes.Finished:
        """Run a command of the host to its end, whatever its exit code."""
        return processes.run(
            self.command(*words), env=self.env, folder=self.folders.root, timeout_s=timeout_s
        )

    def checked_cli(self, *words: str, timeout_s: float = _CLI_S) -> str:
        """Run a command and return what it printed; raises `CommandFailedError`."""
        done = self.cli(*words, timeout_s=timeout_s)
        if done.code != 0:
            said = f"{done.stdout}\n{done.stderr}".strip()[-2000:]
            raise CommandFailedError(f"openclaw {' '.join(words)}: exit code {done.code}\n{said}")
        return done.stdout

    def read_config(self) -> dict[str, Any]:
        """The configuration as it lies on disk."""
        config: dict[str, Any] = json.loads(self.folders.config.read_text())
        return config

    def write_config(self, config: Mapping[str, Any]) -> None:
        """Replace the configuration; a running gateway takes it up by itself."""
        beside = self.folders.config.with_suffix(".new")
        beside.write_text(json.dumps(config, indent=1))
        beside.chmod(0o600)
        beside.replace(self.folders.config)

    def edit_config(self, changes: Mapping[str, Any]) -> None:
        """Lay changes over the configuration."""
        self.write_config(merged(self.read_config(), changes))

    def install_plugin(self, folder: Path) -> str:
        """Link a plugin and return its id.

        After an uninstall the host installs without enabling (HOST J2); then
        it is enabled, which also sets the slot.
        """
        plugin_id = str(json.loads((folder / "openclaw.plugin.json").read_text())["id"])
        self.checked_cli(
            "plugins", "install", str(folder), "--link", "--force", "--accept-capabilities"
        )
        if not self.read_config()["plugins"]["entries"][plugin_id].get("enabled"):
            self.checked_cli("plugins", "enable", plugin_id)
        return plugin_id

    def set_plugin(self, plugin_id: str, settings: Mapping[str, Any]) -> None:
        """Give an installed plugin settings."""
        self.edit_config({"plugins": {"entries": {plugin_id: {"config": dict(settings)}}}})

    def living(self) -> list[psutil.Process]:
        """Processes of this host that run now."""
        return processes.of_run(self.run_id, self.folders.root)

    def living_names(self) -> list[str]:
        """Names of the processes of this host that run now."""
        return processes.names_of(self.living())

    def close(self, *, keep: bool = False) -> None:
        """End whatever still runs and remove the folders, unless they are to be kept."""
        for _ in range(_SWEEPS):
            living = self.living()
            if not living:
                break
            processes.end(living)
        if not keep:
            shutil.rmtree(self.folders.root, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
