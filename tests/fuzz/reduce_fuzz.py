"""Coverage-guided fuzzing of the reducers; run by hand, needs the package atheris.

    PYTHONPATH=sidecar:. python -m tests.fuzz.reduce_fuzz -max_total_time=600 corpus/

Files of the corpus are tool outputs; the golden cases and the hostile texts of
the tests are taken in on the first run. What fails is written as `crash-…`.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["flowctx.reducers"]):
    from flowctx.reducers.pipeline import explain_output

from flowctx.model import Reduction, ToolOutput
from tests.golden.case_file import all_cases
from tests.reducers.honesty import faults
from tests.reducers.hostile import TEXTS

COMMANDS = (
    "",
    "cat a.py",
    "cat a.rs",
    "rg -n x",
    "git diff",
    "git log",
    "pytest -q",
    "make",
    "ls -R",
)
# Generous: the machine may be busy, and instrumented code is some times slower.
_MAX_SECONDS, _MAX_SECONDS_PER_MB = 2.0, 20.0


class UnsoundError(AssertionError):
    """A reducer gave up, took too long, or was not honest."""


def try_text(data: bytes) -> None:
    """Reduce one text and check what comes out."""
    command = COMMANDS[data[0] % len(COMMANDS)] if data else ""
    text = data[1:].decode("utf-8", "surrogateescape")
    start = time.process_time()
    explained = explain_output(ToolOutput(text, "exec", command, exit_code=1))
    seconds = time.process_time() - start
    if seconds > _MAX_SECONDS + _MAX_SECONDS_PER_MB * len(data) / 1e6:
        raise UnsoundError(f"{seconds:.1f} s for {len(data)} bytes")
    gave_up = [step for step in explained.steps if step.outcome.startswith("gave up")]
    if gave_up:
        raise UnsoundError(gave_up[0].outcome)
    result = explained.result
    if isinstance(result, Reduction) and "\r" not in text and "\b" not in text:
        wrong = faults(text, result)
        if wrong:
            raise UnsoundError(wrong[0])


def seed(corpus: Path) -> None:
    """Begin a corpus with texts of every kind."""
    if any(corpus.iterdir()):
        return
    texts = [case.output.text for case in all_cases()]
    for number, text in enumerate([*texts, *(text[:4000] for text in TEXTS.values())]):
        body = text.encode("utf-8", "surrogatepass")
        (corpus / f"seed-{number:03}").write_bytes(bytes([number % len(COMMANDS)]) + body)


def main() -> None:
    """Fuzz until told to stop."""
    for folder in map(Path, sys.argv[1:]):
        if folder.is_dir():
            seed(folder)
    atheris.Setup(sys.argv, try_text)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
