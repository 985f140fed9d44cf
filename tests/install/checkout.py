"""A copy of this checkout that a test may build in, and its installer."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.e2e.harness.gateway_process import Finished, run
from tests.e2e.harness.host_install import ROOT
from tests.e2e.harness.private_host import PrivateHost

_COMMAND_S = 500.0


class Checkout:
    """A folder with the files of this one that git knows, and nothing that was built."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        named = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for name in filter(None, named.split("\0")):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)

    @property
    def program(self) -> Path:
        """The `flowctx` command that the installer builds."""
        return self.folder / ".venv" / "bin" / "flowctx"

    def borrow_build(self) -> None:
        """Take over the packages that were built here, to run the copied code with."""
        self.program.parent.mkdir(parents=True)
        self.program.write_text(
            f"#!/bin/sh\nPYTHONPATH='{self.folder}/sidecar'"
            f" exec '{ROOT}/.venv/bin/python' -m flowctx \"$@\"\n"
        )
        self.program.chmod(0o755)
        (self.folder / ".venv" / "location").write_text(f"{self.folder}\n")
        shutil.copytree(ROOT / "plugin-shim" / "dist", self.folder / "plugin-shim" / "dist")

    def install(self, env: Mapping[str, str], *options: str) -> Finished:
        """Run the installer as a user would, from another folder."""
        return self.run(env, self.folder / "install.sh", *options)

    def run(self, env: Mapping[str, str], *command: str | Path) -> Finished:
        """Run a command beside the checkout, whatever its exit code."""
        return run(command, env=env, folder=self.folder.parent, timeout_s=_COMMAND_S)


def put_openclaw_on_path(host: PrivateHost) -> Mapping[str, str]:
    """The host's environment, with a command `openclaw` as a user has it."""
    command = host.folders.root / "bin" / "openclaw"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{host.paths.node}" "{host.paths.openclaw}" "$@"\n')
    command.chmod(0o755)
    return {**host.env, "PATH": f"{command.parent}:{host.env['PATH']}"}


def plugins_of(host: PrivateHost) -> dict[str, Any]:
    """What the host's configuration says about plugins."""
    plugins: dict[str, Any] = host.read_config().get("plugins", {})
    return plugins


def set_engine(host: PrivateHost, engine: str) -> None:
    """Name a context engine in the host's configuration by hand."""
    host.edit_config({"plugins": {"slots": {"contextEngine": engine}}})
