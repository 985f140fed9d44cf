"""`flowctx import`: cards and messages of the sessions that OpenClaw already has."""

from collections import Counter
from dataclasses import asdict

import click

from flowctx.cli.output import expected_errors, json_option, print_json, state_option
from flowctx.paths import StatePaths


@click.command("import")
@click.option("--yes", "is_meant", is_flag=True, help="Do it; without this, only count.")
@state_option
@json_option
@expected_errors
def bring_in(is_meant: bool, paths: StatePaths, as_json: bool) -> None:
    """Bring in the sessions that OpenClaw already has.

    Their messages can be searched then, and those of their turns that lie within
    the window leave cards. Sessions that are known already stay as they are, so
    an import that was broken off goes on when it is started again.
    """
    from flowctx.cli.importing import run_import

    done = run_import(paths, dry_run=not is_meant)
    if as_json:
        print_json({"dry_run": not is_meant, "sessions": [asdict(each) for each in done]})
        return
    skipped = Counter(each.skipped for each in done if each.skipped)
    came = [each for each in done if not each.skipped]
    click.echo(
        f"{'Imported' if is_meant else 'Would import'} {len(came):,} sessions:"
        f" {sum(each.messages for each in came):,} messages,"
        f" {sum(each.cards for each in came):,} cards."
    )
    for reason, count in skipped.items():
        click.echo(f"Left out {count:,} sessions: {reason}.")
    if came and not is_meant:
        click.echo("Nothing was changed; `flowctx import --yes` does it.")
