"""What one of many values says in words, or one of few large rows has alone, is shown."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.pipeline import reduce_output

DICE = random.Random("lone values")
NAMES = ("pool", "cache", "route", "queue", "limit", "index", "token", "batch")
NOTE = "kept low on purpose until the new disks are in, see change 4471"


def settings(depth: int) -> dict[str, Any]:
    """Settings of settings, mere words and numbers at the end."""
    return {
        f"{DICE.choice(NAMES)}_{n}": settings(depth - 1)
        if depth and n % 2
        else DICE.choice([True, 30, "info", "/var/spool", [1, 2]])
        for n in range(7)
    }


@pytest.fixture(autouse=True)
def _same_dice() -> None:
    """Each test throws the same, whichever ran before it."""
    DICE.seed("lone values")


def body(value: Any) -> str:
    result = reduce_output(ToolOutput(json.dumps(value, indent=2), "read", "cat settings.json"))
    assert isinstance(result, Reduction)
    return result.body


@pytest.mark.parametrize("service", [0, 5, 11])
def test_the_one_sentence_in_large_settings_is_shown(service):
    value = {f"service_{n}": settings(4) for n in range(12)}
    inner = next(each for each in value[f"service_{service}"].values() if isinstance(each, dict))
    inner["limits"] = {"max_open": 8, "why": NOTE}
    assert NOTE in body(value)


def machine(n: int) -> dict[str, Any]:
    return {
        "id": f"{DICE.getrandbits(256):064x}",
        "name": f"/{DICE.choice(NAMES)}-{n}",
        "state": {"status": "running", "code": 0, "since": f"2026-05-04T10:{n:02}:00Z"},
        "host": {"memory": 536870912, "mounts": [f"/srv/{DICE.choice(NAMES)}:/data:ro"]},
        "config": {
            "env": [f"{DICE.choice(NAMES).upper()}={DICE.getrandbits(24):06x}" for _ in range(9)]
        },
        "net": {"address": f"172.18.0.{n + 2}", "ports": {"8080/tcp": None}},
    }


def test_each_of_the_odd_rows_among_few_large_ones_is_shown():
    rows = [machine(n) for n in range(24)]
    rows[15]["state"].update(status="exited", code=137)
    rows[19]["host"]["mounts"] = ["/var/run/docker.sock:/var/run/docker.sock"]
    shown = body(rows)
    assert '"code": 137' in shown and rows[15]["name"] in shown
    assert "/var/run/docker.sock:/var/run/docker.sock" in shown and rows[19]["name"] in shown


def test_the_place_whose_coordinates_are_swapped_is_shown():
    places = [
        {
            "id": n,
            "name": f"{DICE.choice(NAMES)} {n}",
            "at": [round(DICE.uniform(8, 9), 5), round(DICE.uniform(47, 48), 5)],
        }
        for n in range(500)
    ]
    places[310]["at"].reverse()
    result = reduce_output(ToolOutput(json.dumps(places)))
    assert isinstance(result, Reduction) and f'"name": "{places[310]["name"]}"' in result.body
