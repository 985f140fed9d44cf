"""What stands once, or twice, by chance alone is not taken for odd; a broken rhythm is."""

from __future__ import annotations

import json
import random

import pytest

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.pipeline import reduce_output

DICE = random.Random("rows by chance")


@pytest.fixture(autouse=True)
def _same_dice() -> None:
    """Each test throws the same, whichever ran before it."""
    DICE.seed("rows by chance")


def reduced(text: str) -> str:
    result = reduce_output(ToolOutput(text, "exec"))
    assert isinstance(result, Reduction)
    return result.body


def orders(count: int = 2600, customers: int = 900) -> list[dict[str, object]]:
    """Each of many customers has three orders on average, and some of them one."""
    return [
        {
            "order": 100_000 + at,
            "customer": f"c{DICE.randrange(customers)}",
            "amount": round(DICE.uniform(5, 300), 2),
            "status": DICE.choice(("paid", "paid", "shipped")),
        }
        for at in range(count)
    ]


def as_csv(rows: list[dict[str, object]]) -> str:
    return "\n".join([",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)])


@pytest.mark.parametrize("write", [as_csv, json.dumps], ids=["csv", "json"])
def test_customers_with_one_order_do_not_hide_the_odd_rows(write):
    rows = orders()
    rows[1177]["amount"], rows[2201]["status"], rows[640]["customer"] = -4810.0, "disputed", ""
    body = reduced(write(rows))
    assert all(str(100_000 + at) in body.replace(" to ", "") for at in (1177, 2201, 640))


def test_measures_that_are_the_same_by_chance_are_no_repeated_ids():
    rows = [
        {"id": at, "name": f"place {at}", "lat": round(DICE.uniform(47, 48), 5)}
        for at in range(700)
    ]
    assert "twice" not in reduced(json.dumps(rows))


def minutes(count: int, step: int = 1) -> list[str]:
    stamps = [
        f"2026-04-{1 + at // 1440:02}T{at // 60 % 24:02}:{at % 60:02}:00Z" for at in range(count)
    ]
    return stamps[::step]


@pytest.mark.parametrize("step", [1, 5, 30])
def test_a_gap_in_times_of_a_steady_rhythm_is_shown(step):
    stamps = minutes(2800, step)
    lines = [f"{stamp},{100 + at % 7}.5" for at, stamp in enumerate(stamps)]
    gone = len(lines) // 2
    rest = [*lines[:gone], *lines[gone + 9 :]]
    body = reduced("\n".join(["ts,value", *rest]))
    assert rest[gone - 1] in body and rest[gone] in body


def test_a_gap_in_numbers_of_a_steady_rhythm_is_shown():
    lines = [f"{1_700_000_000 + 15 * at},{at % 5},ok" for at in range(900)]
    rest = [*lines[:410], *lines[431:]]
    body = reduced("\n".join(["epoch,load,state", *rest]))
    assert rest[409] in body and rest[410] in body


def test_times_without_a_rhythm_have_no_gaps():
    at, lines = 0, ["ts,value"]
    for n in range(900):
        at += DICE.randrange(1, 200)
        lines.append(f"2026-04-01T{at // 3600 % 24:02}:{at // 60 % 60:02}:{at % 60:02}Z,{n % 5}")
    assert "gap" not in reduced("\n".join(lines))


def findings(count: int = 900) -> list[dict[str, object]]:
    """What a linter found: many columns tell the same of a rule, and lines are numbers."""
    rules = ("Q000", "D101", "E225", "ANN001", "W291")
    found = []
    for at in range(count):
        rule = rules[DICE.randrange(5)]
        line = DICE.randrange(1, 90) if at % 60 else 90 + at // 60
        found.append(
            {
                "code": rule,
                "name": f"rule-{rule.lower()}",
                "url": f"https://rules.example/{rule.lower()}",
                "message": f"Rule {rule} was not kept",
                "at": {"row": line, "column": DICE.randrange(1, 40)},
                "end": {"row": line, "column": DICE.randrange(40, 80)},
            }
        )
    return found


def test_a_rule_found_once_comes_before_many_findings_in_odd_places():
    rows = findings()
    for at, said in ((200, "Undefined name `totl`"), (610, "Password in the source")):
        code = f"F{at}"
        rows[at].update(code=code, name=code, url=f"https://rules.example/{code}", message=said)
    for at in range(0, 900, 45):
        rows[at].update(code="I001", name="unsorted", url="https://rules.example/i001")
    body = reduced(json.dumps(rows, indent=2))
    assert "Undefined name `totl`" in body and "Password in the source" in body


def test_a_second_usual_number_is_no_outlier():
    rows = [{"name": f"n{at}", "limit": 250 if at % 5 < 3 else 750, "on": True} for at in range(90)]
    rows[50]["on"] = False
    body = reduced(json.dumps(rows))
    assert '"n50"' in body and body.count('"limit": 750') < 9


def test_rows_of_a_query_are_a_table_whichever_program_asked():
    rows = [f" {1000 + at} | {'failed' if at == 77 else 'done':6} | {at % 9}" for at in range(200)]
    text = "\n".join([" id   | state  | tries", "------+--------+-------", *rows, "(200 rows)"])
    result = reduce_output(ToolOutput(text, "exec", "psql -c 'select * from jobs'"))
    assert isinstance(result, Reduction) and result.type == "table"
    assert rows[77] in result.body and "(200 rows)" in result.body
