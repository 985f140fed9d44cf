"""Puts the subcommands together."""

import click

from flowctx import __version__
from flowctx.cli.reduce import reduce


@click.group()
@click.version_option(__version__, prog_name="flowctx")
def main() -> None:
    """Memory for long OpenClaw sessions that fades with distance."""


main.add_command(reduce)
