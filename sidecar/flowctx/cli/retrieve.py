"""`flowctx retrieve`: an original, byte for byte, or a part of it."""

from typing import Any

import click

from flowctx.cli.output import expected_errors, json_option, print_bytes, print_json, state_option
from flowctx.cli.store import open_reader
from flowctx.errors import InvalidRequestError
from flowctx.paths import StatePaths
from flowctx.store.reader import StoreReader


@click.command()
@click.argument("hash_", metavar="HASH")
@click.option("--lines", default="", help="A range: 120-180, 120-, or -50 for the last 50.")
@click.option("--grep", default="", help="Only lines with this text, or /expression/ (RE2).")
@click.option("--context", default=0, help="Lines around each match.")
@click.option("--json-path", default="", help="Values in JSON: $.orders[0].id, $..id.")
@click.option("--rows", default="", help="Rows of a table: 1-20.")
@click.option("--columns", default="", help="Columns of a table, by name or number.")
@click.option("--max-tokens", default=0, help="Room for a part; 4,000 if not given.")
@state_option
@json_option
@expected_errors
def retrieve(hash_: str, paths: StatePaths, as_json: bool, **asked: Any) -> None:
    """Print the original that a marker names, exactly as it was, or a part of it.

    HASH is the 24 hex digits behind `hash=`; several may be joined by commas.
    Parts are numbered and say where they come from. The command line belongs to
    the owner of the state directory, so it may see what any agent stored.
    """
    reader = open_reader(paths)
    if any(asked.values()) or "," in hash_:
        _print_part(reader, hash_, asked, as_json=as_json)
    else:
        _print_whole(reader, hash_, as_json=as_json)


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
