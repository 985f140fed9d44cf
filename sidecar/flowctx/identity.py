"""Who speaks in a session, read from the host's session key.

The key's grammar is OpenClaw's: `agent:<agent>:<rest>`, where the rest is
`main`, `explicit:<name>`, `<channel>:direct:<peer>`, `<channel>:group:<id>`,
`<channel>:channel:<id>`, `cron:<job>:run:<id>`, `subagent:<uuid>`, `hook:…` or
`heartbeat`. Segments are compared whole: a group called "main" is no DM.
"""

from dataclasses import dataclass
from enum import StrEnum


class SessionKind(StrEnum):
    """What kind of traffic a session carries."""

    DIRECT = "direct"
    GROUP = "group"
    CRON = "cron"
    WEBHOOK = "webhook"
    SUBAGENT = "subagent"
    INTERNAL = "internal"


@dataclass(frozen=True, slots=True)
class SessionRef:
    """A session as the host names it.

    Attributes:
        key: the host's session key.
        agent: agent id, lower case.
        kind: what kind of traffic it carries.
        person: whose words it holds: "owner", "direct:<peer>", "group:<channel>:<id>"
            or, for a sub-agent whose parent is not known, its own key.
    """

    key: str
    agent: str
    kind: SessionKind
    person: str

    @property
    def is_private(self) -> bool:
        """True for sessions that must leave nothing behind."""
        return self.kind is SessionKind.INTERNAL


_OWNER = "owner"
# Sessions of the agent's owner, whatever words follow in their names.
_OWNER_HEADS = frozenset({"main", "global", "explicit", "dashboard", "heartbeat"})
_KINDS_BY_HEAD = {
    "cron": SessionKind.CRON,
    "hook": SessionKind.WEBHOOK,
    "webhook": SessionKind.WEBHOOK,
    "subagent": SessionKind.SUBAGENT,
    "internal-session-effects": SessionKind.INTERNAL,
}
_PEER_WORDS = {"direct": SessionKind.DIRECT, "dm": SessionKind.DIRECT}
_ROOM_WORDS = {"group": SessionKind.GROUP, "channel": SessionKind.GROUP, "room": SessionKind.GROUP}


def resolve_session(key: str, *, agent: str = "", parent_key: str = "") -> SessionRef:
    """Read agent, kind and person from a session key.

    Args:
        key: the host's session key; any string is accepted.
        agent: agent id where the host told it; wins over the key's.
        parent_key: for sub-agents, the key of the session that spawned them:
            they speak for its person.
    """
    segments = key.lower().split(":thread:")[0].split(":")
    has_prefix = len(segments) >= 3 and segments[0] == "agent"
    rest = segments[2:] if has_prefix else segments
    owner_agent = agent.lower() or (segments[1] if has_prefix else "main")
    kind = _kind_of(rest)
    if kind is SessionKind.SUBAGENT:
        person = resolve_session(parent_key).person if parent_key else f"subagent:{key.lower()}"
    else:
        person = _person_of(rest, kind)
    return SessionRef(key=key, agent=owner_agent, kind=kind, person=person)


def _kind_of(rest: list[str]) -> SessionKind:
    if any(segment.startswith("incognito-") for segment in rest):
        return SessionKind.INTERNAL
    if rest[0] in _KINDS_BY_HEAD:
        return _KINDS_BY_HEAD[rest[0]]
    if rest[0] in _OWNER_HEADS or _find(rest, _ROOM_WORDS) is None:
        return SessionKind.DIRECT
    return SessionKind.GROUP


def _person_of(rest: list[str], kind: SessionKind) -> str:
    if kind is SessionKind.GROUP:
        at = _find(rest, _ROOM_WORDS) or 0
        return f"group:{':'.join(rest[:at])}:{':'.join(rest[at + 1 :])}"
    peer = None if rest[0] in _OWNER_HEADS else _find(rest, _PEER_WORDS)
    if kind is not SessionKind.DIRECT or peer is None:
        return _OWNER
    return f"direct:{':'.join(rest[:peer] + rest[peer + 1 :])}"


def _find(rest: list[str], words: dict[str, SessionKind]) -> int | None:
    # The word stands behind the channel, or first where the host leaves the
    # channel out; behind it must stand an id.
    for at in (1, 0, 2):
        if at < len(rest) - 1 and rest[at] in words:
            return at
    return None
