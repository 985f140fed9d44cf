"""Why no sidecar can start here, as far as it shows from outside."""

import logging
import os
from pathlib import Path

from flowctx.paths import StatePaths

_FAILED = "could not start: "
# The newest lines of the log.
_TAIL_BYTES = 4_096

log = logging.getLogger("flowctx.start")


def note_failure(error: Exception) -> None:
    """Leave in the log why a sidecar did not start."""
    log.error("%s%s", _FAILED, error)


def find_obstacle(paths: StatePaths) -> str:
    """What is in a sidecar's way, or why the last one did not start; empty when neither shows."""
    for folder in (paths.host_state, paths.home, paths.run, paths.log.parent):
        if folder.exists() and not folder.is_dir():
            return f"{folder} is not a folder: move it away"
        if folder.exists() and not os.access(folder, os.W_OK | os.X_OK):
            return f"{folder} may not be written: check its owner and permissions"
    return _last_failure(paths.log)


def _last_failure(path: Path) -> str:
    try:
        with path.open("rb") as file:
            file.seek(max(path.stat().st_size - _TAIL_BYTES, 0))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    _, found, reason = (lines or [""])[-1].partition(_FAILED)
    return f"the last one {_FAILED}{reason}" if found else ""
