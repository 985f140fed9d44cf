"""Doctor: checks that everything is sound, each with what to do when it is not."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from flowctx.config import parse_settings
from flowctx.embedding_settings import EmbeddingSettings
from flowctx.errors import StoreError
from flowctx.paths import StatePaths
from flowctx.service.hostconfig import ENGINE_ID, HostConfig
from flowctx.service.sliding.embedding.encoder import EncoderError, open_encoder
from flowctx.service.status import SET_ASIDE_HINT, SidecarFacts
from flowctx.setting import Problem
from flowctx.store.connection import Connection
from flowctx.store.damage import files_set_aside
from flowctx.store.reader import Readable
from flowctx.store.status import StoreStatus
from flowctx.store.verify import integrity_problems, verify_store


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at.

    Attributes:
        name: what was looked at.
        is_ok: whether it is sound.
        detail: what was found.
        hint: what to do; empty when sound.
    """

    name: str
    is_ok: bool
    detail: str
    hint: str = ""


def check_host(host: HostConfig) -> Iterator[Check]:
    """Whether the host is told to use flowctx, and under which settings."""
    if host.trouble:
        hint = "" if host.is_installed else _sentence(host.next_step)
        yield Check("host configuration", False, f"{host.path}: {host.trouble}", hint)
        return
    slot_ok = host.slot == ENGINE_ID
    hint = "" if slot_ok else _sentence(host.next_step)
    yield Check("context engine slot", slot_ok, host.slot or "not set", hint)
    if not host.is_installed or host.is_enabled is False:
        what = "disabled" if host.is_installed else "not where the host looks for it"
        yield Check("plugin", False, what, _sentence(host.next_step))
    settings, problems = parse_settings(host.settings)
    yield from _settings(problems)
    yield from _embeddings(settings.sliding.embedding)
    key = "plugins.entries.flowctx.llm.allowAgentIdOverride"
    yield Check(
        "notes by each agent's own model",
        host.allows_agents,
        "allowed" if host.allows_agents else "not allowed",
        "" if host.allows_agents else f"Run `openclaw config set {key} true`.",
    )


def _sentence(step: str) -> str:
    return f"{step[0].upper()}{step[1:]}."


def check_sidecar(sidecar: SidecarFacts, version: str) -> Iterator[Check]:
    """Whether the sidecar answers, and is of this version."""
    if not sidecar.is_answering:
        hint = "It starts with the gateway; `flowctx serve` starts it by hand."
        yield Check("sidecar", False, sidecar.trouble, hint)
        return
    same = sidecar.version == version
    detail = f"version {sidecar.version}, process {sidecar.pid}"
    hint = "" if same else "Restart the gateway: it replaces a sidecar of another version."
    yield Check("sidecar", same, detail, hint)


def check_files(paths: StatePaths) -> Iterator[Check]:
    """Whether what is private is readable by its owner alone."""
    wanted: Iterable[tuple[Path, int]] = (
        (paths.home, 0o700),
        (paths.run, 0o700),
        (paths.token, 0o600),
        (paths.database, 0o600),
    )
    open_ = [path for path, mode in wanted if path.exists() and path.stat().st_mode & 0o777 & ~mode]
    hint = "Run `chmod go-rwx` on them." if open_ else ""
    detail = ", ".join(map(str, open_)) or "readable by their owner alone"
    yield Check("private files", not open_, detail, hint)


def check_set_aside(database: Path) -> Iterator[Check]:
    """Whether damaged databases lie beside the one in use, waiting to be looked at."""
    for file in files_set_aside(database):
        yield Check("damaged store set aside", False, str(file), SET_ASIDE_HINT)


def check_usable(store: Readable | StoreError, as_served: StoreStatus) -> Iterator[Check]:
    """Whether the store can be written, from here and by the sidecar."""
    found = [as_served] if isinstance(store, StoreError) else [as_served, store.status]
    for status in found:
        if status.state != "ok":
            yield Check("store", False, f"{status.state}: {status.reason}")
            return


def check_store(store: Readable | StoreError) -> Iterator[Check]:
    """Whether the database is sound, every hash re-derives and no marker dangles."""
    if isinstance(store, StoreError):
        yield Check("store", False, str(store))
        return
    try:
        damage = store.read(integrity_problems)
        yield Check("database", not damage, "; ".join(damage) or "sound", _set_aside_hint(damage))
        yield from store.read(lambda connection: list(_verified(connection)))
    except StoreError as error:
        yield Check("store", False, str(error))


def _verified(connection: Connection) -> Iterator[Check]:
    for found in verify_store(connection):
        detail = "none" if not found.wrong else f"{len(found.wrong)}: {', '.join(found.wrong[:3])}"
        yield Check(found.name, not found.wrong, f"{detail} of {found.looked_at:,}")


def _set_aside_hint(damage: list[str]) -> str:
    return "Restart the gateway: the file is set aside and a new one begun." if damage else ""


def _embeddings(source: EmbeddingSettings) -> Iterator[Check]:
    if not source.is_on:
        return
    try:
        # The key is in the gateway's environment, not in this one; nobody is called.
        open_encoder(replace(source, api_key_env=""))
    except EncoderError as error:
        yield Check("embeddings", False, str(error))
        return
    yield Check("embeddings", True, source.path or f"{source.model} at {source.url}")


def _settings(problems: Iterable[Problem]) -> Iterator[Check]:
    found = list(problems)
    if not found:
        yield Check("settings", True, "all taken as written")
    for problem in found:
        key = f"plugins.entries.{ENGINE_ID}.config.{problem.key}"
        hint = f"Run `openclaw config set {key} VALUE`, or `openclaw config unset {key}`."
        yield Check(f"setting {problem.key}", False, problem.message, hint)
