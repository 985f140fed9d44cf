"""What a few rows or lines have is shown as long as there is room."""

from __future__ import annotations

import json

import pytest

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.pipeline import reduce_output
from tests.reducers.probes.probe import WORDS

FROZEN = (31, 47, 48, 77, 90, 118)


def rows() -> list[dict[str, object]]:
    """Accounts of which a few are frozen."""
    return [
        {"no": 7000 + at, "owner": f"kelp-{at * 7919 % 997}", "is": "frozen"}
        if at in FROZEN
        else {"no": 7000 + at, "owner": f"kelp-{at * 7919 % 997}", "is": "open"}
        for at in range(130)
    ]


def as_csv() -> str:
    return "\n".join(["no,owner,is", *(",".join(map(str, row.values())) for row in rows())])


def as_json() -> str:
    return json.dumps(rows())


def as_records() -> str:
    return "\n\n".join("\n".join(f"{k}: {v}" for k, v in row.items()) for row in rows())


@pytest.mark.parametrize("write", [as_csv, as_json, as_records])
def test_rows_of_a_value_that_few_have_are_shown(write) -> None:
    """Six of 130 are no oddities, and are what one looks for."""
    result = reduce_output(ToolOutput(write()))
    assert isinstance(result, Reduction)
    assert [at for at in FROZEN if str(7000 + at) not in result.body] == []


def test_lines_of_a_second_kind_are_shown_while_there_is_room() -> None:
    """Twelve of 260 tasks are open: no error, and what one looks for."""
    tasks = [f"- [{' ' if at % 21 == 4 else 'x'}] water bed {at}" for at in range(260)]
    result = reduce_output(ToolOutput("\n".join(tasks)))
    assert isinstance(result, Reduction)
    assert [task for task in tasks if "[ ]" in task and task not in result.body] == []


def test_all_of_few_rows_are_called_by_name() -> None:
    """Of 20 hits of a search each has its title and address, though some are shown whole."""
    about = "What the herb is good for, when to sow it and how far apart, and who keeps it. " * 2
    hits = [
        {"title": f"Herb guide {at} [old]", "url": f"https://h{at}.example/{at}", "about": about}
        for at in range(20)
    ]
    result = reduce_output(ToolOutput(json.dumps({"hits": hits}, indent=2)))
    assert isinstance(result, Reduction)
    assert [hit["url"] for hit in hits if hit["url"] not in result.body] == []


@pytest.mark.parametrize("lines", [True, False], ids=["lines", "document"])
def test_messages_that_say_something_are_shown(lines: bool) -> None:
    """Of a hundred rows of talk the one with an amount and a day, and the one that forbids."""
    talk = [f"I saw the {word} by the {other} today." for word in WORDS for other in WORDS[:5]]
    talk[57] = "The deposit is 6,300 euros and must be there by 4 March."
    talk[81] = "Please never water the kelp at noon."
    rows = [{"id": at, "from": ("Bo", "Kim")[at % 2], "text": text} for at, text in enumerate(talk)]
    text = "\n".join(map(json.dumps, rows)) if lines else json.dumps({"messages": rows}, indent=2)
    result = reduce_output(ToolOutput(text))
    assert isinstance(result, Reduction)
    assert talk[57] in result.body and talk[81] in result.body
