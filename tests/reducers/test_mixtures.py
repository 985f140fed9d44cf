"""Outputs one behind the other are read each as what it is, with and without their commands."""

from __future__ import annotations

import json
import random
import re

import pytest

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.case import Case
from flowctx.reducers.changes import find_change
from flowctx.reducers.document import Document
from flowctx.reducers.embedded import find_documents
from flowctx.reducers.pipeline import explain_output, reduce_output
from flowctx.reducers.titles import find_titles
from tests.reducers.honesty import faults
from tests.reducers.probes import ALL
from tests.reducers.probes.probe import WORDS, Probe, clock

# Outputs with more facts than these take all the room by themselves.
FEW = [
    probe for probe in ALL if len(probe.facts) <= 8 and not re.search(r"\r(?!\n)|\x08", probe.text)
]
STYLES = ("{text}\n", "===== {command} =====\n{text}\n", "$ {command}\n{text}\n\n", "{text}\n\n\n")
LOG = [f"2026-04-09 {clock(n)} INFO served {WORDS[n % 25]} in {n % 9} ms" for n in range(150)]
TABLE = [f"{WORDS[n % 25]:<12}{n * 7:>8}  {'open' if n % 3 else 'shut':<6}" for n in range(150)]


def joined(probes: list[Probe], style: str) -> str:
    texts = [
        style.format(command=probe.command or f"./step-{at}.sh", text=probe.text.rstrip("\n"))
        for at, probe in enumerate(probes)
    ]
    return "".join(texts)


@pytest.mark.parametrize("is_told", [True, False], ids=["commands known", "commands unknown"])
@pytest.mark.parametrize("style", STYLES, ids=["bare", "titles", "prompts", "blank lines"])
def test_most_facts_of_two_outputs_survive_side_by_side(style: str, is_told: bool) -> None:
    """Of the facts of random pairs at least 85 % are in views of half the size at most."""
    chance, kept, total = random.Random(f"{style} {is_told}"), 0, 0
    for _ in range(50):
        probes = chance.sample(FEW, 2)
        command = " ; ".join(probe.command or "./step.sh" for probe in probes) if is_told else ""
        text = joined(probes, style)
        result = reduce_output(ToolOutput(text, "exec", command))
        assert isinstance(result, Reduction) and faults(text, result) == []
        assert len(result.body) <= 0.5 * len(text)
        facts = [fact for probe in probes for fact in probe.facts]
        kept += sum(1 for fact in facts if fact in result.body)
        total += len(facts)
    assert kept >= 0.85 * total


def test_a_change_is_found_where_it_is() -> None:
    """To the line, whichever output comes first."""
    for first, second in ((LOG, TABLE), (TABLE, LOG)):
        text = "\n".join([*first, *second])
        assert find_change(Case(ToolOutput(text), Document.read(text), 3_700)) == len(first)


@pytest.mark.parametrize(
    "name",
    ["pytest_many_failures", "incident_report", "long_preface", "git_show_rename", "app_log_debug"],
)
def test_one_output_is_not_split_noop(name: str) -> None:
    """Parts of a run, a report, a source file, a patch or a log are no outputs of their own."""
    probe = next(probe for probe in ALL if probe.name == name)
    steps = explain_output(ToolOutput(probe.text)).steps
    assert steps[-1].family not in ("commands", "documents", "mixed")


def test_documents_are_found_between_other_lines() -> None:
    """JSON over many lines, in one line behind a label, and XML; small ones are of the rest."""
    rows = [{"id": n, "state": "open"} for n in range(60)]
    markup = ["<tills>", *(f'  <till id="{n}" state="open"/>' for n in range(60)), "</tills>"]
    lines = [
        "GET /tills",
        *json.dumps(rows, indent=1).split("\n"),
        "done {}",
        f"result: {json.dumps(rows)}",
        *markup,
        '{"ok": true}',
    ]
    found = find_documents(Document.read("\n".join(lines)))
    starts = [lines[segment.start] for segment in found]
    assert starts == ["[", lines[lines.index("done {}") + 1], "<tills>"]
    assert [segment.end - segment.start for segment in found] == [242, 1, 62]


def test_a_whole_document_is_not_set_apart_noop() -> None:
    """What begins and ends the text is the text."""
    text = json.dumps([{"id": n, "state": "open"} for n in range(90)], indent=1)
    assert find_documents(Document.read(text)) == []


def test_titles_are_lines_of_one_style_that_begin_the_text() -> None:
    """What a test runner or a book sets between its parts is none."""
    body = [f"line {n}" for n in range(20)]
    assert find_titles(["$ make", *body, "$ make test", *body]) == [0, 21]
    assert find_titles(["== disk ==", *body, "== memory ==", *body]) == [0, 21]
    assert find_titles(["=== RUN   TestA", *body, "=== RUN   TestB", *body]) == []
    assert find_titles(["# Guide", *body, "# Limits", *body]) == []
    assert find_titles([*body, "== disk ==", *body, "== memory ==", *body]) == []
