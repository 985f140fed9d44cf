"""Purging is no repair: a damaged store is left for the sidecar to set aside."""

from __future__ import annotations

import pytest

from tests.support.state import damage, fill, run

GARBAGE = b"this was a database once " * 200
PURGES = [["--older-than", "30d"], ["--session", "agent:main:main"]]


@pytest.mark.parametrize("selection", PURGES, ids=" ".join)
@pytest.mark.parametrize("dry", [[], ["--dry-run"]], ids=["for good", "dry"])
@pytest.mark.parametrize("how", ["header", "behind it"])
def test_a_purge_leaves_a_damaged_store_as_it_is(tmp_path, selection, dry, how):
    """It is refused and nothing is renamed, begun or changed."""
    paths = fill(tmp_path)
    if how == "header":
        paths.database.write_bytes(GARBAGE)
    else:
        damage(paths)
    before = paths.database.read_bytes()
    result = run(tmp_path, "purge", *selection, *dry)
    assert result.exit_code == 1 and result.stdout == ""
    assert "damaged" in result.stderr
    assert paths.database.read_bytes() == before
    assert [file.name for file in paths.home.glob("*.damaged-*")] == []
