"""`flowctx report`: one page about a session or a replay."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from flowctx import __version__
from flowctx.cli.output import expected_errors, state_option
from flowctx.paths import StatePaths

if TYPE_CHECKING:
    from flowctx.replay.report.facts import ReportFacts


@click.command()
@click.argument("subject", metavar="SESSION|REPLAY.json")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("report.html"),
    show_default=True,
    help="Where the page is written.",
)
@state_option
@expected_errors
def report(subject: str, out: Path, paths: StatePaths) -> None:
    """Write one HTML page about a session, or about what `flowctx replay --json` printed.

    SESSION is a session key as `flowctx sessions` lists it. The page loads nothing
    and can be kept or sent as it is; it quotes the session's notes.
    """
    from flowctx.replay.report.page import render_report

    facts = _facts_of_file(Path(subject)) if subject.endswith(".json") else _facts(subject, paths)
    out.write_text(render_report(facts, __version__), encoding="utf-8")
    click.echo(out)


def _facts_of_file(path: Path) -> "ReportFacts":
    import orjson

    from flowctx.errors import InvalidRequestError
    from flowctx.replay.report.facts import facts_of_replay

    try:
        document = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        message = f"{path} is no JSON ({error})."
        raise InvalidRequestError(message) from error
    return facts_of_replay(document)


def _facts(key: str, paths: StatePaths) -> "ReportFacts":
    from flowctx.cli.store import open_reader
    from flowctx.replay.report.facts import facts_of_session
    from flowctx.service.history import session_history

    return facts_of_session(session_history(open_reader(paths), key))
