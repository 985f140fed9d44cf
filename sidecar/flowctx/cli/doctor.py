"""`flowctx doctor`: is everything sound?"""

import click

from flowctx import __version__
from flowctx.cli.output import expected_errors, json_option, print_json, state_option
from flowctx.cli.table import print_line
from flowctx.paths import StatePaths

_MARK_COLUMNS = 6


@click.command()
@state_option
@json_option
@expected_errors
def doctor(paths: StatePaths, as_json: bool) -> None:
    """Check the installation, the settings and the store; exit code 1 if something is wrong.

    Re-derives every hash in the store, so it takes a while on a large one.
    """
    from dataclasses import asdict

    from flowctx.cli.facts import look_at_sidecar, look_at_store
    from flowctx.service.doctor import (
        check_files,
        check_host,
        check_set_aside,
        check_sidecar,
        check_store,
        check_usable,
    )
    from flowctx.service.hostconfig import read_host_config

    sidecar, store = look_at_sidecar(paths), look_at_store(paths)
    checks = [
        *check_host(read_host_config(paths.host_config, paths.host_state)),
        *check_sidecar(sidecar, __version__),
        *check_files(paths),
        *check_usable(store, sidecar.store),
        *check_set_aside(paths.database),
        *check_store(store),
    ]
    if as_json:
        print_json({"checks": [asdict(check) for check in checks]})
    else:
        for check in checks:
            mark = "ok   " if check.is_ok else "WRONG"
            print_line(f"{mark} {check.name}: {check.detail}", _MARK_COLUMNS)
            if check.hint:
                print_line(" " * _MARK_COLUMNS + check.hint, _MARK_COLUMNS)
    if not all(check.is_ok for check in checks):
        raise SystemExit(1)
