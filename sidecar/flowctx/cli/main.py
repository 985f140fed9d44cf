"""Puts the subcommands together; each is loaded only when it is needed."""

from importlib import import_module

import click

from flowctx import __version__

# In the order in which help lists them; the sidecar's own start loads `serve` alone.
COMMANDS = (
    "status",
    "doctor",
    "sessions",
    "stats",
    "explain",
    "notes",
    "retrieve",
    "search",
    "pins",
    "pin",
    "unpin",
    "preview",
    "reduce",
    "replay",
    "report",
    "purge",
    "sliding",
    "import",
    "serve",
)


# Where a command is not found under its own name: its module, and its name there.
_PLACES = {"import": ("bring_in", "bring_in"), "pin": ("pins", "pin"), "unpin": ("pins", "unpin")}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module, name = _PLACES.get(cmd_name, (cmd_name, cmd_name))
        command = getattr(import_module(f"flowctx.cli.{module}"), name)
        assert isinstance(command, click.Command)
        return command


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)
@click.version_option(__version__, prog_name="flowctx", message="%(prog)s %(version)s")
def main() -> None:
    """Memory for long OpenClaw sessions that fades with distance.

    Results go to stdout, everything else to stderr. Exit code 0: fine, 1: an
    expected failure, told in one line; 2: wrong usage.
    """
