"""What the README says is what there is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from flowctx import __version__
from flowctx.cli.main import COMMANDS, main
from flowctx.config import SETTINGS
from tests.docs.example import ROOT
from tests.docs.readme import README, is_active, part_names, refreshed

TEXT = README.read_text()
# Where each command that a reader may copy is run; "here" is test_command_runs_here.
COVERED = {
    "./install.sh": "tests/install/test_install.py::test_fresh_checkout_is_built_installed",
    "./install.sh --help": "here",
    "./install.sh --uninstall": "tests/install/test_install.py::test_twice_and_back",
    "openclaw gateway restart": "tests/install/test_install.py::test_fresh_checkout_is_built",
    "openclaw config set plugins.entries.flowctx.config.projectionThreshold 2000": (
        "tests/install/test_install.py::test_twice_and_back"
    ),
    ".venv/bin/pip install --require-hashes -r sidecar/requirements-embedding.lock": (
        "tests/docs/test_readme.py::test_what_embeddings_need_agrees_with_the_rest"
    ),
    "make demo": "tests/e2e/test_demo.py::test_",
}


def commands() -> list[str]:
    """Every line of every block that a reader may copy into a shell."""
    blocks = re.findall(r"^```sh\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines()]


def test_made_parts_are_current() -> None:
    """Settings, examples and their figures are what the code gives now: else `make docs`."""
    assert set(re.findall(r"<!-- (\w+): made by make docs -->", TEXT)) == part_names()
    assert refreshed(TEXT) == TEXT


def test_every_setting_is_in_the_table_and_marked_when_it_does_nothing() -> None:
    """A key that nothing asks for yet says so, and only such a key."""
    for setting in SETTINGS:
        row = re.search(rf"^\| `{setting.key}`.*$", TEXT, re.MULTILINE)
        assert row is not None, setting.key
        assert ("not active yet" in row.group()) is not is_active(setting)


@pytest.mark.parametrize("command", sorted(set(commands())))
def test_command_is_run_by_a_test(command: str) -> None:
    """Each command of the README is one that a named test runs."""
    where = COVERED[command]
    if where != "here":
        file, test = where.split("::")
        assert f"def {test}" in (ROOT / file).read_text()


def test_command_runs_here() -> None:
    """The commands that need neither a host nor time do run."""
    for command in (each for each, where in COVERED.items() if where == "here"):
        done = subprocess.run(command.split(), cwd=ROOT, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")


def test_what_embeddings_need_agrees_with_the_rest() -> None:
    """The lock of the extra changes no package that is there already."""
    lock = "sidecar/requirements-embedding.lock"
    command = [sys.executable, "-m", "pip", "install", "--no-index", "--require-hashes", "-r", lock]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_subcommand_is_documented_and_has_help(name: str) -> None:
    """Every subcommand is shown in the README and explains itself."""
    assert f"flowctx {name}" in TEXT
    said = CliRunner().invoke(main, [name, "--help"])
    assert said.exit_code == 0
    assert len(said.output.splitlines()) > 5


@pytest.mark.parametrize("file", re.findall(r"\]\((?!https?:)([^)#]+)\)", TEXT))
def test_links_lead_somewhere(file: str) -> None:
    """What the README links to is in the repository."""
    assert (ROOT / file).exists()


def test_changelog_has_this_version() -> None:
    """The changelog follows its format and names the version that is built."""
    text = Path(ROOT / "CHANGELOG.md").read_text()
    headings = re.findall(r"^## \[(.+?)\]", text, re.MULTILINE)
    assert headings[:2] == ["Unreleased", __version__]


def test_installers_options_are_explained() -> None:
    """What changes the installer's work is in the README as well as in its help."""
    said = subprocess.run(
        [ROOT / "install.sh", "--help"], capture_output=True, text=True, check=True
    )
    for option in re.findall(r"^  (--(?!yes|help)[a-z-]+)", said.stdout, re.MULTILINE):
        assert option in TEXT
