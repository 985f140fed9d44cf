"""Is flowctx really in use? What was last offered, stored and used, and why not when not."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from flowctx.config import parse_settings
from flowctx.errors import StoreError, StoreMissingError
from flowctx.service.hello import last_hello
from flowctx.service.hostconfig import ENGINE_ID, HostConfig
from flowctx.store.connection import Connection
from flowctx.store.damage import files_set_aside
from flowctx.store.jobs import count_open_jobs
from flowctx.store.ledger import newest_event
from flowctx.store.reader import Readable
from flowctx.store.status import StoreStatus

Document = dict[str, Any]

SET_ASIDE_HINT = (
    "A new store was begun in its place; what it held is in that file alone."
    " Keep a copy if you want one, then move or delete it."
)


@dataclass(frozen=True, slots=True)
class SidecarFacts:
    """What is known of the sidecar from outside.

    Attributes:
        is_answering: it answered a call just now.
        trouble: why it did not; empty when it did.
        store: state and reason of its store, as it says itself.
        gateways: how many are connected to it; None when it did not say.
        activity: what it knows of gateway and turns, as `read_activity` makes it.
    """

    is_answering: bool
    version: str = ""
    pid: int = 0
    address: str = ""
    trouble: str = ""
    store: StoreStatus = field(default_factory=StoreStatus)
    gateways: int | None = None
    activity: Document = field(default_factory=dict)


def collect_status(
    store: Readable | StoreError, sidecar: SidecarFacts, host: HostConfig, version: str
) -> Document:
    """Put together what `flowctx status` shows.

    Args:
        store: the store, or why it could not be opened.
        sidecar: as seen from outside.
        host: the host's configuration.
        version: of this command.
    """
    stored = _stored(store, sidecar)
    told = asdict(sidecar)
    del told["activity"]
    facts: Document = {
        "version": version,
        "sidecar": told,
        "is_known": stored["is_known"],
        "gateway": stored["gateway"],
        "host_config": {
            "path": str(host.path),
            "trouble": host.trouble,
            "slot": host.slot,
            "enabled": host.is_enabled,
        },
        "setting_problems": [asdict(problem) for problem in parse_settings(host.settings)[1]],
        "store": stored["store"],
        "last": stored["last"],
        "tokens": stored["tokens"],
        "notes": stored["notes"],
    }
    reasons = list(_why_not(facts, host))
    return {"in_use": not reasons, "why_not": reasons, **facts}


def read_activity(store: Readable) -> Document:
    """What a store tells of the gateway, of turns, tokens and notes.

    Raises:
        StoreError: the store cannot be read.
    """
    return {"is_known": True, "gateway": last_hello(store), **store.read(_read)}


def _stored(store: Readable | StoreError, sidecar: SidecarFacts) -> Document:
    as_served = sidecar.store
    nothing: Document = {
        # Where no store has begun, nothing has been; of one that does not open nobody knows.
        "is_known": isinstance(store, StoreMissingError),
        "gateway": None,
        "last": {"offered_ms": None, "stored_ms": None, "used_ms": None, "not_used": ""},
        "tokens": {"raw": 0, "sent": 0, "saved": 0},
        "notes": {"last_pass": None, "rest": None, "waiting": 0},
        # Without its file a sidecar remembers what it did since it started.
        **sidecar.activity,
    }
    if isinstance(store, StoreError):
        return nothing | {"store": {"state": "unavailable", "reason": str(store), "set_aside": []}}
    told = {
        "path": str(store.path),
        # What the sidecar works with counts, where it has trouble of its own.
        **asdict(as_served if as_served.state != "ok" else store.status),
        "set_aside": [str(file) for file in files_set_aside(store.path)],
    }
    try:
        return {"store": told, **read_activity(store)}
    except StoreError as error:
        return nothing | {"store": {**told, "state": "unavailable", "reason": str(error)}}


def _read(connection: Connection) -> Document:
    raw, sent = connection.execute(
        "SELECT coalesce(sum(raw_tokens), 0), coalesce(sum(view_tokens), 0) FROM sessions"
    ).fetchone() or (0, 0)
    refused = _last(connection, "outcome", "AND json_extract(data, '$.used') = 0")
    used = _last(connection, "outcome", "AND json_extract(data, '$.used') = 1")
    offered = _last(connection, "assemble")
    not_used = refused["reason"] if refused and (refused["at"] > (used or {"at": 0})["at"]) else ""
    at = [event["at"] for event in (offered, used, refused) if event]
    return {
        "last": {
            "offered_ms": max(at, default=None),
            "stored_ms": connection.execute("SELECT max(time_ms) FROM messages").get,
            "used_ms": used["at"] if used else None,
            "not_used": not_used,
        },
        "tokens": {"raw": raw, "sent": sent, "saved": raw - sent},
        "notes": {
            "last_pass": newest_event(connection, "notes"),
            "rest": newest_event(connection, "notes-rest"),
            "waiting": count_open_jobs(connection),
        },
    }


def _last(connection: Connection, event: str, where: str = "") -> Mapping[str, Any] | None:
    row = connection.execute(
        "SELECT coalesce(json_extract(data, '$.told_ms'), time_ms), json_extract(data, '$.reason')"
        f" FROM ledger WHERE event = ? {where} ORDER BY id DESC LIMIT 1",
        (event,),
    ).fetchone()
    return {"at": row[0], "reason": row[1] or ""} if row else None


def _why_not(facts: Document, host: HostConfig) -> Iterator[str]:
    if host.trouble:
        step = "" if host.is_installed else f" The plugin is not installed: {host.next_step}."
        yield f"The host's configuration {host.path}: {host.trouble}.{step}"
    elif host.slot != ENGINE_ID:
        named = f'"{host.slot}"' if host.slot else "not set"
        other = "" if host.is_installed else ", whose plugin is not installed"
        yield f"The host's context engine is {named}, not flowctx{other}: {host.next_step}."
    elif not host.is_installed or host.is_enabled is False:
        what = "disabled" if host.is_installed else "not where the host looks for it"
        yield f"The plugin is {what}: {host.next_step}."
    if host.settings.get("shortTermMemory") is False:
        yield "shortTermMemory is false: everything passes through untouched."
    if not facts["sidecar"]["is_answering"]:
        yield f"The sidecar does not run ({facts['sidecar']['trouble']})."
    elif facts["sidecar"]["gateways"] == 0:
        yield "No gateway is connected to the sidecar: start it, or restart it if it runs."
    if facts["store"]["state"] != "ok":
        yield f"The store is {facts['store']['state']}: {facts['store']['reason']}"
    if facts["last"]["offered_ms"] is None and facts["is_known"]:
        yield "No turn was offered yet: restart the gateway and send a message."
    elif facts["last"]["not_used"]:
        yield f"The last view was not used: {facts['last']['not_used']}."
