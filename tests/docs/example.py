"""A stored session, and what the command line shows of it: the examples in the README."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from flowctx import __version__
from flowctx.paths import StatePaths
from flowctx.service.context import Context
from flowctx.service.events import Outcome, record_outcome
from flowctx.service.hello import ShimFacts, greet
from flowctx.service.recall.pins import pin
from tests.support.host import HostSession, open_context
from tests.support.sidecar import attached
from tests.support.transcripts import assistant, call, result, user

ROOT = Path(__file__).resolve().parents[2]
RUN = ROOT / "tests" / "docs" / "examples" / "test-run.txt"
COMMAND = "pytest -v"
SESSION = "agent:main:main"
_NOW_MS = 1_795_000_000_000
_TURN_MS = 60_000
_HOST_VERSION, _NODE_VERSION = "2026.9.6", "24.22.3"
# What decides how output looks, and that it is this checkout which prints it.
_ENV = {
    "PATH": "/usr/bin:/bin",
    "PYTHONPATH": str(ROOT / "sidecar"),
    "COLUMNS": "80",
    "NO_COLOR": "1",
    "LANG": "C.UTF-8",
}
_CONFIG = {
    "plugins": {
        "slots": {"contextEngine": "flowctx"},
        "entries": {"flowctx": {"enabled": True, "llm": {"allowAgentIdOverride": True}}},
    }
}


@contextmanager
def stored_example(state: Path) -> Iterator[None]:
    """A state directory with one session of a test run, and its sidecar running."""
    (state / "openclaw.json").write_text(json.dumps(_CONFIG))
    plugin = state / "extensions" / "flowctx"
    plugin.mkdir(parents=True)
    shutil.copy(ROOT / "plugin-shim" / "openclaw.plugin.json", plugin)
    home = state / "flowctx"
    home.mkdir(mode=0o700)
    context = open_context(home)
    context.now_ms = lambda: _NOW_MS
    try:
        _hold_session(context)
    finally:
        context.close()
    with _sidecar(state), attached(StatePaths(state)):
        yield


def shown(line: str, state: Path | None = None) -> str:
    """What a command line prints, with the folder, process and path that differ made alike.

    Args:
        line: as the README shows it; `flowctx` is this checkout's.
        state: the state directory it looks at, where it looks at one.
    """
    words = [word.strip("'\"") for word in re.findall(r"'[^']*'|\"[^\"]*\"|\S+", line)]
    options = ["--state-dir", str(state)] if state else []
    done = subprocess.run(
        [sys.executable, "-m", "flowctx", *words[1:], *options],
        cwd=RUN.parent,
        env=_ENV,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    said = done.stdout + done.stderr
    if state:
        said = said.replace(str(state), "~/.openclaw")
    said = re.sub(r"process \d+", "process 4242", said)
    return "\n".join(row.rstrip() for row in said.strip("\n").splitlines())


def _hold_session(context: Context) -> None:
    facts = ShimFacts(__version__, "gateway", _HOST_VERSION, _NODE_VERSION, b"{}")
    greet(context, facts)
    session = HostSession(context, SESSION)
    bodies = [
        user("Run the tests.", timestamp=_NOW_MS - 3 * _TURN_MS),
        assistant(call("c1", command=COMMAND), timestamp=_NOW_MS - 2 * _TURN_MS),
        result("c1", RUN.read_text(), timestamp=_NOW_MS - 2 * _TURN_MS),
        assistant("One of 76 fails: coupons cut the cents off.", timestamp=_NOW_MS - _TURN_MS),
    ]
    for body in bodies:
        session.observe(body)
    session.settle()
    session.assemble(bodies)
    outcome = Outcome(used=True, reason="", waited_ms=3, told_ms=_NOW_MS)
    record_outcome(context, session.state, outcome)
    pin(context, session.state, "Never push to main without asking.", "agent")
    session.settle()
    context.index.drain(context.settings)


@contextmanager
def _sidecar(state: Path) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "-m", "flowctx", "serve", "--state-dir", str(state)],
        env=_ENV,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert _first_line(process.stdout).startswith("READY ")
        yield
    finally:
        process.terminate()
        process.communicate(timeout=30)


def _first_line(stream: IO[str] | None) -> str:
    assert stream is not None
    return stream.readline()
