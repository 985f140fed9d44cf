"""Puts the subcommands together."""

import click

from flowctx import __version__
from flowctx.cli.doctor import doctor
from flowctx.cli.explain import explain
from flowctx.cli.purge import purge
from flowctx.cli.retrieve import retrieve
from flowctx.cli.serve import serve
from flowctx.cli.sessions import sessions
from flowctx.cli.stats import stats
from flowctx.cli.status import status


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80})
@click.version_option(__version__, prog_name="flowctx")
def main() -> None:
    """Memory for long OpenClaw sessions that fades with distance.

    Results go to stdout, everything else to stderr. Exit code 0: fine, 1: an
    expected failure, told in one line; 2: wrong usage.
    """


for _command in (serve, status, doctor, sessions, stats, explain, retrieve, purge):
    main.add_command(_command)
