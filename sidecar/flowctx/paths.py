"""Where flowctx keeps its files inside the host's state directory."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class StatePaths:
    """All paths below one OpenClaw state directory; nothing is created by naming them."""

    host_state: Path

    @property
    def home(self) -> Path:
        """Our own folder, 0700."""
        return self.host_state / "flowctx"

    @property
    def database(self) -> Path:
        """The store."""
        return self.home / "flowctx.sqlite"

    @property
    def run(self) -> Path:
        """Socket, token, lock and endpoint, 0700."""
        return self.home / "run"

    @property
    def socket(self) -> Path:
        """The sidecar's unix socket."""
        return self.run / "sidecar.sock"

    @property
    def endpoint(self) -> Path:
        """Address, process id and version of the sidecar that is running."""
        return self.run / "endpoint.json"

    @property
    def token(self) -> Path:
        """The secret that every call carries, 0600."""
        return self.run / "token"

    @property
    def lock(self) -> Path:
        """Held by the one sidecar of this state directory."""
        return self.run / "sidecar.lock"

    @property
    def log(self) -> Path:
        """The sidecar's own log."""
        return self.home / "log" / "sidecar.log"

    @property
    def host_config(self) -> Path:
        """The host's configuration file."""
        named = os.environ.get("OPENCLAW_CONFIG_PATH")
        return Path(named) if named else self.host_state / "openclaw.json"


def default_state_dir() -> Path:
    """The host's state directory: `$OPENCLAW_STATE_DIR`, else `~/.openclaw`."""
    named = os.environ.get("OPENCLAW_STATE_DIR")
    return Path(named).expanduser() if named else Path.home() / ".openclaw"
