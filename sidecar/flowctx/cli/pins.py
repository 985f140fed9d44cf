"""`flowctx pins`, `pin` and `unpin`: what is pinned and where, and changing it."""

from dataclasses import asdict

import click

from flowctx.cli.output import expected_errors, json_option, print_json, state_option
from flowctx.cli.store import open_reader
from flowctx.cli.table import print_table
from flowctx.paths import StatePaths


@click.command()
@state_option
@json_option
@expected_errors
def pins(paths: StatePaths, as_json: bool) -> None:
    """List all pins."""
    from flowctx.service.recall.pins import every_pin

    found = every_pin(open_reader(paths))
    if as_json:
        rows = [
            {**asdict(pin), "agent": agent, "person": person, "session": session}
            for pin, agent, person, session in found
        ]
        print_json({"pins": rows})
        return
    print_table(
        (">id", "scope", "agent", "where", "text"),
        (
            (pin.id, pin.scope, agent, session or person, pin.text)
            for pin, agent, person, session in found
        ),
    )


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option(
    "--session",
    "key",
    default="agent:main:main",
    show_default=True,
    metavar="KEY",
    help="Where it stands, or whose agent and person it is for.",
)
@click.option(
    "--scope",
    type=click.Choice(("session", "agent")),
    default="session",
    show_default=True,
    help="Until the session is reset, or in all sessions of the same agent and person.",
)
@state_option
@json_option
@expected_errors
def pin(text: tuple[str, ...], key: str, scope: str, paths: StatePaths, as_json: bool) -> None:
    """Keep TEXT in view word for word, from the next turn on.

    Like `/flowctx pin` in a chat. The command line belongs to the owner of the
    state directory, so it may pin in any session that `flowctx sessions` lists.
    """
    from flowctx.cli.purging import shared_store
    from flowctx.identity import resolve_session
    from flowctx.service.recall.pins import pin_as_owner, pins_answer
    from flowctx.store.reader import require_store

    require_store(paths.database)
    with shared_store(paths) as context:
        done = pin_as_owner(context, resolve_session(key), " ".join(text), scope)
    if as_json:
        print_json({"said": done.said, "pins": [asdict(each) for each in done.pins]})
    else:
        click.echo(pins_answer(done))


@click.command()
@click.argument("id_", metavar="ID")
@state_option
@json_option
@expected_errors
def unpin(id_: str, paths: StatePaths, as_json: bool) -> None:
    """Remove the pin with this ID, as `flowctx pins` lists it."""
    from flowctx.cli.purging import shared_store
    from flowctx.service.recall.pins import unpin_as_owner
    from flowctx.store.reader import require_store

    require_store(paths.database)
    with shared_store(paths) as context:
        gone = unpin_as_owner(context, id_)
    if as_json:
        print_json({"unpinned": asdict(gone)})
    else:
        click.echo(f"Pin {gone.id} is gone: {gone.text}")
