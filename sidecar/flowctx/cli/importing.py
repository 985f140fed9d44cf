"""Importing beside a running sidecar or without one, with a progress bar."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.progress import track

from flowctx.cli.purging import shared_store
from flowctx.paths import StatePaths
from flowctx.service.context import Context
from flowctx.service.hello import read_settings, restore_settings
from flowctx.service.hostconfig import HostConfig, read_host_config
from flowctx.service.importing import Imported, find_sessions, import_session
from flowctx.store.database import Database


def run_import(paths: StatePaths, *, dry_run: bool) -> list[Imported]:
    """Bring in every session of the host's stores; with `dry_run` only count.

    Raises:
        FlowctxError: the stores cannot be read, or ours cannot be written.
    """
    host = read_host_config(paths.host_config, paths.host_state)
    with _store_to_count_with(paths) if dry_run else shared_store(paths) as context:
        _take_settings(context, host)
        sessions = find_sessions(paths.host_state, host)
        bar = track(sessions, "Importing", console=Console(stderr=True), transient=True)
        done = [import_session(context, session, dry_run=dry_run) for session in bar]
        if not dry_run:
            # Without a sidecar nothing else would see to the index until one starts.
            context.index.drain(context.settings)
        return done


@contextmanager
def _store_to_count_with(paths: StatePaths) -> Iterator[Context]:
    """The store where there is one; else one that is gone again afterwards."""
    if paths.database.exists():
        with shared_store(paths) as context:
            yield context
        return
    with TemporaryDirectory() as folder:
        context = Context(Path(folder), Database(Path(folder) / "empty.sqlite"))
        try:
            yield context
        finally:
            context.close()


def _take_settings(context: Context, host: HostConfig) -> None:
    """The plugin's settings as configured; without a configuration those of the last hello."""
    if host.trouble:
        restore_settings(context)
        return
    import orjson

    context.settings, _ = read_settings(orjson.dumps(dict(host.settings)))
