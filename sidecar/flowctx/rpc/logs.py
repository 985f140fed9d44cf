"""The sidecar's log file: small, rotated, readable by its owner alone."""

import logging
import os
from logging.handlers import RotatingFileHandler

from flowctx.paths import StatePaths
from flowctx.rpc.endpoint import prepare_folders

MAX_BYTES = 1_000_000
KEPT_FILES = 3


def start_log(paths: StatePaths) -> None:
    """Send the process's log to its file.

    Raises:
        OSError: the state directory cannot be written.
    """
    prepare_folders(paths)
    os.umask(0o077)
    handler = RotatingFileHandler(paths.log, maxBytes=MAX_BYTES, backupCount=KEPT_FILES)
    line = logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s")
    handler.setFormatter(line)
    logging.basicConfig(level=logging.INFO, handlers=[handler])
