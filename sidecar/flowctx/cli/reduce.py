"""`flowctx reduce`: how a tool result would look once it is old."""

import sys
from pathlib import Path
from typing import Any, TypedDict, Unpack

import click
import orjson

from flowctx.config import Settings
from flowctx.message import encode_text, hash_text
from flowctx.model import Reduction, ToolOutput, Unreduced
from flowctx.reducers.marker import render_view
from flowctx.reducers.pipeline import Explanation, explain_output
from flowctx.service.projection import BELOW, why_whole
from flowctx.tokens import estimate_tokens


class Options(TypedDict):
    """What is known of the output besides its text, and what to print."""

    tool: str
    command_line: str
    exit_code: int | None
    as_json: bool
    explain: bool


@click.command("reduce")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--tool", default="", help="Name of the tool that made the output.")
@click.option("--command", "command_line", default="", help="Command, path or URL it worked on.")
@click.option("--exit-code", type=int, help="Exit code, where there is one.")
@click.option("--json", "as_json", is_flag=True, help="Print figures instead of the view.")
@click.option("--explain", is_flag=True, help="Tell on stderr which family did what.")
def reduce(file: str, **options: Unpack[Options]) -> None:
    """Show FILE as an old tool result appears in the view; "-" reads standard input.

    What cannot be shortened honestly, and what is below the threshold, comes
    back as it is, byte for byte.
    """
    raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    # Bytes that are no UTF-8 become lone surrogates; the hash tells them apart.
    text = raw.decode("utf-8", "surrogateescape")
    output = ToolOutput(text, options["tool"], options["command_line"], options["exit_code"])
    explanation = _explain(output)
    if options["explain"]:
        _tell(explanation)
    original_hash = hash_text(text)
    view = _view(explanation.result, output, original_hash)
    if options["as_json"]:
        _write(orjson.dumps(_figures(explanation.result, output, view, original_hash)) + b"\n")
    else:
        _write(raw if view is None else encode_text(view) + b"\n")


def _explain(output: ToolOutput) -> Explanation:
    settings = Settings()
    reason = why_whole(output, settings)
    if reason == BELOW:
        reason = f"{BELOW} of {settings.projection_threshold} tokens"
    return Explanation(Unreduced(reason), ()) if reason else explain_output(output)


def _view(result: Reduction | Unreduced, output: ToolOutput, original_hash: str) -> str | None:
    if isinstance(result, Unreduced):
        return None
    return render_view(result, tool=output.tool, original_hash=original_hash)


def _figures(
    result: Reduction | Unreduced, output: ToolOutput, view: str | None, original_hash: str
) -> dict[str, Any]:
    before = estimate_tokens(output.text)
    if isinstance(result, Unreduced):
        return {
            "type": "unreduced",
            "reason": result.reason,
            "tokens_before": before,
            "tokens_after": before,
            "hash": original_hash,
            "omissions": [],
        }
    return {
        "type": result.type,
        "tokens_before": before,
        "tokens_after": estimate_tokens(view or ""),
        "hash": original_hash,
        "omissions": [
            {"unit": part.unit, "omitted": part.omitted, "total": part.total}
            for part in result.omissions
        ],
    }


def _tell(explanation: Explanation) -> None:
    for step in explanation.steps:
        click.echo(f"{step.family}: {step.outcome}", err=True)
    result = explanation.result
    reason = result.reason if isinstance(result, Unreduced) else f"shown as {result.type}"
    click.echo(f"result: {reason}", err=True)


def _write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
