"""Walls: which cards a session may see, and how much of them.

Cards stay with their agent. Beyond that a session sees what its own person
left, and, where the settings open a wall, the rooms that person spoke in.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from flowctx.card import Side
from flowctx.identity import SessionKind, SessionRef
from flowctx.sliding_settings import Level, SlidingSettings

OWNER = "owner"
_GROUP = "group:"
_DIRECT = "direct:"

_SIDES: Mapping[SessionKind, Side] = {
    SessionKind.GROUP: "group",
    SessionKind.CRON: "trigger",
    SessionKind.WEBHOOK: "trigger",
}


@dataclass(frozen=True, slots=True)
class Grant:
    """A room (a person label of sessions) whose cards may be seen, and how much of them."""

    room: str
    side: Side
    level: Level


def side_of(ref: SessionRef) -> Side:
    """On which side of the walls a session stands; a sub-agent on that of its person."""
    if ref.person.startswith(_GROUP):
        return "group"
    return _SIDES.get(ref.kind, "dm")


def is_skipped(key: str, patterns: Iterable[str]) -> bool:
    """True when a session key matches one of the globs; case does not count."""
    lowered = key.lower()
    return any(fnmatchcase(lowered, pattern.lower()) for pattern in patterns)


def speaker_label(ref: SessionRef, sender_id: str) -> str:
    """The person label that a sender in a room would have in a direct conversation."""
    channel = ref.person.removeprefix(_GROUP).split(":")[0]
    return _DIRECT + ":".join(part for part in (channel, sender_id.lower()) if part)


def grants_of(
    ref: SessionRef, same: Iterable[str], rooms: Iterable[str], settings: SlidingSettings
) -> tuple[Grant, ...]:
    """What a session may see.

    Args:
        ref: the session that asks.
        same: labels that stand for its person besides its own.
        rooms: groups that person spoke in; for a group, the people who spoke in it.
        settings: say how far each wall is open.
    """
    side = side_of(ref)
    if side == "group":
        members = sorted(room for room in rooms if not room.startswith(_GROUP))
        own = [Grant(ref.person, "group", "full")]
        return _open(
            own, members, [("dm", settings.dm_to_group), ("trigger", settings.trigger_to_group)]
        )
    from_dm: Level = "full" if side == "dm" else settings.dm_to_trigger
    from_trigger: Level = "full" if side == "trigger" else settings.trigger_to_dm
    from_group = settings.group_to_dm if side == "dm" else settings.group_to_trigger
    people = sorted({ref.person, *same})
    groups = sorted(room for room in rooms if room.startswith(_GROUP))
    mine = _open([], people, [("dm", from_dm), ("trigger", from_trigger)])
    return _open(list(mine), groups, [("group", from_group)])


def wall_reason(ref: SessionRef, person: str, side: Side) -> str:
    """Which rule lets a session see the cards of a person label and side."""
    here = side_of(ref)
    if person != ref.person and "group" in (side, here):
        return f"{side} to {here}, spoke in both"
    return "same person" if side == here else f"same person, {side} to {here}"


def _open(
    grants: list[Grant], rooms: Iterable[str], levels: Iterable[tuple[Side, Level]]
) -> tuple[Grant, ...]:
    opened = [
        Grant(room, side, level) for room in rooms for side, level in levels if level != "never"
    ]
    return (*grants, *opened)
