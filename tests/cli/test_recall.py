"""`flowctx search` on the command line: it finds what was stored without a sidecar."""

from __future__ import annotations

import json
import time
from pathlib import Path

from click.testing import CliRunner, Result

from flowctx.cli.main import main
from tests.sliding.test_import import MAIN, host_store
from tests.support.cards import turn


def run(state: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments, "--state-dir", str(state)])


def test_what_was_imported_is_found_at_once(tmp_path):
    """Without any sidecar its messages and its cards answer the next search."""
    now = time.time_ns() // 1_000_000
    bodies = turn("Feed the walrus at noon", "It is fed and content.", now - 5_000)
    host_store(tmp_path / "state", "main", {MAIN: bodies})
    assert run(tmp_path / "state", "import", "--yes").exit_code == 0
    found = json.loads(run(tmp_path / "state", "search", "walrus", "--json").stdout)
    assert [hit["role"] for hit in found["hits"]] == ["user"]
    assert [card["session"] for card in found["cards"]] == [MAIN]
