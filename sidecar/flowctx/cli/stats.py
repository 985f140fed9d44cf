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
        ("=session", ">epoch", ">views", ">reduced", ">tokens without", ">with", ">less"),
        [_row(row) for row in document["sessions"]],
    )
    totals = document["totals"]
    click.echo(
        f"{totals['messages']:,} messages and {totals['originals']:,} originals"
        f" in {totals['stored_bytes'] / 1e6:,.1f} MB;"
        f" {totals['saved_tokens']:,} tokens less sent"
        f" ({_less(totals['raw_tokens'], totals['view_tokens'])})."
    )
    _print_savings(document)


def _print_savings(document: dict[str, Any]) -> None:
    """What the provider's own counts say, where the host reported any."""
    sums = document["totals"]["savings"]
    if not sums["calls"]:
        click.echo("No usage was reported yet, so there are no savings in money.")
        return
    print_table(
        ("day (UTC)", ">calls", ">tokens", ">without flowctx", ">net saved", ">net USD"),
        [
            (
                day["day"],
                day["calls"],
                day["tokens"],
                day["tokens_without"],
                day["net_cost_saved"],
                f"{day['net_usd_saved']:.4f}",
            )
            for day in [*document["days"][:14], {"day": "all", **sums}]
        ],
        title="By the usage that the host reports; net of cache writes, notes and retrievals",
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
