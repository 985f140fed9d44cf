"""Results that the host had cut in their middle: both parts are read as what they are."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.model import Reduction, ToolOutput, Unreduced
from flowctx.reducers.pipeline import reduce_output
from tests.reducers.honesty import faults
from tests.support.host_limit import MIDDLE, cut_by_host

_CHANCE = random.Random("host cuts")
_LIMITS = (16_000, 32_000, 64_000)
_COUNT = 2_400


def _row(n: int) -> dict[str, object]:
    state = {7: "DEGRADED", _COUNT - 6: "LOST"}.get(n, "ok")
    return {"id": n, "name": f"svc-{_CHANCE.randrange(9999)}", "cpu": n % 7, "state": state}


_ROWS = [_row(n) for n in range(_COUNT)]
_PAGE = {"page": 1, "items": _ROWS, "matched": 2417}
_KEYED = {f"svc{row['id']}": row for row in _ROWS}
_LOG = [f"2026-03-17T10:{n // 60 % 60:02}:{n % 60:02}Z INFO request {n} ok" for n in range(_COUNT)]
_LOG[7] = "2026-03-17T10:00:07Z ERROR DEGRADED: no route to db-2"
_LOG[-6] = "2026-03-17T10:59:54Z ERROR LOST: db-2 is gone"
_LOG += ["2026-03-17T11:00:00Z INFO summary: matched 2417"]

# What was printed, and what of it must be seen.
PRINTED = {
    "indented page": (json.dumps(_PAGE, indent=2), ("DEGRADED", "LOST", "2417"), "json/object"),
    "page in one line": (json.dumps(_PAGE), ("DEGRADED", "LOST", "2417"), "json/object"),
    "indented keys": (json.dumps(_KEYED, indent=1), ("DEGRADED", "LOST"), "json/object"),
    "lines of JSON": ("\n".join(map(json.dumps, _ROWS)), ("DEGRADED", "LOST"), "json/lines"),
    "log": ("\n".join(_LOG), ("DEGRADED", "LOST", "2417"), "log"),
}


@pytest.mark.parametrize("limit", _LIMITS)
@pytest.mark.parametrize("name", PRINTED)
def test_both_parts_show_their_odd_rows_and_the_cut_between_them(name: str, limit: int) -> None:
    """What stands out before and behind the cut is seen, and that there is a cut."""
    text, facts, content_type = PRINTED[name]
    cut = cut_by_host(text, limit)
    assert MIDDLE in cut
    result = reduce_output(ToolOutput(cut, "exec", "curl -s https://api.example.org/services"))
    assert isinstance(result, Reduction) and result.type == content_type
    assert all(fact in result.body for fact in facts)
    assert MIDDLE.strip() in result.body and "middle" in result.note
    assert len(result.body) <= 4_000 and faults(cut, result) == []


@given(st.integers(0, 4_000), st.sampled_from([None, 1, 2]), st.integers(0, 300))
def test_members_are_found_wherever_json_begins(start: int, indent: int | None, gone: int) -> None:
    """However much of its beginning and its end is missing, an odd row in it is shown."""
    text = json.dumps(_PAGE, indent=indent)
    end = len(text) - gone
    fragment = text[end - 20_000 - start : end]
    result = reduce_output(ToolOutput(fragment, "exec"))
    assert isinstance(result, Reduction) and result.type == "json/fragment"
    odd = '"state": "LOST"'
    assert odd in result.body or odd not in fragment
    assert faults(fragment, result) == []


def test_the_mark_alone_makes_no_cut() -> None:
    """A text that quotes the host's words within a line was not cut."""
    text = "\n".join([*_LOG[:300], f"2026-03-17 said: {MIDDLE.strip()}", *_LOG[300:600]])
    result = reduce_output(ToolOutput(text, "exec"))
    assert isinstance(result, Reduction) and result.note == ""


def _told_apart(mark: str, count: int) -> str:
    half = [f"{n} crates weighed, {n * 7 % 5} of them twice" for n in range(count)]
    return "\n".join([*half, mark, *half, "total: 118 crates, 3 lost"])


@pytest.mark.parametrize(
    "mark",
    [
        "[... 18211 characters truncated ...]",
        "... [36,074 characters omitted] ...",
        "…1204 tokens truncated…",
    ],
)
def test_a_short_text_with_a_cut_in_its_middle_stays_as_it_is(mark: str) -> None:
    """What a host left of a text is not made less again; of much it left the cut is told."""
    short = reduce_output(ToolOutput(_told_apart(mark, 40), "exec"))
    assert isinstance(short, Unreduced)
    assert "cut by the host" in short.reason
    long = reduce_output(ToolOutput(_told_apart(mark, 400), "exec"))
    assert isinstance(long, Reduction)
    assert mark in long.body
    assert "the host had cut its middle before" in long.note
    assert "total: 118 crates, 3 lost" in long.body


def test_a_count_that_a_program_sets_within_a_line_is_no_cut() -> None:
    """Only a line of its own says so, and none that ends the text."""
    said = "kept 12 lines ... 40 characters truncated ... of record 9"
    text = _told_apart(said, 60)
    assert isinstance(reduce_output(ToolOutput(text, "exec")), Reduction)
