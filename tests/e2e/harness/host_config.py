"""The configuration a private gateway runs with, and the choices a test has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

TOKEN = "loopback-only"
SECOND_AGENT = "second"

Settings = Mapping[str, Any]
Api = Literal["openai", "anthropic"]


@dataclass(frozen=True, slots=True)
class HostOptions:
    """What may differ between gateways.

    *api* chooses the provider of the default model, *second_agent* that of an
    agent `SECOND_AGENT`, none for a host with one agent. *context_window* and
    *max_output* are tokens. *cache_ttl_pruning* is what the host turns on for
    users of Anthropic (HOST M1). *heartbeat_every* is a duration such as "30m",
    "0m" for never. *config* is merged over everything else.
    """

    api: Api = "openai"
    second_agent: Api | None = None
    context_window: int = 200_000
    max_output: int = 8192
    cache_ttl_pruning: bool = False
    heartbeat_every: str = "0m"
    config: Settings = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GatewayFolders:
    """The private folders of one gateway. Names are short: sockets live below them."""

    root: Path

    @property
    def state(self) -> Path:
        """The host's state directory."""
        return self.root / "state"

    @property
    def workspace(self) -> Path:
        """Where the agent's tools work."""
        return self.root / "ws"

    @property
    def temporary(self) -> Path:
        """What the host and its tools take for the system's temporary folder."""
        return self.root / "tmp"

    @property
    def config(self) -> Path:
        """The host's configuration file."""
        return self.root / "openclaw.json"

    @property
    def log(self) -> Path:
        """The host's log, one JSON object a line."""
        return self.root / "gateway.jsonl"

    @property
    def console(self) -> Path:
        """What the gateway's process wrote to its console."""
        return self.root / "console.log"

    def create(self) -> None:
        """Make the folders that must be there before the gateway starts."""
        for folder in (self.state, self.workspace, self.temporary):
            folder.mkdir(parents=True, exist_ok=True)


def render_config(
    options: HostOptions, folders: GatewayFolders, *, port: int, model_url: str
) -> dict[str, Any]:
    """The whole configuration of a gateway."""
    config = {
        "gateway": {
            "mode": "local",
            "port": port,
            "bind": "loopback",
            "auth": {"mode": "token", "token": TOKEN},
        },
        "agents": _agents(options, folders),
        "models": {
            "mode": "merge",
            "catalogRefresh": {"enabled": False},
            "providers": {
                "openai-scripted": _provider("openai-completions", f"{model_url}/v1", options),
                "claude-scripted": _provider("anthropic-messages", model_url, options),
            },
        },
        "tools": {"exec": {"security": "full", "ask": "off"}},
        "logging": {"file": str(folders.log), "level": "info"},
        "update": {"checkOnStart": False},
    }
    return merged(config, options.config)


def model_name(api: Api) -> str:
    """The scripted model behind a provider's dialect, as the host names it."""
    return "openai-scripted/m1" if api == "openai" else "claude-scripted/m1"


def merged(below: Settings, above: Settings) -> dict[str, Any]:
    """Settings with others laid over them, object by object."""
    result = dict(below)
    for key, value in above.items():
        old = result.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            result[key] = merged(old, value)
        else:
            result[key] = value
    return result


def _agents(options: HostOptions, folders: GatewayFolders) -> dict[str, Any]:
    workspace = str(folders.workspace)
    defaults: dict[str, Any] = {
        "workspace": workspace,
        "skipBootstrap": True,
        "model": {"primary": model_name(options.api)},
        "heartbeat": {"every": options.heartbeat_every},
        # A scripted summary is not meant to pass an audit of its contents.
        "compaction": {"qualityGuard": {"enabled": False}},
    }
    if options.cache_ttl_pruning:
        defaults["contextPruning"] = {"mode": "cache-ttl"}
    if options.second_agent is None:
        return {"defaults": defaults}
    return {
        "ownership": "explicit",
        "defaults": {**defaults, "systemAgent": {"agentId": "main"}},
        "entries": {
            "main": {"workspace": workspace},
            SECOND_AGENT: {
                "workspace": workspace,
                "model": {"primary": model_name(options.second_agent)},
            },
        },
    }


def _provider(api: str, url: str, options: HostOptions) -> dict[str, Any]:
    return {
        "baseUrl": url,
        "apiKey": "none",
        "api": api,
        "models": [
            {
                "id": "m1",
                "name": "m1",
                "reasoning": False,
                "input": ["text", "image"],
                "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
                "contextWindow": options.context_window,
                "maxTokens": options.max_output,
            }
        ],
    }
