"""The agent's workspace: commands that print a lot, the same on every run."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from tests.e2e.harness import outputs

# Name of the command in the workspace's bin folder, and the kind of output it prints.
COMMANDS = {
    "pytest": "tests",
    "journalctl": "log",
    "curl": "json",
    "rg": "grep",
    "git": "diff",
    "make": "build",
    "psql": "table",
}


def fill_workspace(folder: Path) -> None:
    """Put the commands into `bin/` and a file to read into `data/`."""
    commands = folder / "bin"
    commands.mkdir(parents=True, exist_ok=True)
    program = Path(outputs.__file__)
    for name, kind in COMMANDS.items():
        command = commands / name
        words = shlex.join([sys.executable, str(program), kind])
        command.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        command.chmod(0o755)
    data = folder / "data"
    data.mkdir(exist_ok=True)
    (data / "orders.csv").write_text(outputs.render("csv", 40_000))
