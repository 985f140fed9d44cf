"""What the host's configuration says about flowctx."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flowctx.identity import SessionRef

ENGINE_ID = "flowctx"


@dataclass(frozen=True, slots=True)
class HostConfig:
    """The part of `openclaw.json` that decides whether flowctx works.

    Attributes:
        path: of the file.
        trouble: why it could not be read; empty when it was.
        slot: engine the host is to use, "" when not set (then the host's own).
        is_installed: whether the plugin lies where the host looks for it.
        is_enabled: whether the plugin is enabled; None when not said.
        allows_agents: whether notes may be written by each agent's own model.
        settings: the plugin's own configuration, raw.
        sandbox_modes: by agent; under "" for those that have none of their own.
        main_key: the rest of a main session's key.
    """

    path: Path
    trouble: str = ""
    slot: str = ""
    is_installed: bool = True
    is_enabled: bool | None = None
    allows_agents: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)
    sandbox_modes: Mapping[str, str] = field(default_factory=dict)
    main_key: str = "main"

    @property
    def next_step(self) -> str:
        """What makes flowctx the engine where it is not, as the end of a sentence."""
        if self.is_installed:
            return "run `openclaw plugins enable flowctx`"
        return "run `./install.sh` in flowctx's folder"

    def is_sandboxed(self, ref: SessionRef) -> bool:
        """True for a session that the host runs walled off from the machine."""
        mode = self.sandbox_modes.get(ref.agent) or self.sandbox_modes.get("", "off")
        is_main = ref.key.lower().split(":")[2:] == [self.main_key]
        return mode == "all" or (mode == "non-main" and not is_main)


def read_host_config(path: Path, host_state: Path) -> HostConfig:
    """Read the host's configuration; what cannot be read is told, never raised.

    Args:
        path: of the file.
        host_state: the host's state directory, where it keeps plugins it copied.
    """
    import json5

    try:
        value = json5.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        is_installed = _is_installed({}, host_state)
        return HostConfig(path, trouble="there is no such file", is_installed=is_installed)
    except (OSError, ValueError, RecursionError) as error:
        return HostConfig(path, trouble=f"it cannot be read ({error})")
    plugins = _object(_object(value).get("plugins"))
    entry = _object(_object(plugins.get("entries")).get(ENGINE_ID))
    slot = _object(plugins.get("slots")).get("contextEngine")
    enabled = entry.get("enabled")
    return HostConfig(
        path=path,
        slot=slot if isinstance(slot, str) else "",
        is_installed=_is_installed(plugins, host_state),
        is_enabled=enabled if isinstance(enabled, bool) else None,
        allows_agents=_object(entry.get("llm")).get("allowAgentIdOverride") is True,
        settings=_object(entry.get("config")),
        sandbox_modes=_sandbox_modes(_object(_object(value).get("agents"))),
        main_key=str(_object(_object(value).get("session")).get("mainKey") or "main"),
    )


def _is_installed(plugins: Mapping[str, Any], host_state: Path) -> bool:
    linked = _object(plugins.get("load")).get("paths")
    named = linked if isinstance(linked, list) else []
    folders = [Path(each).expanduser() for each in named if isinstance(each, str)]
    return any(map(_is_ours, [host_state / "extensions" / ENGINE_ID, *folders]))


def _is_ours(folder: Path) -> bool:
    try:
        manifest = json.loads((folder / "openclaw.plugin.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return bool(_object(manifest).get("id") == ENGINE_ID)


def _sandbox_modes(agents: Mapping[str, Any]) -> dict[str, str]:
    named = {"": agents.get("defaults"), **_object(agents.get("entries"))}
    modes = {name.lower(): _object(_object(each).get("sandbox")) for name, each in named.items()}
    return {name: str(sandbox.get("mode") or "") for name, sandbox in modes.items()}


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
