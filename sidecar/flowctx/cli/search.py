"""`flowctx search`: what was said and returned by tools."""

from contextlib import suppress

import click

from flowctx.cli.output import expected_errors, json_option, print_json, state_option
from flowctx.cli.store import open_reader
from flowctx.errors import FlowctxError
from flowctx.paths import StatePaths


@click.command()
@click.argument("query", nargs=-1, required=True)
@click.option("--session", default="", metavar="KEY", help="Only this session.")
@click.option(
    "--limit", type=click.IntRange(1, 25), default=8, show_default=True, help="Hits to show."
)
@state_option
@json_option
@expected_errors
def search(
    query: tuple[str, ...], paths: StatePaths, session: str, limit: int, as_json: bool
) -> None:
    """Search messages, tool results, notes and cards of all sessions, or of one.

    QUERY is words, "quoted phrases", and filters: tool:exec file:src/app.py
    role:user after:2026-11-30; role:card for cards alone. Filters without words
    show the newest. The command line belongs to the owner of the state directory,
    so it may see what any agent stored.
    """
    from flowctx.cli.purging import shared_store
    from flowctx.service.history import require_session
    from flowctx.service.search.answer import let_retrieve, search_answer
    from flowctx.service.search.find import search_as_owner

    said, reader = " ".join(query), open_reader(paths)
    if session:
        require_session(reader, session)
    found = search_as_owner(reader, said, limit, session)
    if found.sources:
        # A store that cannot be written now is searched all the same.
        with suppress(FlowctxError), shared_store(paths) as context:
            let_retrieve(context, found)
    if as_json:
        print_json(found.document())
    else:
        click.echo(search_answer(found, said))
