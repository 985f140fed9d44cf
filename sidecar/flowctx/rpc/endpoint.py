"""The files through which shims find the sidecar: lock, token and endpoint."""

import os
import secrets
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from flowctx.errors import AlreadyRunningError, SidecarUnreachableError
from flowctx.paths import StatePaths

# A unix socket's path may not be longer than this on Linux (108 with its end) or macOS (104).
SOCKET_PATH_MAX = 100


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a sidecar listens.

    Attributes:
        address: "unix:/path" or "127.0.0.1:port".
        instance: changes with every process.
    """

    address: str
    pid: int
    version: str
    instance: str


class RunLock:
    """The lock that makes a sidecar the only one of its state directory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle: int | None = None

    def acquire(self) -> None:
        """Take the lock; the system gives it back when the process ends.

        Raises:
            AlreadyRunningError: another process holds it.
            OSError: the file cannot be made.
        """
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(handle)
        except OSError as error:
            os.close(handle)
            message = f"Another sidecar serves this state directory ({self._path})."
            raise AlreadyRunningError(message) from error
        self._handle = handle

    def is_ours(self) -> bool:
        """False once the file was removed or replaced: the state directory is another's now."""
        try:
            return self._handle is not None and os.path.samestat(
                os.fstat(self._handle), self._path.stat()
            )
        except OSError:
            return False

    def release(self) -> None:
        """Give the lock back; the file stays, so that two can never hold different ones."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def prepare_folders(paths: StatePaths) -> None:
    """Make flowctx's folders, readable by their owner alone.

    Raises:
        OSError: the state directory cannot be written.
    """
    for folder in (paths.home, paths.run, paths.log.parent):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.chmod(0o700)


def ensure_token(paths: StatePaths) -> str:
    """The secret of this state directory; made when there is none.

    Raises:
        OSError: it cannot be read or written.
    """
    with suppress(FileNotFoundError):
        if token := paths.token.read_text().strip():
            return token
    token = secrets.token_urlsafe(32)
    _write_private(paths.token, token.encode())
    return token


def write_endpoint(paths: StatePaths, endpoint: Endpoint) -> None:
    """Announce a sidecar, atomically.

    Raises:
        OSError: it cannot be written.
    """
    _write_private(paths.endpoint, orjson.dumps(asdict(endpoint)))


def load_endpoint(paths: StatePaths) -> Endpoint:
    """The sidecar that last announced itself; it may have gone.

    Raises:
        SidecarUnreachableError: none did.
    """
    try:
        return Endpoint(**orjson.loads(paths.endpoint.read_bytes()))
    except (OSError, ValueError, TypeError) as error:
        message = "No sidecar is running for this state directory."
        raise SidecarUnreachableError(message) from error


def load_token(paths: StatePaths) -> str:
    """The secret of this state directory.

    Raises:
        SidecarUnreachableError: there is none.
    """
    try:
        return paths.token.read_text().strip()
    except OSError as error:
        message = f"The token of the sidecar cannot be read ({error})."
        raise SidecarUnreachableError(message) from error


def withdraw_endpoint(paths: StatePaths, instance: str) -> None:
    """Take back what `write_endpoint` announced, unless another sidecar has replaced it."""
    with suppress(SidecarUnreachableError, OSError):
        if load_endpoint(paths).instance == instance:
            paths.endpoint.unlink(missing_ok=True)


def _write_private(path: Path, data: bytes) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    beside.replace(path)


if os.name == "nt":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
