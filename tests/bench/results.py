"""`bench/RESULTS.md`: one section per benchmark, each replaced by its newest run."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from flowctx import __version__

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "bench" / "RESULTS.md"
_HEAD = """# Results of `make bench`

Each section is one run on one machine: compare the ratios inside it, not figures across sections.
"""


def write_section(title: str, lines: list[str]) -> None:
    """Print a section and put it in place of the one with the same title."""
    body = "\n".join([f"## {title}", "", _origin(), "", *lines, ""])
    print(f"\n{body}")  # noqa: T201
    text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else _HEAD
    old = re.compile(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    kept = old.sub("", text).rstrip("\n")
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(f"{kept}\n\n{body}", encoding="utf-8")


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """A Markdown table."""
    ruled = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(row)} |" for row in ruled]


def _origin() -> str:
    commit = subprocess.run(
        ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    day = datetime.now(UTC).date().isoformat()
    machine = f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    return f"flowctx {__version__} ({commit or 'no commit'}), {day}, {machine}; `make bench`"
