"""What a program tells of the state of a thing: how it is, why, and how often that was so."""

import re
from collections.abc import Mapping
from enum import IntEnum
from functools import cache, lru_cache

from flowctx.errors import RuleTableError
from flowctx.reducers.rules import read_pattern, read_rules, read_words
from flowctx.reducers.values import as_number

# "lastExitCode" is "last exit code", "NRestarts" is "n restarts".
_JOINT = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\s_-]+")
_MAX_KEY_CHARS = 80
# What says more of a good state, behind it: "Running (since …)", "MTU 1500".
_BEHIND = re.compile(r"\s*(?:[(,;|].*)?$", re.DOTALL)
_FIRST_WORDS = re.compile(r"[\w/<>-]+(?: [\w/-]+)?")
_NOTHING = frozenset({"", "<none>", "<unset>", "[not set]", "-", "none", "n/a"})


class Told(IntEnum):
    """What a line tells of a state, in the order of its weight."""

    NOTHING = 0
    DETAIL = 1
    SIZE = 2
    NAME = 3
    WELL = 4
    STATE = 5
    WHY = 6


@lru_cache(maxsize=8192)
def told_by(key: str, value: str) -> Told:
    """What a key and its value tell."""
    if not key or len(key) > _MAX_KEY_CHARS:
        return Told.DETAIL
    kind = _kind(key)
    if value.lower() in _NOTHING:
        return Told.STATE if kind == "needed" else Told.NOTHING
    if _is_among("ill", value):
        return Told.STATE
    if kind == "count":
        number = as_number(value.split(maxsplit=1)[0])
        return Told.WHY if number else Told.NOTHING if number == 0 else Told.DETAIL
    if kind in ("why", "state") and _is_among("well", value):
        return Told.WELL if kind == "state" else Told.DETAIL
    return _TELLS.get(kind, Told.DETAIL)


_TELLS: Mapping[str, Told] = {
    "why": Told.WHY,
    "state": Told.STATE,
    "name": Told.NAME,
    "size": Told.SIZE,
}


def is_state(key: str) -> bool:
    """True for a key under which a state, or the reason of one, is told."""
    return (
        bool(key)
        and len(key) <= _MAX_KEY_CHARS
        and _kind(key) in ("why", "state", "count", "needed")
    )


@lru_cache(maxsize=4096)
def _kind(key: str) -> str:
    words = _JOINT.sub(" ", key).strip().lower()
    return next((name for name, pattern in _keys() if pattern.fullmatch(words)), "")


def _is_among(name: str, value: str) -> bool:
    """True for a value that begins with a word of a list, and says hardly more."""
    first = _FIRST_WORDS.match(value.lower())
    if first is None:
        return False
    words = first.group()
    for told in (words, words.split(" ")[0]):
        if told in _values()[name] and _BEHIND.fullmatch(value[len(told) :]):
            return True
    return False


@cache
def _keys() -> tuple[tuple[str, re.Pattern[str]], ...]:
    found = []
    for rule in read_rules("states", "key"):
        pattern = read_pattern("states", rule, "pattern")
        if pattern is None:
            raise RuleTableError("pattern missing", file="states.toml", rule=rule["id"])
        found.append((rule["id"], pattern))
    return tuple(found)


@cache
def _values() -> Mapping[str, frozenset[str]]:
    rules = read_rules("states", "value")
    return {rule["id"]: frozenset(read_words("states", rule, "words")) for rule in rules}
