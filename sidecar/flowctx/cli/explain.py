"""`flowctx explain`: why each message looks the way it does."""

from typing import Any

import click

from flowctx.cli.output import expected_errors, json_option, print_json, state_option
from flowctx.cli.store import open_reader
from flowctx.cli.table import print_table, shown
from flowctx.errors import InvalidRequestError
from flowctx.moment import moment
from flowctx.paths import StatePaths


@click.command()
@click.argument("session")
@click.option("--message", type=int, metavar="N", help="Only message N, with its first words.")
@state_option
@json_option
@expected_errors
def explain(session: str, message: int | None, paths: StatePaths, as_json: bool) -> None:
    """Show for each message of SESSION whether it is raw, reduced, folded or digested, and why.

    SESSION is a session key as `flowctx sessions` lists it.
    """
    from flowctx.service.explain import explain_session
    from flowctx.service.hello import last_settings

    reader = open_reader(paths)
    settings, _ = last_settings(reader)
    document = explain_session(reader, session, settings)
    if message is not None:
        found = [line for line in document["messages"] if line["index"] == message]
        if not found:
            raise InvalidRequestError(
                f"There is no message {message} in the view of {document['key']!r}.",
                hint=f"It holds messages 0 to {len(document['messages']) - 1}.",
            )
        document["messages"] = found
    if as_json:
        print_json(document)
        return
    print_table(
        (">#", "role", ">tokens", ">sent", "state", "why"),
        (
            (
                line["index"],
                line["role"],
                line["tokens"],
                line.get("tokens_after", line["tokens"] if line["state"] == "raw" else 0),
                line["state"],
                line["reason"] + (f" · {line['hash']}" if "hash" in line else ""),
            )
            for line in document["messages"]
        ),
        title=f"{document['key']}, epoch {document['epoch']}",
    )
    if message is not None:
        click.echo(shown(found[0]["gist"]))
    _print_cards(document["cards"])


def _print_cards(blocks: list[dict[str, Any]]) -> None:
    """The lines of injected blocks, with what let each of them in."""
    for block in blocks:
        print_table(
            ("time", "kind", "session", "shown", ">score", "why"),
            (
                (
                    moment(line["time_ms"]),
                    line["kind"],
                    line["key"],
                    line["shown"],
                    f"{line['score']:.2f}",
                    line["reason"],
                )
                for line in block["lines"]
            ),
            title=f"cards {_place(block['behind'])}, {block['tokens']} tokens",
        )


def _place(behind: int) -> str:
    return f"behind message {behind}" if behind >= 0 else "before all messages"
