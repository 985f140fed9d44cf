"""`flowctx sessions`: the sessions that are stored."""

import click

from flowctx.cli.output import expected_errors, json_option, print_json, state_option
from flowctx.cli.store import open_reader
from flowctx.cli.table import print_table, when
from flowctx.paths import StatePaths


@click.command()
@state_option
@json_option
@expected_errors
def sessions(paths: StatePaths, as_json: bool) -> None:
    """List sessions, the most recently active first.

    A session that was reset shows once per epoch.
    """
    from flowctx.service.stats import collect_stats

    rows = collect_stats(open_reader(paths))["sessions"]
    if as_json:
        print_json({"sessions": rows})
        return
    print_table(
        ("=session", ">epoch", ">messages", "last active (UTC)", "state"),
        (
            (
                row["key"],
                row["epoch"],
                row["messages"],
                when(row["seen_ms"]),
                "ended" if row["ended_ms"] else "open",
            )
            for row in rows
        ),
    )
