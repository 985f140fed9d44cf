"""`flowctx notes`: a session's handoff notes, and unfolding one of them."""

from collections.abc import Iterator
from typing import Any

import click

from flowctx.cli.output import expected_errors, json_option, print_json, state_option
from flowctx.cli.store import open_reader
from flowctx.cli.table import print_line, print_table, shown, when
from flowctx.paths import StatePaths

_ACTIONS = ("show", "undo", "redo")


@click.command()
@click.argument("what", metavar="SESSION | show NODE | undo NODE | redo NODE")
@click.argument("node", metavar="", default="")
@state_option
@json_option
@expected_errors
def notes(what: str, node: str, paths: StatePaths, as_json: bool) -> None:
    """List the notes of SESSION, show one, unfold one or fold it again.

    An unfolded note gives way to what it stands for, from the next turn until
    the next notes come. SESSION is a session key as `flowctx sessions` lists it.
    """
    from flowctx.service.notes.tree import list_notes, show_note

    if what not in _ACTIONS:
        document = list_notes(open_reader(paths), what)
    elif not node:
        message = f"`flowctx notes {what}` needs the NODE of a note."
        raise click.UsageError(message)
    elif what == "show":
        document = show_note(open_reader(paths), node)
    else:
        from flowctx.cli.unfolding import change_note

        document = change_note(paths, what, node)
    if as_json:
        print_json(document)
    elif "text" in document:
        click.echo(shown(document["text"]))
    else:
        _print(document)


def _print(document: dict[str, Any]) -> None:
    print_table(
        ("=node", "what", ">first", ">covers", ">tokens", ">note", "=written"),
        (
            (
                "  " * line["depth"] + line["node"],
                f"{line['kind']} {line['state']}",
                "–" if line["start"] is None else line["start"],
                line["messages"],
                line["raw_tokens"],
                line["tokens"],
                # The year is the current one, as good as always.
                when(line["created_ms"])[5:],
            )
            for line in document["notes"]
        ),
        title=f"{document['key']}, epoch {document['epoch']}, {document['messages']:,} messages",
    )
    for line in _state(document):
        print_line(line, 2)


def _state(document: dict[str, Any]) -> Iterator[str]:
    for job in document["waiting"]:
        tried = f", tried {job['attempts']} time(s): {job['error']}" if job["attempts"] else ""
        about = f"{job['kind']} over {job['messages']} messages"
        yield f"to be written: {about} ({job['state']}{tried})"
    if done := document["last_pass"]:
        before, after = done["tokens_before"], done["tokens_after"]
        yield f"last pass {when(done['time_ms'])} UTC: {before:,} → {after:,} tokens"
    if rest := document["rest"]:
        yield f"nothing further: {rest['reason']}"
