"""Opening the store for commands that only read."""

from flowctx.paths import StatePaths
from flowctx.store.reader import StoreReader


def open_reader(paths: StatePaths) -> StoreReader:
    """The store of a state directory, whether or not a sidecar runs.

    Raises:
        StoreError: there is none, or it cannot be read.
    """
    return StoreReader(paths.database)
