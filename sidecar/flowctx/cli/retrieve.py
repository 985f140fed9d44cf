"""`flowctx retrieve`: an original, byte for byte, or a part of it; or a note."""

from typing import Any

import click

from flowctx.cli.output import expected_errors, json_option, print_bytes, print_json, state_option
from flowctx.cli.store import open_reader
from flowctx.errors import InvalidRequestError
from flowctx.paths import StatePaths
from flowctx.store.reader import StoreReader


@click.command()
@click.argument("hash_", metavar="[HASH]", default="")
@click.option("--lines", default="", help="A range: 120-180, 120-, or -50 for the last 50.")
@click.option("--grep", default="", help="Only lines with this text, or /expression/ (RE2).")
@click.option("--context", default=0, help="Lines around each match.")
@click.option("--json-path", default="", help="Values in JSON: $.orders[0].id, $..id.")
@click.option("--rows", default="", help="Rows of a table: 1-20.")
@click.option("--columns", default="", help="Columns of a table, by name or number.")
@click.option("--max-tokens", default=0, help="Room for a part; 4,000 if not given.")
@click.option("--node", default="", help="A handoff note instead of an original.")
@click.option("--expand", is_flag=True, help="With --node: what the note stands for.")
@click.option("--from", "start", default=0, help="With --expand: the first of it, from 1.")
@state_option
@json_option
@expected_errors
def retrieve(hash_: str, paths: StatePaths, as_json: bool, **asked: Any) -> None:
    """Print the original that a marker names, exactly as it was, or a part of it.

    HASH is the 24 hex digits behind `hash=`; several may be joined by commas.
    Parts are numbered and say where they come from. The command line belongs to
    the owner of the state directory, so it may see what any agent stored.
    """
    note = {name: asked.pop(name) for name in ("node", "expand", "start")}
    _check(hash_, note, asked)
    reader = open_reader(paths)
    if note["node"]:
        _print_note(reader, note, asked["max_tokens"], as_json=as_json)
    elif any(asked.values()) or "," in hash_:
        _print_part(reader, hash_, asked, as_json=as_json)
    else:
        _print_whole(reader, hash_, as_json=as_json)


def _check(hash_: str, note: dict[str, Any], part: dict[str, Any]) -> None:
    """Refuse what does not go together."""
    if bool(hash_) == bool(note["node"]):
        message = "Give either HASH or --node NODE."
        raise click.UsageError(message)
    if hash_ and (note["expand"] or note["start"]):
        message = "--expand and --from go with --node: only a note stands for something."
        raise click.UsageError(message)
    for name, value in part.items():
        if note["node"] and value and name != "max_tokens":
            message = f"--{name.replace('_', '-')} goes with HASH: a note has no parts."
            raise click.UsageError(message)


def _print_note(
    reader: StoreReader, note: dict[str, Any], max_tokens: int, *, as_json: bool
) -> None:
    from flowctx.service.notes.retrieve import NodeRequest, retrieve_node_as_owner

    text = retrieve_node_as_owner(reader, NodeRequest(**note, max_tokens=max_tokens))
    if as_json:
        print_json({"node": note["node"], "text": text})
    else:
        click.echo(text)


def _print_part(reader: StoreReader, hash_: str, asked: dict[str, Any], *, as_json: bool) -> None:
    from flowctx.excerpt.parts import Part, UnusablePartError
    from flowctx.service.recall.parts import retrieve_parts_as_owner

    try:
        text = retrieve_parts_as_owner(reader, hash_, Part(**asked)).text
    except UnusablePartError as error:
        raise InvalidRequestError(str(error)) from error
    if as_json:
        print_json({"hash": hash_, "text": text})
    else:
        click.echo(text)


def _print_whole(reader: StoreReader, hash_: str, *, as_json: bool) -> None:
    from flowctx.message import encode_text, well_formed
    from flowctx.service.retrieve import retrieve_as_owner

    original = retrieve_as_owner(reader, hash_)
    if not as_json:
        print_bytes(encode_text(original.text))
        return
    source = original.provenance
    print_json(
        {
            "hash": original.hash,
            "session": source.session_key,
            "agent": source.agent,
            "person": source.person,
            "tool": source.tool,
            "time_ms": source.time_ms,
            "text": well_formed(original.text),
        }
    )
