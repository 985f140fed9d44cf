"""Names of what is left out: a model that looks for something looks for its name."""

from collections.abc import Sequence

# The part of a room that names may take; in little room what they name comes first.
_SHARE, _SMALL_SHARE, _SMALL_ROOM = 0.6, 0.3, 2000
_TOLD_SHARE = 0.5
_MORE_CHARS = 24


def names_room(names: Sequence[str], room: int) -> int:
    """Characters to set aside for names, should all be left out; 0 where most could not be told."""
    wanted = sum(len(name) + 2 for name in names if name)
    share = _SHARE if room >= _SMALL_ROOM else _SMALL_SHARE
    told = min(wanted, int(room * share))
    return told + _MORE_CHARS if told > wanted * _TOLD_SHARE else 0


def fitting_names(names: Sequence[str], room: int) -> list[str]:
    """The first names that fit some characters."""
    told = []
    for name in names:
        room -= len(name) + 2
        if room < 0:
            break
        told.append(name)
    return told


def tell_names(names: Sequence[str], room: int) -> str:
    """Names on one line, as many as fit, and how many more there are; empty where none fits."""
    told = fitting_names(names, room - _MORE_CHARS)
    if not told:
        return ""
    more = f" and {len(names) - len(told)} more" if len(told) < len(names) else ""
    # A note ends in a bracket of its own.
    return f"left out: {' '.join(', '.join(told).split()).rstrip(']')}{more}"
