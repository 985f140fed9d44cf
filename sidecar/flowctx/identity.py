"""Who speaks in a session, read from the host's session key.

The key's grammar is OpenClaw's: `agent:<agent>:<rest>`, where the rest is
`main`, `explicit:<name>`, `<channel>:direct:<peer>`, `<channel>:slash:<peer>`,
`<channel>:group:<id>`, `<channel>:channel:<id>`, `cron:<job>:run:<id>`,
`subagent:<uuid>`, `hook:…`, `heartbeat` or a word of the owner's own choice;
`:thread:<id>` may follow. Segments are compared whole: a group called "main" is
no DM. A shape that is not known speaks for nobody else: it has what it stored
itself, so that a new kind of session is never taken for the owner's.
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
        person: whose words it holds: "owner", "direct:<peer>", "group:<channel>:<id>",
            "other:<rest>" or, for a sub-agent whose parent is not known, its own key.
        is_sandboxed: the host runs it walled off from the machine.
    """

    key: str
    agent: str
    kind: SessionKind
    person: str
    is_sandboxed: bool = False

    @property
    def is_private(self) -> bool:
        """True for sessions that must leave nothing behind."""
        return self.kind is SessionKind.INTERNAL


_OWNER = "owner"
# Sessions of the agent's owner, whatever words follow in their names.
_OWNER_HEADS = frozenset(
    {"main", "global", "explicit", "dashboard", "heartbeat", "acp", "boot"}
    | {"cron", "hook", "webhook"}
)
_KINDS_BY_HEAD = {
    "cron": SessionKind.CRON,
    "hook": SessionKind.WEBHOOK,
    "webhook": SessionKind.WEBHOOK,
    "subagent": SessionKind.SUBAGENT,
    "internal-session-effects": SessionKind.INTERNAL,
}
# The words behind which a peer or a room is named. Slash commands of a person run in a
# session beside the conversation.
_KINDS_BY_WORD = {
    "direct": SessionKind.DIRECT,
    "dm": SessionKind.DIRECT,
    "slash": SessionKind.DIRECT,
    "group": SessionKind.GROUP,
    "channel": SessionKind.GROUP,
    "room": SessionKind.GROUP,
}


def resolve_session(key: str, *, agent: str = "", parent_key: str = "") -> SessionRef:
    """Read agent, kind and person from a session key.

    Args:
        key: the host's session key; any string is accepted.
        agent: agent id where the host told it; wins over the key's.
        parent_key: for sub-agents, the key of the session that spawned them:
            they speak for its person.
    """
    segments = key.lower().split(":")
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
    at = _find_word(rest)
    return SessionKind.DIRECT if at is None else _KINDS_BY_WORD[rest[at]]


def _person_of(rest: list[str], kind: SessionKind) -> str:
    if kind is SessionKind.INTERNAL:
        return ":".join(rest)
    if rest[0] in _OWNER_HEADS:
        return _OWNER
    at = _find_word(rest)
    if at is None:
        is_word = len(rest) == 1 or rest[1] == "thread"
        return _OWNER if is_word else f"other:{':'.join(rest)}"
    channel, id_ = rest[:at], _without_thread(rest[at + 1 :])
    if kind is SessionKind.GROUP:
        return f"group:{':'.join(channel)}:{id_}"
    return f"direct:{':'.join([*channel, id_])}"


def _without_thread(id_: list[str]) -> str:
    """An id's segments joined, without the thread that may follow them."""
    end = id_.index("thread", 1) if "thread" in id_[1:] else len(id_)
    return ":".join(id_[:end])


def _find_word(rest: list[str]) -> int | None:
    if rest[0] in _OWNER_HEADS:
        return None
    # The word stands behind the channel, or first where the host leaves the
    # channel out; behind it must stand an id.
    for at in (1, 0, 2):
        if at < len(rest) - 1 and rest[at] in _KINDS_BY_WORD:
            return at
    return None
