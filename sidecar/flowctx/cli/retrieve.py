"""`flowctx retrieve`: an original, byte for byte."""

import click

from flowctx.cli.output import expected_errors, json_option, print_bytes, print_json, state_option
from flowctx.cli.store import open_reader
from flowctx.paths import StatePaths


@click.command()
@click.argument("hash_", metavar="HASH")
@state_option
@json_option
@expected_errors
def retrieve(hash_: str, paths: StatePaths, as_json: bool) -> None:
    """Print the original that a marker names, exactly as it was.

    HASH is the 24 hex digits behind `hash=`. The command line belongs to the
    owner of the state directory, so it may see what any agent stored.
    """
    from flowctx.message import encode_text, well_formed
    from flowctx.service.retrieve import retrieve_as_owner

    original = retrieve_as_owner(open_reader(paths), hash_)
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
