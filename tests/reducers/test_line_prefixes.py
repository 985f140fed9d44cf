"""Texts with a prefix before every line are reduced as what stands behind it, lines as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.case import Case
from flowctx.reducers.document import Document
from flowctx.reducers.line_prefixes import read_prefixed
from flowctx.reducers.pipeline import explain_output, reduce_output
from tests.reducers.honesty import faults
from tests.reducers.probes import ALL
from tests.reducers.probes.probe import Probe, clock

Prefix = Callable[[int, str], str]

# Repaints are several states of one line, and a document on one line has no lines to stand before.
LINED = [
    probe
    for probe in ALL
    if not re.search(r"\r(?!\n)|\x08", probe.text) and probe.text.strip().count("\n") > 8
]
# More facts than these take all the room of a view, and behind prefixes more than that.
OF_FEW = [probe for probe in LINED if len(probe.facts) <= 12]
SILENT: tuple[Prefix, ...] = (
    lambda n, line: f"{n + 1:6}\t{line}",
    lambda n, line: f"{n + 1:5}: {line}",
    lambda n, line: f"    {line}" if line else line,
    lambda n, line: f"> {line}",
)
TELLING: dict[str, Prefix] = {
    "ts": lambda n, line: f"Apr  9 {clock(n // 3)} {line}",
    "CI": lambda n, line: f"2026-04-09T{clock(n // 5)}.{n:07}Z {line}",
    "CI log": lambda n, line: f"build\tRun tests\t2026-04-09T{clock(n // 5)}.{n:07}Z {line}",
    "containers": lambda n, line: f"2026-04-09T{clock(n // 5)}.{n:09}Z stdout F {line}",
    "compose": lambda n, line: f"\x1b[36mtill-1    | \x1b[0m{line}",
    "kubectl": lambda n, line: f"[pod/till-5c9-x2x/till] {line}",
}


def behind(prefix: Prefix, text: str) -> str:
    lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
    return "\n".join(prefix(n, line) for n, line in enumerate(lines))


def docker_line(n: int, line: str) -> str:
    when = f"2026-04-09T{clock(n // 5)}.{n:09}Z"
    return json.dumps({"log": f"{line}\n", "stream": "stdout", "time": when}, separators=(",", ":"))


@pytest.mark.parametrize("probe", OF_FEW, ids=[probe.name for probe in OF_FEW])
def test_numbers_blanks_and_margins_cost_no_fact(probe: Probe) -> None:
    """Whatever the output is, its facts stay, and every line as it stands."""
    text = behind(SILENT[len(probe.name) % len(SILENT)], probe.text)
    result = reduce_output(ToolOutput(text, probe.tool, probe.command, probe.exit_code))
    assert isinstance(result, Reduction) and faults(text, result) == []
    assert [fact for fact in probe.facts if fact not in result.body] == []


@pytest.mark.parametrize("name", TELLING)
def test_hardly_a_fact_is_lost_behind_times_and_names(name: str) -> None:
    """Of the facts of outputs with a few at least 95 % stay, in half the size and long lines."""
    kept = total = 0
    for probe in OF_FEW:
        text = behind(TELLING[name], probe.text)
        result = reduce_output(ToolOutput(text, probe.tool, probe.command, probe.exit_code))
        assert isinstance(result, Reduction) and faults(text, result) == []
        assert len(result.body) <= 0.5 * len(text)
        kept += sum(1 for fact in probe.facts if fact in result.body)
        total += len(probe.facts)
    assert kept >= 0.95 * total


def test_a_container_log_is_what_was_printed() -> None:
    """Each line is shown with its frame, and typed by what it says."""
    probe = next(probe for probe in ALL if probe.name == "asan_report")
    text = behind(docker_line, probe.text)
    result = reduce_output(ToolOutput(text))
    assert isinstance(result, Reduction) and faults(text, result) == []
    for fact in probe.facts:
        assert json.dumps(fact)[1:-1] in result.body
    shown = [line for line in result.body.split("\n") if not line.startswith("[")]
    assert all(json.loads(line)["stream"] == "stdout" for line in shown)


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"2026-04-09 {clock(n)} INFO served {n} in {n % 7} ms" for n in range(300)),
        "\n".join(f"[INFO] step {n} of the build is done" for n in range(300)),
        "\n".join(f"north | {n} | {n % 7} | open" for n in range(300)),
        "\n".join(f"-rw-r--r-- 1 app app {n * 37} Apr  9 09:10 part-{n}.bin" for n in range(300)),
    ],
    ids=["log", "levels", "table", "files"],
)
def test_what_belongs_to_the_lines_is_no_prefix(text: str) -> None:
    """Times of a log, levels, first columns and modes are read with the rest of their lines."""
    steps = explain_output(ToolOutput(text)).steps
    assert steps[-1].family != "prefixed" and steps[-1].outcome.startswith("fits")


@given(
    st.lists(st.text(st.characters(exclude_characters="\r\b\x1b\n"), max_size=30), min_size=9),
    st.sampled_from([*SILENT, *TELLING.values(), docker_line]),
)
def test_each_character_is_found_where_it_stands(lines: list[str], prefix: Prefix) -> None:
    """Whatever is read behind prefixes stands at the place that is told for it."""
    text = "\n".join(prefix(n, line) for n, line in enumerate(lines))
    document = Document.read(text)
    prefixed = read_prefixed(Case(ToolOutput(text), document, 4_000))
    if prefixed is None:
        return
    for offset, character in enumerate(prefixed.inner.text):
        if character != "\n" and not prefixed.is_escaped:
            assert document.text[prefixed.place(offset)] == character
