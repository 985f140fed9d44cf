"""`flowctx pins`: what is pinned, and where."""

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
    """List all pins; set them by `/flowctx pin` in a chat."""
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
