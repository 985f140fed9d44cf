"""`flowctx sliding`: the cards that sessions leave for one another."""

import time
from typing import Any

import click

from flowctx.cli.output import expected_errors, json_option, print_json, state_option
from flowctx.cli.purge import Age
from flowctx.cli.store import open_reader
from flowctx.cli.table import print_table
from flowctx.moment import moment
from flowctx.paths import StatePaths


@click.command()
@state_option
@json_option
@expected_errors
def stats(paths: StatePaths, as_json: bool) -> None:
    """Count cards, and the blocks of them that were put before prompts."""
    from flowctx.service.sliding.look import collect_card_stats

    document = collect_card_stats(open_reader(paths))
    if as_json:
        print_json(document)
        return
    rows = [
        (agent, kind, count)
        for agent, kinds in document["agents"].items()
        for kind, count in kinds.items()
    ]
    print_table(("agent", "kind", ">cards"), rows)
    click.echo(
        f"{document['cards']:,} cards; {document['blocks']:,} blocks injected,"
        f" {document['block_tokens']:,} tokens."
    )


@click.command("list")
@click.option("--session", "session_key", default="", metavar="KEY", help="Of one session.")
@click.option("--agent", default="", metavar="ID", help="Of one agent.")
@click.option(
    "--limit",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="At most so many, newest first.",
)
@state_option
@json_option
@expected_errors
def list_(session_key: str, agent: str, limit: int, paths: StatePaths, as_json: bool) -> None:
    """List cards, newest first."""
    from flowctx.service.history import require_session
    from flowctx.service.sliding.look import list_all
    from flowctx.store.card_blocks import CardSelection

    reader = open_reader(paths)
    if session_key:
        require_session(reader, session_key)
    cards = list_all(reader, CardSelection(session_key, agent), limit)
    if as_json:
        print_json(cards)
        return
    print_table(("time", "agent", "session", "kind", "outcome", "what"), map(_row, cards))


@click.command()
@click.option("--session", "session_key", default="", metavar="KEY", help="Of one session.")
@click.option("--agent", default="", metavar="ID", help="Of one agent.")
@click.option("--older-than", "age_ms", type=Age(), help="Only older ones (36h, 30d).")
@click.option("--dry-run", is_flag=True, help="Only count.")
@state_option
@json_option
@expected_errors
def clear(
    session_key: str,
    agent: str,
    age_ms: int | None,
    dry_run: bool,
    paths: StatePaths,
    as_json: bool,
) -> None:
    """Delete cards, and the injected blocks that show them; without options, all."""
    from flowctx.cli.clearing import run_clear
    from flowctx.store.card_blocks import CardSelection

    before_ms = int(time.time() * 1000) - age_ms if age_ms is not None else 0
    selection = CardSelection(session_key, agent, before_ms)
    count = run_clear(paths, selection, dry_run=dry_run)
    if as_json:
        print_json({"cards": count, "dry_run": dry_run})
        return
    click.echo(f"{'Would delete' if dry_run else 'Deleted'} {count:,} cards.")


def _row(card: dict[str, Any]) -> tuple[object, ...]:

    what = " ".join(str(card["text"]).split())
    return moment(card["time_ms"]), card["agent"], card["key"], card["kind"], card["outcome"], what


@click.group()
def sliding() -> None:
    """Look at the cards that sessions leave for one another, and delete them."""


for _command in (stats, list_, clear):
    sliding.add_command(_command)
