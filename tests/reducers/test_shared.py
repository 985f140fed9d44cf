"""Recorded outputs, public probes and cases beside the checkout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flowctx.model import Reduction, ToolOutput, Unreduced
from flowctx.reducers.marker import render_view
from flowctx.reducers.pipeline import explain_output, reduce_output
from flowctx.tokens import estimate_tokens
from tests.reducers.honesty import faults

pytestmark = pytest.mark.shared
THRESHOLD = 1000
HASH = "0123456789abcdef01234567"


def view_of(output: ToolOutput) -> str:
    result = reduce_output(output)
    if isinstance(result, Unreduced):
        return output.text
    return render_view(result, tool=output.tool, original_hash=HASH)


def test_public_probes_keep_every_fact(shared: Path):
    """163 facts of 40 outputs, at most half the size each and an eighth over all."""
    must = json.loads((shared / "probes/must_keep.json").read_text("utf-8"))
    meta = json.loads((shared / "probes/meta.json").read_text("utf-8"))
    missing, before, after, small = {}, 0, 0, 0
    for name, facts in must.items():
        text = (shared / "probes/inputs" / name).read_bytes().decode("utf-8", "replace")
        info = meta[name]
        output = ToolOutput(text, info["toolName"], info["command"], info["exitCode"])
        view = view_of(output)
        lost = [fact for fact in facts if fact not in view]
        missing |= {name: lost} if lost else {}
        small += estimate_tokens(view) <= 0.5 * estimate_tokens(text)
        before += estimate_tokens(text)
        after += estimate_tokens(view)
    assert missing == {}
    assert small >= 38
    assert after <= 0.12 * before


def test_recorded_outputs_are_reduced_honestly(shared: Path):
    """Every real output: no fault in any family, nothing hidden, the same twice, a quarter left."""
    before = after = 0
    for path in sorted((shared / "outputs").glob("*/*")):
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        explained = explain_output(ToolOutput(text))
        assert not [s for s in explained.steps if s.outcome.startswith("gave up")], path
        result = explained.result
        assert result == reduce_output(ToolOutput(text)), path
        if isinstance(result, Reduction):
            assert faults(text, result) == [], path
        if estimate_tokens(text) > THRESHOLD:
            before += estimate_tokens(text)
            after += estimate_tokens(view_of(ToolOutput(text)))
    assert after <= 0.25 * before


def load_case(shared: Path, number: str) -> dict:
    (path,) = (shared / "cases").glob(f"{number}-*.json")
    return json.loads(path.read_text("utf-8"))["input"]


def test_cuts_leave_well_formed_text(shared: Path):
    """Emoji, NUL, CRLF and a lone surrogate: the view is well-formed, whatever its room."""
    case = load_case(shared, "05")
    for end in (None, *case["cutsToTry"]):
        result = reduce_output(ToolOutput(case["text"][:end], "web_fetch"))
        assert isinstance(result, Reduction)
        assert result.body.encode("utf-8").decode("utf-8") == result.body
        assert json.loads(json.dumps(result.body)) == result.body


def test_rows_and_their_own_count_do_not_contradict(shared: Path):
    """All keys keep their values, the odd row is seen, and missing rows are counted in place."""
    case = load_case(shared, "06")
    view = view_of(ToolOutput(case["text"], case["tool"]))
    expected = case["expect"]
    assert [s for s in expected["mustStayVisible"] if s not in view] == []
    assert [key for key in expected["topLevelKeys"] if f'"{key}":' not in view] == []
    assert "rows omitted" in view.replace("row omitted", "rows omitted")


def test_small_mixed_output_passes_and_coordinates_hold(shared: Path):
    """The first output stays whole; of the second every printed hit is a line of the input."""
    small, search = load_case(shared, "07")["cases"]
    assert (
        view_of(ToolOutput(small["text"], "exec", small["arguments"]["command"])) == small["text"]
    )
    view = view_of(ToolOutput(search["text"], "exec", search["arguments"]["command"]))
    assert [s for s in search["mustStayVisible"] if s not in view] == []
    hits = [line for line in view.split("\n") if line.startswith("src/")]
    assert set(hits) <= set(search["text"].split("\n"))


def test_an_early_cause_survives_a_long_log(shared: Path):
    """Cause, warning, failing test, totals and status, at 15 % of the size."""
    case = load_case(shared, "08")
    output = ToolOutput(case["text"], "exec", case["arguments"]["command"], case["exitCode"])
    view = view_of(output)
    assert [s for s in case["expect"]["mustStayVisible"] if s not in view] == []
    assert "exit status 2" in view
    assert estimate_tokens(view) <= case["expect"]["maxRatio"] * estimate_tokens(output.text)
