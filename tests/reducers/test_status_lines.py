"""How a command ended is kept, whatever it printed, and does not hide what that was."""

from __future__ import annotations

import time

import pytest

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers import host_lines
from flowctx.reducers.document import Document
from flowctx.reducers.pipeline import reduce_output
from tests.reducers.honesty import faults
from tests.reducers.probes import ALL
from tests.reducers.probes.probe import Probe

BEHIND = [
    "(Command exited with code 3)",
    "[exit code: 3]",
    "Process exited with code 3",
    "Command timed out after 120 seconds",
    "(Process still running, session abc-7)",
    "[Output truncated: showing last 2000 lines of 48211]",
    "warning: 48211 bytes of output were dropped",
]
BEFORE = ["Exit code: 3\nWall time: 1.2 seconds\nOutput:", "stdout:"]
# One of each family.
KINDS = {probe.name.split("_", maxsplit=1)[0]: probe for probe in ALL if "\r" not in probe.text}


def type_of(text: str, probe: Probe) -> str:
    result = reduce_output(ToolOutput(text, probe.tool, probe.command))
    return result.type if isinstance(result, Reduction) else ""


@pytest.mark.parametrize("probe", KINDS.values(), ids=list(KINDS))
def test_the_end_of_a_command_is_kept_beside_the_facts(probe: Probe) -> None:
    """Before and behind any output, which is still taken for what it is."""
    index = len(probe.text)
    behind, before = BEHIND[index % len(BEHIND)], BEFORE[index % len(BEFORE)]
    text = f"{before}\n{probe.text}\n\n{behind}"
    result = reduce_output(ToolOutput(text, probe.tool, probe.command))
    assert isinstance(result, Reduction) and faults(text, result) == []
    assert behind in result.body and before in result.body
    assert [fact for fact in probe.facts if fact not in result.body] == []


@pytest.mark.parametrize("line", [*BEHIND, *BEFORE[1:], "exit status 2", "real\t0m3.1s"])
def test_each_of_these_lines_is_known(line: str) -> None:
    """At an edge, where the host or a shell sets it."""
    document = Document.read(f"a line of output\nanother one\n{line}")
    assert list(host_lines.status_lines(document)) == [2]


@pytest.mark.parametrize(
    "line", ["exit", "the exit code is 3 where it fails", "output", "user 4711 logged in", "rc"]
)
def test_an_ordinary_line_is_none_of_them(line: str) -> None:
    """Words that look like them are part of the output."""
    assert list(host_lines.status_lines(Document.read(f"a line\n{line}"))) == []


@pytest.mark.parametrize(
    ("line", "code"), [("(Command exited with code 3)", 3), ("[exit code: -9]", -9), ("rc 3", None)]
)
def test_the_exit_code_is_read(line: str, code: int | None) -> None:
    """Where the host names none of its own, the one in the text counts."""
    assert host_lines.stated_exit_code(line) == code


def test_no_line_takes_long_to_tell() -> None:
    """Lines that make careless patterns backtrack are told in a few milliseconds."""
    lines = ["a " * 119, "[" * 239, "exit " * 47, "output " * 34, "1 bytes " * 29, "((((" * 59]
    started = time.process_time()
    for line in lines:
        list(host_lines.status_lines(Document.read(f"{line}\nx\n{line}")))
    assert time.process_time() - started < 0.2
