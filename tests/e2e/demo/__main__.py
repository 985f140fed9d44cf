"""Runs one session in a real gateway twice, without and with flowctx, and compares."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from rich.console import Console

from tests.e2e.demo.claims import Evidence, check
from tests.e2e.demo.comparison import STEP_COUNT, Comparison
from tests.e2e.demo.progress import DemoProgress
from tests.e2e.demo.report import as_json, show
from tests.e2e.harness.gateway_connection import GatewayError
from tests.e2e.harness.host_install import HostUnavailableError, ensure_host
from tests.e2e.harness.install_flowctx import PLUGIN
from tests.e2e.harness.private_host import CommandFailedError
from tests.e2e.harness.signals import end_cleanly_on_signals

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(help=__doc__)
@click.option("--plugin", type=_FOLDER, default=PLUGIN, help="Folder of the built plugin.")
@click.option("--flowctx", type=_FILE, help="The flowctx command; else the plugin looks for it.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures.")
@click.option("--keep", is_flag=True, help="Keep the private folders and say where they are.")
def main(*, plugin: Path, flowctx: Path | None, json_file: Path | None, keep: bool) -> None:
    end_cleanly_on_signals()
    try:
        evidence = _observe(plugin.resolve(), flowctx and flowctx.absolute(), keep=keep)
    except (HostUnavailableError, CommandFailedError, GatewayError, TimeoutError) as error:
        details = "\n".join(getattr(error, "__notes__", []))
        raise click.ClickException(f"{error}\n{details}".rstrip()) from error
    claims = check(evidence)
    show(Console(highlight=False), evidence, claims)
    if json_file is not None:
        json_file.write_text(json.dumps(as_json(evidence, claims), indent=1) + "\n")
    sys.exit(0 if all(claim.holds for claim in claims) else 1)


def _observe(plugin: Path, flowctx: Path | None, *, keep: bool) -> Evidence:
    host = ensure_host()
    with DemoProgress(STEP_COUNT) as progress:
        return Comparison(host, plugin, flowctx, progress, keep=keep).run()


if __name__ == "__main__":
    main()
