"""What the command line says when it cannot do what was asked."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from flowctx.cli.main import main

HASH = "0" * 24
WITHOUT_STORE = [
    ["sessions"],
    ["stats"],
    ["explain", "agent:main:main"],
    ["retrieve", HASH],
    ["purge", "--session", "agent:main:main"],
    ["purge", "--hash", HASH, "--dry-run"],
]


def run(state, *arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments, "--state-dir", str(state)])


@pytest.mark.parametrize("arguments", WITHOUT_STORE, ids=" ".join)
def test_without_a_store_nothing_is_made(tmp_path, arguments):
    """Looking, and even deleting, where nothing is stored says so and leaves the folder alone."""
    result = run(tmp_path, *arguments)
    assert result.exit_code == 1
    assert "There is no store" in result.stderr and result.stdout == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", WITHOUT_STORE, ids=" ".join)
def test_with_json_an_error_is_a_document_too(tmp_path, arguments):
    """A program that reads stdout gets the kind and the message of the error."""
    result = run(tmp_path, *arguments, "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)["error"]
    assert told["kind"] == "StoreError" and told["message"] in result.stderr


def test_status_without_anything_says_never(tmp_path):
    """Nothing offered yet is no time at all."""
    result = run(tmp_path, "status")
    assert result.exit_code == 1 and "last offered   never\n" in result.stdout


def test_a_file_that_is_missing_is_named(tmp_path):
    """The path stands in the message."""
    result = CliRunner().invoke(main, ["reduce", str(tmp_path / "none.txt")])
    assert result.exit_code != 0 and "none.txt" in result.stderr
