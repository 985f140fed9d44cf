"""Hello: who connects, and under which settings work goes on."""

from dataclasses import dataclass
from typing import Any

import orjson

from flowctx.config import Settings, parse_settings
from flowctx.service.context import Context
from flowctx.service.sliding.embedding.wake import wake_vectors
from flowctx.setting import Problem
from flowctx.store.connection import Connection
from flowctx.store.meta import load_meta, set_meta
from flowctx.store.reader import Readable

_SETTINGS_KEY = "settings_json"
_SHIM_KEY = "last_hello"


@dataclass(frozen=True, slots=True)
class ShimFacts:
    """What a shim says of itself."""

    version: str
    client: str
    host_version: str
    node_version: str
    settings_json: bytes


def greet(context: Context, facts: ShimFacts) -> None:
    """Take a shim's settings over, and remember them for a start without it."""
    context.settings, context.problems = read_settings(facts.settings_json)
    said = {
        "version": facts.version,
        "client": facts.client,
        "host_version": facts.host_version,
        "node_version": facts.node_version,
        "time_ms": context.now_ms(),
    }

    def write(connection: Connection) -> None:
        set_meta(connection, _SETTINGS_KEY, facts.settings_json.decode("utf-8", "replace"))
        set_meta(connection, _SHIM_KEY, orjson.dumps(said).decode())

    # A store that cannot be written only forgets it at the next start.
    context.database.write(write)
    context.index.wake(context.settings)
    wake_vectors(context)


def restore_settings(context: Context) -> None:
    """Take over the settings of the last hello, until a shim says its own.

    Raises:
        StoreError: the store cannot be read.
    """
    context.settings, context.problems = last_settings(context.database)


def last_settings(database: Readable) -> tuple[Settings, tuple[Problem, ...]]:
    """The settings of the last hello; defaults where there was none.

    Raises:
        StoreError: the store cannot be read.
    """
    stored = database.read(lambda connection: load_meta(connection, _SETTINGS_KEY))
    return read_settings((stored or "").encode())


def last_hello(database: Readable) -> dict[str, Any] | None:
    """What the last shim said of itself, with its `time_ms`, or None.

    Raises:
        StoreError: the store cannot be read.
    """
    said = database.read(lambda connection: load_meta(connection, _SHIM_KEY))
    return orjson.loads(said) if said else None


def read_settings(raw: bytes) -> tuple[Settings, tuple[Problem, ...]]:
    """Read settings from JSON; what is no object counts as none."""
    try:
        value = orjson.loads(raw) if raw else {}
    except orjson.JSONDecodeError:
        value = None
    if not isinstance(value, dict):
        return Settings(), (Problem("(all)", "the configuration is no JSON object, ignored"),)
    return parse_settings(value)
