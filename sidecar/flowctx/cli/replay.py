"""`flowctx replay`: what recorded sessions would have cost under a policy."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import click

from flowctx.cli.output import expected_errors, json_option, print_json

if TYPE_CHECKING:
    from flowctx.config import Settings
    from flowctx.replay.run import Progress
    from flowctx.replay.sources import Recording


class Options(TypedDict):
    """How to replay."""

    policy: Any
    window: int
    settings: Path | None
    price: str
    summariser: str
    system_tokens: int
    cache_ttl: int
    dump: Path | None
    as_json: bool


@click.command("replay")
@click.argument(
    "paths", nargs=-1, required=True, metavar="PATH…", type=click.Path(exists=True, path_type=Path)
)
@click.option(
    "--policy",
    type=click.Choice(["raw", "fresh", "reduce", "flowctx"]),
    default="flowctx",
    show_default=True,
    help="raw: all as it is; fresh: a session for each; reduce: nothing folded.",
)
@click.option(
    "--window",
    type=click.IntRange(8_000, 10_000_000),
    default=200_000,
    show_default=True,
    help="Context window of the model, tokens.",
)
@click.option(
    "--settings",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="JSON object of flowctx's settings.",
)
@click.option(
    "--price",
    default="",
    metavar="cached=0.1,write=1.25,out=5",
    help="Prices of a token relative to uncached input.",
)
@click.option(
    "--summariser",
    default="digest",
    show_default=True,
    metavar="digest|fixed:N",
    help="Notes without a model, or by one that writes N tokens.",
)
@click.option(
    "--system-tokens",
    type=click.IntRange(0, 1_000_000),
    default=7_000,
    show_default=True,
    help="Of the constant part before all messages.",
)
@click.option(
    "--cache-ttl",
    type=click.IntRange(1, 1_000_000),
    default=300,
    show_default=True,
    help="Seconds the provider's cache lives after a call.",
)
@click.option(
    "--dump",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write every request into DIR as JSON lines.",
)
@json_option
@expected_errors
def replay(paths: tuple[Path, ...], **options: Unpack[Options]) -> None:
    """Replay recorded sessions through the engine; no gateway, no network.

    PATH is a transcript (.jsonl, .jsonl.xz), an export (.json), one of OpenClaw's
    stores (agents/AGENT/agent/openclaw-agent.sqlite), or a folder of these. Several
    are one shared session, in the order given, unless the policy is "fresh".
    """
    from flowctx.replay.dump import Dump
    from flowctx.replay.policies import Plan, parse_prices, parse_summariser
    from flowctx.replay.run import Runner

    plan = Plan(
        policy=options["policy"],
        window=options["window"],
        settings=_settings(options["settings"]),
        prices=parse_prices(options["price"]),
        note_tokens=parse_summariser(options["summariser"]),
        system_tokens=options["system_tokens"],
        cache_ttl_seconds=options["cache_ttl"],
    )
    recordings = _recordings(paths)
    messages = sum(len(each.bodies) for each in recordings)
    folder = options["dump"]
    with (
        Dump(folder, plan) if folder else nullcontext() as dump,
        _progress_bar(messages) as progress,
    ):
        result = Runner(plan, dump, progress).run(recordings)
    if options["as_json"]:
        print_json(result.document())
    else:
        _print(result.document())


def _recordings(paths: tuple[Path, ...]) -> "list[Recording]":
    """All recorded sessions; what could not be read of them is told on stderr."""
    from flowctx.errors import InvalidRequestError
    from flowctx.replay.sources import find_files

    recordings: list[Recording] = []
    for path in find_files(paths):
        found = _recordings_in(path, is_named=path in paths)
        for each in found:
            if each.unread:
                click.echo(f"{path}: {each.unread:,} lines are no JSON, left out.", err=True)
            if each.trouble:
                click.echo(f"{each.name} cannot be read, left out: {each.trouble}", err=True)
        recordings += [each for each in found if each.bodies]
    if not recordings:
        message = "There are no messages to replay."
        raise InvalidRequestError(message, hint="Lines are host messages, or hold one.")
    return recordings


def _recordings_in(path: Path, *, is_named: bool) -> "list[Recording]":
    """The sessions of a file; one that a folder holds may be none."""
    from flowctx.errors import FlowctxError
    from flowctx.replay.sources import read_recordings

    try:
        found = read_recordings(path)
    except FlowctxError as error:
        if is_named:
            raise
        click.echo(f"{error} It is left out.", err=True)
        return []
    if not found:
        click.echo(f"{path} holds no messages, left out.", err=True)
    return found


def _settings(path: Path | None) -> "Settings":
    from flowctx.config import parse_settings
    from flowctx.errors import InvalidRequestError

    if path is None:
        return parse_settings({})[0]
    import orjson

    try:
        raw = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        message = f"{path} is no JSON ({error})."
        raise InvalidRequestError(message) from error
    if not isinstance(raw, dict):
        message = f"{path} holds no JSON object."
        raise InvalidRequestError(message)
    settings, problems = parse_settings(raw)
    for problem in problems:
        click.echo(f"{problem.key}: {problem.message}", err=True)
    return settings


@contextmanager
def _progress_bar(messages: int) -> "Iterator[Progress]":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), "messages", TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("replay", total=messages)
        yield lambda count: bar.advance(task, count)


def _print(document: dict[str, Any]) -> None:
    from flowctx.cli.table import print_table

    rows = [*document["tasks"], {"name": "total", **document["total"]}]
    print_table(
        ("task", ">calls", ">in", ">cached", ">cost", ">USD", ">rounds", ">again", ">notes",
         ">peak"),
        [_row(row) for row in rows],
        title=f"policy {document['policy']}, window {document['window']:,}",
    )  # fmt: skip
    probes, seconds = document["total"]["probes"], document["total"]["seconds"]
    told = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in probes.items())
    click.echo(
        "Tokens: in prompts, sent again in rounds, in the largest prompt; cost in uncached ones."
    )
    click.echo(f"Probes of what was folded or reduced: {told}. {seconds:,.1f} s.")


def _row(row: dict[str, Any]) -> tuple[object, ...]:
    from flowctx.cli.table import short

    share = row["cached_tokens"] / row["tokens_in"] if row["tokens_in"] else 0.0
    return (
        row["name"],
        row["calls"],
        short(row["tokens_in"]),
        f"{share:.1%}",
        short(row["cost"]),
        f"{row['cost_usd']:.2f}",
        row["rounds"],
        short(row["resent_tokens"]),
        row["notes"],
        short(row["peak_prompt_tokens"]),
    )
