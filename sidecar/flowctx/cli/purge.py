"""`flowctx purge`: delete stored data for good."""

import re
import time

import click

from flowctx.cli.output import expected_errors, json_option, print_json, state_option
from flowctx.paths import StatePaths

_UNITS_MS = {"h": 3_600_000, "d": 86_400_000, "w": 604_800_000}


class Age(click.ParamType[int]):
    """An age such as 36h, 30d or 8w, as milliseconds."""

    name = "age"

    def convert(
        self, value: object, parameter: click.Parameter | None, context: click.Context | None
    ) -> int:
        """Read the age; anything else is a usage error."""
        if isinstance(value, int):
            return value
        read = re.fullmatch(r"(\d{1,6})([hdw])", str(value))
        if read is None:
            self.fail(f"{value!r} is no age; write 36h, 30d or 8w", parameter, context)
        return int(read.group(1)) * _UNITS_MS[read.group(2)]


@click.command()
@click.option("--session", "session_key", default="", metavar="KEY", help="One session, whole.")
@click.option("--hash", "hash_", default="", metavar="HASH", help="One original.")
@click.option("--older-than", "age_ms", type=Age(), help="Sessions idle for so long (36h, 30d).")
@click.option("--dry-run", is_flag=True, help="Only count.")
@state_option
@json_option
@expected_errors
def purge(
    session_key: str,
    hash_: str,
    age_ms: int | None,
    dry_run: bool,
    paths: StatePaths,
    as_json: bool,
) -> None:
    """Delete sessions, an original, or what is old; it cannot be had back.

    The host's own transcripts are not touched.
    """
    from dataclasses import asdict

    from flowctx.cli.purging import run_purge
    from flowctx.service.purge import Selection

    older_than_ms = int(time.time() * 1000) - age_ms if age_ms is not None else 0
    count = run_purge(paths, Selection(session_key, hash_, older_than_ms), dry_run=dry_run)
    if as_json:
        print_json(asdict(count))
        return
    verb = "Would delete" if dry_run else "Deleted"
    click.echo(
        f"{verb} {count.sessions:,} sessions, {count.messages:,} messages and"
        f" {count.originals:,} originals; {count.bytes_freed:,} bytes freed."
    )
