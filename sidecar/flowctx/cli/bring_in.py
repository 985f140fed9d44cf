"""`flowctx import`: cards and messages of the sessions that OpenClaw already has."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict

import click

from flowctx.cli.output import counted, expected_errors, json_option, print_json, state_option
from flowctx.paths import StatePaths

# So many sessions are named; --json names all.
_MOST_NAMED = 3


@click.command("import")
@click.option("--yes", "is_meant", is_flag=True, help="Do it; without this, only count.")
@state_option
@json_option
@expected_errors
def bring_in(is_meant: bool, paths: StatePaths, as_json: bool) -> None:
    """Bring in the sessions that OpenClaw already has.

    Their messages can be searched then, also those from before a reset, and those
    of their turns that lie within the window leave cards. What is known already
    stays as it is, so an import that was broken off goes on when it is started again.
    """
    from flowctx.cli.importing import run_import
    from flowctx.service.importing import STORES

    done = run_import(paths, dry_run=not is_meant)
    if as_json:
        print_json({"dry_run": not is_meant, "sessions": [asdict(each) for each in done]})
        return
    skipped: defaultdict[str, list[str]] = defaultdict(list)
    for each in done:
        if each.skipped:
            skipped[each.skipped].append(each.key)
    came = [each for each in done if not each.skipped]
    click.echo(
        f"{'Imported' if is_meant else 'Would import'} {_sessions([each.key for each in came])}:"
        f" {counted(sum(each.messages for each in came), 'message')},"
        f" {counted(sum(each.cards for each in came), 'card')}."
    )
    for reason, keys in skipped.items():
        click.echo(f"Left out {_sessions(keys)}: {reason} ({_named(keys)}).")
    if not done:
        click.echo(f"OpenClaw keeps none in {paths.host_state}/{STORES}.")
    if came and not is_meant:
        click.echo("Nothing was changed; `flowctx import --yes` does it.")


def _sessions(keys: Sequence[str]) -> str:
    """How many sessions, and in how many windows where some have several."""
    sessions = counted(len(set(keys)), "session")
    return sessions if len(set(keys)) == len(keys) else f"{sessions} in {len(keys):,} windows"


def _named(windows: Sequence[str]) -> str:
    keys = list(dict.fromkeys(windows))
    more = len(keys) - _MOST_NAMED
    return ", ".join([*keys[:_MOST_NAMED], *([f"and {more:,} more"] if more > 0 else [])])
