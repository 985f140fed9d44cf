"""Where output goes: the result to stdout, everything else to stderr."""

import os
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import click
import orjson

from flowctx.errors import FlowctxError
from flowctx.paths import StatePaths, default_state_dir

Params = ParamSpec("Params")
Result = TypeVar("Result")


def state_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--state-dir`, handed over as `paths`."""

    def convert(_context: click.Context, _parameter: click.Parameter, value: str) -> StatePaths:
        from pathlib import Path

        return StatePaths(Path(value).expanduser() if value else default_state_dir())

    return click.option(
        "--state-dir",
        "paths",
        default="",
        metavar="DIR",
        callback=convert,
        help="OpenClaw's state directory (default: $OPENCLAW_STATE_DIR, else ~/.openclaw).",
    )(command)


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--json`, handed over as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


def print_json(document: Any) -> None:
    """Print a document as JSON on stdout."""
    text = orjson.dumps(document, option=orjson.OPT_INDENT_2).decode()
    click.echo(text)


def print_bytes(data: bytes) -> None:
    """Print bytes on stdout as they are."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def expected_errors(command: Callable[Params, Result]) -> Callable[Params, Result]:
    """End a command on an error of ours with one line on stderr and exit code 1.

    With `--json` stdout holds `{"error": {"kind", "message"}}` too.
    """

    @wraps(command)
    def run(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        try:
            return command(*args, **kwargs)
        except FlowctxError as error:
            raise _told(error, str(error), kwargs) from error
        except UnicodeEncodeError as error:
            # Bytes that are no UTF-8 come in as lone surrogates, which no store holds.
            raise _told(error, "An argument is no UTF-8 text.", kwargs) from error
        except BrokenPipeError:
            # Whoever reads has had enough, which is no error.
            raise
        except OSError as error:
            if error.filename is None:
                raise _unwritable(error) from error
            raise _told(error, f"{error.strerror}: {error.filename}", kwargs) from error

    return run


def _unwritable(error: OSError) -> click.ClickException:
    # What is still held for stdout would fail again at the end of the process.
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
    return click.ClickException(f"The output could not be written ({error.strerror}).")


def _told(error: Exception, message: str, options: Mapping[str, Any]) -> click.ClickException:
    if options.get("as_json"):
        print_json({"error": {"kind": type(error).__name__, "message": message}})
    return click.ClickException(message)


def counted(count: int, noun: str) -> str:
    """A number with its noun, in the plural where it is one."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
