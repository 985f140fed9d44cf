"""What a probe is: an output, how it came about, and what must survive its reduction."""

from __future__ import annotations

import random
from typing import NamedTuple

WORDS = [
    "amber",
    "basil",
    "cedar",
    "dahlia",
    "ember",
    "fennel",
    "ginger",
    "hazel",
    "iris",
    "juniper",
    "kelp",
    "laurel",
    "mango",
    "nettle",
    "olive",
    "pepper",
    "quince",
    "rowan",
    "saffron",
    "thyme",
    "umber",
    "violet",
    "willow",
    "yarrow",
    "zinnia",
]


class Probe(NamedTuple):
    """One output and the exact strings that a view of it must hold."""

    name: str
    text: str
    facts: tuple[str, ...]
    command: str = ""
    tool: str = "exec"
    exit_code: int = 0


def rng(name: str) -> random.Random:
    """Numbers that depend on the probe's name alone."""
    return random.Random(f"flowctx {name}")


def word(r: random.Random) -> str:
    return r.choice(WORDS)


def hexes(r: random.Random, length: int) -> str:
    return "".join(r.choice("0123456789abcdef") for _ in range(length))


def clock(n: int) -> str:
    """A time of day, *n* seconds after nine."""
    return f"{9 + n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}"
