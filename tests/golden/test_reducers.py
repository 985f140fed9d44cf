"""Every golden case, and what must hold of any reduction."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter

import pytest

from flowctx.message import hash_text
from flowctx.model import Reduction, Unreduced
from flowctx.reducers.marker import VIEW_MAX_CHARS, marked_hashes, render_view
from flowctx.reducers.pipeline import reduce_output
from flowctx.tokens import estimate_tokens
from tests.golden.case_file import FOLDER, GoldenCase, all_cases

CASES = all_cases()
IDS = [str(case.path.relative_to(FOLDER).with_suffix("")) for case in CASES]
REDUCED = [case for case in CASES if case.expected is not None]
REDUCED_IDS = [str(case.path.relative_to(FOLDER).with_suffix("")) for case in REDUCED]


def view_of(case: GoldenCase) -> str:
    """The view of a case that is reduced."""
    result = reduce_output(case.output)
    assert isinstance(result, Reduction), result
    original_hash = hash_text(case.output.text)
    return render_view(result, tool=case.output.tool, original_hash=original_hash)


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_a_case_comes_out_as_it_is_written(case):
    """Bodies and content types are those of the file; cases without output stay unchanged."""
    result = reduce_output(case.output)
    if case.expected is None:
        assert isinstance(result, Unreduced), result
    else:
        assert isinstance(result, Reduction), result
        assert (result.type, result.body) == (case.headers["rule"], case.expected)


@pytest.mark.parametrize("case", REDUCED, ids=REDUCED_IDS)
def test_what_must_be_kept_is_kept_in_order(case):
    """Each line of must_keep stands in the view, behind the one before it."""
    view, at = view_of(case), 0
    for fact in case.must_keep:
        found = view.find(fact, at)
        assert found >= 0, fact
        at = found


@pytest.mark.parametrize("case", REDUCED, ids=REDUCED_IDS)
def test_a_view_is_smaller_final_and_names_its_original(case):
    """Fewer tokens with its pointers, never reduced again, and the hash of the exact text."""
    view, output = view_of(case), case.output
    assert estimate_tokens(view) < estimate_tokens(output.text)
    assert len(view) <= VIEW_MAX_CHARS
    again = reduce_output(output.__class__(view, output.tool, output.command))
    assert isinstance(again, Unreduced)
    store = {hash_text(output.text): output.text}
    assert [store[each] for each in marked_hashes(view)] == [output.text]


def test_other_hash_seeds_give_the_same_bytes():
    """No reduction depends on the order of sets."""
    script = (
        "import json; from tests.golden.case_file import all_cases;"
        "from flowctx.reducers.pipeline import reduce_output as r;"
        "print(json.dumps([str(r(c.output)) for c in all_cases()]))"
    )
    printed = []
    for seed in ("1", "4711"):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        run = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, check=True
        )
        printed.append(json.loads(run.stdout))
    assert printed[0] == printed[1] == [str(reduce_output(case.output)) for case in CASES]


def test_every_family_has_enough_cases():
    """At least five each, of which one must stay unchanged."""
    total = Counter(case.path.parent.name for case in CASES)
    unchanged = Counter(case.path.parent.name for case in CASES if case.expected is None)
    assert {name: count for name, count in total.items() if count < 5} == {}
    assert set(total) == set(unchanged)
