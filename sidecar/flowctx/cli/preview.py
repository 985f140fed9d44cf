"""`flowctx preview`: what the next round would do."""

import click

from flowctx.cli.output import expected_errors, json_option, print_json, state_option
from flowctx.cli.store import open_reader
from flowctx.paths import StatePaths

_FORMS = {
    "outline": "The steps of the last turns would become outlines",
    "fold": "Older turns would become a digest",
    "condense": "Older turns and digests would become one digest",
    "notes": "Older turns would become notes, once the model has written them,",
}


@click.command()
@click.argument("session", metavar="SESSION")
@click.option(
    "--budget", type=click.IntRange(min=1), metavar="TOKENS", help="As if a view had to fit this."
)
@state_option
@json_option
@expected_errors
def preview(session: str, paths: StatePaths, budget: int | None, as_json: bool) -> None:
    """Show what would fold in the next round, and what that would save.

    Without --budget it is what pays when the next turn begins, and the budget that
    OpenClaw gave last. Nothing is changed.
    """
    from flowctx.service.hello import last_settings
    from flowctx.service.preview import preview_session

    reader = open_reader(paths)
    settings, _ = last_settings(reader)
    document = preview_session(reader, session, settings, budget or 0)
    if as_json:
        print_json(document)
        return
    now, after = document["tokens_now"], document["tokens_after"]
    click.echo(f"{document['key']}, epoch {document['epoch']}: {now:,} tokens now")
    if document["form"] == "keep":
        click.echo(f"Nothing would fold: that pays, and fits the budget of {document['budget']:,}.")
    for fold in document["folds"]:
        click.echo(
            f"Messages {fold['first']}-{fold['last']} ({fold['tokens_now']:,} tokens) would become"
            f" a digest of at most {fold['tokens_after_at_most']:,}."
        )
    if document["folds"]:
        click.echo(f"At most {after:,} tokens after it.")
    elif document["form"] != "keep":
        click.echo(f"{_FORMS[document['form']]} when the next turn begins ({document['reason']}).")
    if document["form"] in ("outline", "fold", "condense"):
        click.echo(f"At most about {after:,} tokens after it.")
