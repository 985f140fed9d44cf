"""The cases, each from recorded data where there is any and from our own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from flowctx.service.context import Context
from tests.cases import own
from tests.support.host import open_context

Case = Callable[[str], Any]
_OWN: dict[str, Callable[[], Any]] = {
    "01": own.parallel_calls,
    "02": own.restarting_ids,
    "03": own.displaced_results,
    "04": own.reasoning,
    "05": own.odd_text,
    "09": own.long_text,
    "10": own.batches,
    "12": own.walled,
}


@pytest.fixture(params=["own", pytest.param("recorded", marks=pytest.mark.shared)])
def case(request, shared: Path) -> Case:
    """What a case hands over, by its number."""
    return (lambda number: _OWN[number]()) if request.param == "own" else _recorded(shared)


def _recorded(shared: Path) -> Case:
    def load(number: str) -> Any:
        (path,) = (shared / "cases").glob(f"{number}-*.json")
        given = json.loads(path.read_text("utf-8"))["input"]
        if "sessions" in given:
            return _walled(given["sessions"])
        return given.get("messages") or given.get("text") or given["originalText"]

    return load


def _walled(sessions: list[dict[str, Any]]) -> dict[str, Any]:
    first, *others = ((each["sessionKey"], each["turns"]) for each in sessions)
    return {"words": ("Thursday", "stg-7"), "mine": first, "others": others}


@pytest.fixture
def context(tmp_path) -> Iterator[Context]:
    made = open_context(tmp_path)
    yield made
    made.close()
