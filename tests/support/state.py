"""A state directory with a store in it, and the command line over it."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from flowctx.cli.main import main
from flowctx.paths import StatePaths
from tests.support.host import HostSession, open_context
from tests.support.turns import turns


def run(state: Path, *arguments: str) -> Result:
    """A command on a state directory."""
    return CliRunner().invoke(main, [*arguments, "--state-dir", str(state)])


def fill(state: Path) -> StatePaths:
    """A store with some turns, closed."""
    paths = StatePaths(state)
    paths.home.mkdir(parents=True, exist_ok=True, mode=0o700)
    context = open_context(paths.home)
    HostSession(context).assemble(turns(3))
    context.close()
    return paths


def damage(paths: StatePaths) -> None:
    """Leave the header, so that only a look behind it finds the damage."""
    with paths.database.open("r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 3000)
