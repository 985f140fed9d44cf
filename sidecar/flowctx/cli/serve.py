"""`flowctx serve`: run the sidecar."""

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from flowctx.cli.output import expected_errors, state_option
from flowctx.paths import StatePaths

if TYPE_CHECKING:
    from flowctx.rpc.endpoint import Endpoint

# How long one that holds the lock gets to say where it serves; the shim waits 10 s for both.
_OTHER_SECONDS = 7.0
_RETRY_SECONDS = 0.1
# A call gives the interpreter away at each step in SQLite, and takes this long to get it back
# while results are reduced; at Python's own 5 ms, retrieval took ten times as long then.
SWITCH_SECONDS = 0.0005


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
    import orjson

    from flowctx.errors import FlowctxError
    from flowctx.rpc.endpoint import Endpoint
    from flowctx.rpc.logs import start_log
    from flowctx.rpc.obstacles import note_failure

    def announce(endpoint: Endpoint, word: str = "READY") -> None:
        from dataclasses import asdict

        click.echo(f"{word} {orjson.dumps(asdict(endpoint)).decode()}")
        _silence_stdout()

    start_log(paths)
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        running = _serve(paths, idle_exit_seconds, announce)
    except (FlowctxError, OSError) as error:
        note_failure(error)
        raise
    if running is not None:
        announce(running, "RUNNING")


def _serve(
    paths: StatePaths, idle_exit_seconds: float, announce: Callable[["Endpoint"], None]
) -> "Endpoint | None":
    """Serve to the end, or find where the one that holds the lock serves.

    It is waited for: it may still be starting, or just leaving.
    """
    import asyncio

    from flowctx.errors import AlreadyRunningError, SidecarUnreachableError
    from flowctx.rpc.endpoint import load_endpoint
    from flowctx.rpc.server import Sidecar

    end = time.monotonic() + _OTHER_SECONDS
    while True:
        try:
            asyncio.run(Sidecar(paths, idle_exit_seconds).run(announce))
        except AlreadyRunningError:
            with suppress(SidecarUnreachableError):
                return load_endpoint(paths)
            if time.monotonic() > end:
                raise
            time.sleep(_RETRY_SECONDS)
        else:
            return None


def _silence_stdout() -> None:
    # Whoever waited for the line may have gone; a later write must not fail.
    sys.stdout.flush()
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
