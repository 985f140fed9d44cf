"""`flowctx status`: is it really in use?"""

from typing import Any

import click

from flowctx import __version__
from flowctx.cli.output import expected_errors, json_option, print_json, state_option
from flowctx.cli.table import print_line, when
from flowctx.paths import StatePaths

# Width of the labels before each figure.
_LABEL_COLUMNS = 15


@click.command()
@state_option
@json_option
@expected_errors
def status(paths: StatePaths, as_json: bool) -> None:
    """Tell whether flowctx is in use: what was last offered, stored and used.

    Exit code 1 when it is not in use; the reasons are listed.
    """
    from flowctx.cli.facts import look_at_sidecar, look_at_store
    from flowctx.service.hostconfig import read_host_config
    from flowctx.service.status import collect_status

    host = read_host_config(paths.host_config, paths.host_state)
    document = collect_status(look_at_store(paths), look_at_sidecar(paths), host, __version__)
    if as_json:
        print_json(document)
    else:
        for line in _lines(document):
            print_line(line, 4 if line.startswith(" ") else _LABEL_COLUMNS)
    if not document["in_use"]:
        raise SystemExit(1)


def _lines(document: dict[str, Any]) -> list[str]:
    from flowctx.service.status import SET_ASIDE_HINT

    last, is_known = document["last"], document["is_known"]
    lines = [f"flowctx {document['version']}: {'in use' if document['in_use'] else 'not in use'}"]
    lines += [f"  ! {reason}" for reason in document["why_not"]]
    lines += [
        f"  - setting {problem['key']}: {problem['message']}"
        for problem in document["setting_problems"]
    ]
    lines += [
        f"  - damaged store set aside as {file}: {SET_ASIDE_HINT}"
        for file in document["store"]["set_aside"]
    ]
    lines += [
        f"last offered   {_time(last['offered_ms'], is_known)}",
        f"last stored    {_time(last['stored_ms'], is_known)}",
        f"last used      {_time(last['used_ms'], is_known)}",
        f"tokens         {_tokens(document['tokens'], is_known)}",
        f"notes          {_notes(document['notes'], is_known)}",
        f"sidecar        {_sidecar(document['sidecar'])}",
        f"gateway        {_gateway(document, is_known)}",
        f"store          {document['store']['state']}",
    ]
    return lines


def _notes(notes: dict[str, Any], is_known: bool) -> str:
    done, rest = notes["last_pass"], notes["rest"]
    parts = []
    if done:
        figures = f"{done['tokens_before']:,} → {done['tokens_after']:,} tokens"
        parts.append(f"last pass {when(done['time_ms'])} UTC, {figures}")
    if notes["waiting"]:
        parts.append(f"{notes['waiting']} to be written")
    if rest:
        parts.append(f"nothing further: {rest['reason']}")
    return "; ".join(parts) or ("none yet" if is_known else "unknown")


def _tokens(tokens: dict[str, int], is_known: bool) -> str:
    if not is_known:
        return "unknown"
    return f"{tokens['raw']:,} handed over, {tokens['sent']:,} sent, {tokens['saved']:,} less"


def _time(time_ms: int | None, is_known: bool) -> str:
    return f"{when(time_ms)} UTC" if time_ms else "never" if is_known else "unknown"


def _sidecar(sidecar: dict[str, Any]) -> str:
    if not sidecar["is_answering"]:
        return "not running"
    return f"version {sidecar['version']}, process {sidecar['pid']}, {sidecar['address']}"


def _gateway(document: dict[str, Any], is_known: bool) -> str:
    gateway, connected = document["gateway"], "connected"
    if not document["sidecar"]["gateways"]:
        connected = "last connected"
    if gateway is None:
        return "never connected" if is_known else "unknown"
    return (
        f"OpenClaw {gateway['host_version'] or 'unknown'}, shim {gateway['version']},"
        f" Node {gateway['node_version'] or 'unknown'}, {connected} {when(gateway['time_ms'])} UTC"
    )
