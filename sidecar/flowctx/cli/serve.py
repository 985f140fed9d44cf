"""`flowctx serve`: run the sidecar."""

import os
import sys

import click

from flowctx.cli.output import expected_errors, state_option
from flowctx.paths import StatePaths


@click.command()
@state_option
@click.option(
    "--idle-exit",
    "idle_exit_seconds",
    type=click.FloatRange(min=1),
    default=900.0,
    show_default=True,
    metavar="SECONDS",
    help="Leave after so long without a gateway or a call.",
)
@expected_errors
def serve(paths: StatePaths, idle_exit_seconds: float) -> None:
    """Run the sidecar of a state directory in the foreground.

    Prints one line, READY and a JSON object, once it answers; or RUNNING when
    another sidecar serves the state directory already.
    """
    import asyncio

    import orjson

    from flowctx.errors import AlreadyRunningError
    from flowctx.rpc.endpoint import Endpoint, load_endpoint
    from flowctx.rpc.logs import start_log
    from flowctx.rpc.server import Sidecar

    def announce(endpoint: Endpoint, word: str = "READY") -> None:
        from dataclasses import asdict

        click.echo(f"{word} {orjson.dumps(asdict(endpoint)).decode()}")
        _silence_stdout()

    start_log(paths)
    try:
        asyncio.run(Sidecar(paths, idle_exit_seconds).run(announce))
    except AlreadyRunningError:
        announce(load_endpoint(paths), "RUNNING")


def _silence_stdout() -> None:
    # Whoever waited for the line may have gone; a later write must not fail.
    sys.stdout.flush()
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
