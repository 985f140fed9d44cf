"""`flowctx stats`: tokens handed over, tokens sent."""

from typing import Any

import click

from flowctx.cli.output import expected_errors, json_option, print_json, state_option
from flowctx.cli.store import open_reader
from flowctx.cli.table import print_table
from flowctx.paths import StatePaths


@click.command()
@click.argument("session", required=False, default="")
@state_option
@json_option
@expected_errors
def stats(session: str, paths: StatePaths, as_json: bool) -> None:
    """Show what was stored and what flowctx took off the prompts.

    Tokens are estimates, summed over all views that were asked for; they leave
    out the system prompt, the tools and the running turn.
    """
    from flowctx.service.explain import unknown_session
    from flowctx.service.stats import collect_stats

    document = collect_stats(open_reader(paths), session)
    if session and not document["sessions"]:
        raise unknown_session(session)
    if as_json:
        print_json(document)
        return
    print_table(
        ("session", ">epoch", ">views", ">reduced", ">tokens without", ">with", ">less"),
        [_row(row) for row in document["sessions"]],
    )
    totals = document["totals"]
    click.echo(
        f"{totals['messages']:,} messages and {totals['originals']:,} originals"
        f" in {totals['stored_bytes'] / 1e6:,.1f} MB;"
        f" {totals['saved_tokens']:,} tokens less sent"
        f" ({_less(totals['raw_tokens'], totals['view_tokens'])})."
    )


def _row(row: dict[str, Any]) -> tuple[object, ...]:
    raw, sent = row["raw_tokens"], row["view_tokens"]
    return (
        row["key"],
        row["epoch"],
        row["assembles"],
        row["reduced_results"],
        raw,
        sent,
        _less(raw, sent),
    )


def _less(raw: int, sent: int) -> str:
    return f"{100 * (raw - sent) / raw:.0f} %" if raw else "–"
