"""What the installer checks before it writes, and what it says; no host is needed for it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.e2e.harness.gateway_process import Finished
from tests.install.checkout import Checkout

HELP = Path(__file__).parent / "help.txt"


class Machine:
    """A user's machine with commands of our making before the real ones on PATH."""

    def __init__(self, folder: Path, checkout: Checkout) -> None:
        self.home = folder / "home"
        self.commands = folder / "commands"
        self.checkout = checkout
        self.home.mkdir()
        self.commands.mkdir()

    def put(self, name: str, body: str) -> None:
        command = self.commands / name
        command.write_text(f"#!/bin/sh\n{body}\n")
        command.chmod(0o755)

    def install(self, *options: str, **variables: str) -> Finished:
        env: Mapping[str, str] = {
            "HOME": str(self.home),
            "PATH": f"{self.commands}:{os.environ['PATH']}",
            **variables,
        }
        return self.checkout.install(env, *options)


@pytest.fixture
def machine(tmp_path: Path, built: Checkout) -> Machine:
    """A machine with OpenClaw of the oldest version that works; it does nothing."""
    made = Machine(tmp_path, built)
    made.put("openclaw", 'echo "OpenClaw 2026.8.1 (0000000)"')
    return made


def test_help_is_what_it_was(machine: Machine) -> None:
    """--help prints the reviewed text on stdout and does nothing else."""
    done = machine.install("--help")
    assert (done.code, done.stdout, done.stderr) == (0, HELP.read_text(), "")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--frobnicate"], "unknown option --frobnicate"),
        (["--engine"], "--engine needs the ID of an engine"),
        (["--engine", ""], "--engine needs the ID of an engine"),
        (["--engine", 'x", "y'], 'x", "y is not the ID of an engine'),
        (["--engine", "--yes"], "--engine needs the ID of an engine"),
        (["extra"], "unknown option extra"),
        *(
            ([*options.split()], f"{complaint} contradict each other")
            for options, complaint in (
                ("--no-engine --engine x", "--no-engine and --engine x"),
                ("--engine x --no-engine", "--engine x and --no-engine"),
                ("--engine x --engine y", "--engine x and --engine y"),
                ("--no-engine --config-only", "--config-only and --no-engine"),
                ("--uninstall --no-engine", "--uninstall and --no-engine"),
                ("--uninstall --engine x", "--uninstall and --engine x"),
                ("--config-only --uninstall", "--config-only and --uninstall"),
            )
        ),
    ],
)
def test_wrong_usage_is_told_in_one_line(
    machine: Machine, options: list[str], complaint: str
) -> None:
    """Unknown or incomplete options: exit code 2, one line, and where to look."""
    done = machine.install(*options)
    assert (done.code, done.stdout) == (2, "")
    assert done.stderr == f"error: {complaint}; see ./install.sh --help\n"


def test_missing_openclaw_is_told(machine: Machine) -> None:
    """Without the command nothing is written, and the message says how to name it."""
    done = machine.install(OPENCLAW_BIN="openclaw-that-is-not-there")
    assert done.code == 1
    assert done.stderr == (
        "error: openclaw-that-is-not-there was not found;"
        " install OpenClaw, or set OPENCLAW_BIN to its command\n"
    )
    assert list(machine.home.iterdir()) == []


@pytest.mark.parametrize(
    "version",
    [
        "2026.7.35",
        "OpenClaw 2026.8.0 (0000000)",
        "2026.8.1-beta.2",
        "OpenClaw 2025.12.31",
        "v2026.1.1",
    ],
)
def test_openclaw_that_is_too_old_is_told(machine: Machine, version: str) -> None:
    """Below 2026.8.1 an engine takes part in no turn, so nothing is written."""
    machine.put("openclaw", f'[ "$1" = --version ] && echo "{version}" || echo wrote >"$HOME/x"')
    done = machine.install()
    assert done.code == 1
    assert "is too old; update it to 2026.8.1 or later" in done.stderr
    assert list(machine.home.iterdir()) == []


@pytest.mark.parametrize(
    "text", ["odd", "", "error: Node 24.16 required", "Node 2026.9.1 required", "24.16", "2026"]
)
def test_version_that_cannot_be_read_is_told(machine: Machine, text: str) -> None:
    """Only a release of OpenClaw counts as its version; whatever else was said is quoted."""
    machine.put("openclaw", f'[ "$1" = --version ] && echo "{text}" || echo wrote >"$HOME/x"')
    done = machine.install()
    assert (done.code, done.stderr) == (
        1,
        f"error: openclaw --version tells no version of OpenClaw, but: {text or 'nothing'}\n",
    )
    assert list(machine.home.iterdir()) == []


def test_version_behind_warnings_is_read(machine: Machine) -> None:
    """Lines before it, as Node.js prints them, change nothing."""
    machine.put("openclaw", 'echo "(node:1) Warning: 1.2.3"; echo "OpenClaw 2026.8.0 (0)"')
    assert "OpenClaw 2026.8.0 is too old" in machine.install().stderr


_CRASH = """node:internal/modules/cjs/loader:1143
  throw err;
  ^

Error: Cannot find module 'x.mjs'
    at node:internal/main:28:49

Node.js v20.20.2"""
_NODE_20 = """
openclaw: Node 20.20.2: node:sqlite is unavailable; use 24.16+/26.1+
Install another Node.js, for example:
  nvm install 26
  nvm alias default 26"""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (_NODE_20, "openclaw: Node 20.20.2: node:sqlite is unavailable; use 24.16+/26.1+"),
        (_CRASH, "Error: Cannot find module 'x.mjs'"),
        ("needs Node.js 24", "needs Node.js 24"),
        ("killed", "killed"),
        ("", "nothing"),
    ],
)
def test_openclaw_that_does_not_run_is_told(machine: Machine, text: str, line: str) -> None:
    """Of what a command says that fails, such as under too old a Node.js, the reason is quoted."""
    machine.put("openclaw", f"cat >&2 <<'END'\n{text}\nEND\nexit 1")
    done = machine.install()
    assert (done.code, done.stderr) == (
        1,
        f"error: openclaw --version failed; run it to see why, it said: {line}\n",
    )


def test_node_that_is_too_old_is_told(machine: Machine) -> None:
    """The plugin is built with Node.js 20 or later; an older one stops before writing."""
    machine.put("node", "echo v18.19.0")
    done = machine.install()
    assert (done.code, done.stderr) == (
        1,
        "error: Node.js v18.19.0 is too old to build with; install 20 or later\n",
    )


def test_missing_npm_is_told(machine: Machine) -> None:
    """Where npm does not run, the message says what to install."""
    machine.put("npm", "exit 127")
    done = machine.install()
    assert (done.code, done.stderr) == (
        1,
        "error: node or npm was not found; install Node.js 20 or later\n",
    )


def test_python_that_is_too_old_is_told(machine: Machine) -> None:
    """PYTHON is believed only when it is 3.11 or later."""
    machine.put("python-old", "exit 1")
    done = machine.install(PYTHON="python-old")
    assert (done.code, done.stderr) == (
        1,
        "error: python-old (from PYTHON) is not Python 3.11 or later\n",
    )


def test_no_python_at_all_is_told(machine: Machine) -> None:
    """Every Python that is too old is passed over, and the message says what to do."""
    for name in ("python3", *(f"python3.{minor}" for minor in range(11, 15))):
        machine.put(name, "exit 1")
    done = machine.install()
    assert (done.code, done.stderr) == (
        1,
        "error: Python 3.11 or later was not found; install it, or set PYTHON to its path\n",
    )


def test_build_that_is_missing_is_told(tmp_path: Path, machine: Machine) -> None:
    """--no-build in a checkout that was never built says how to build it."""
    machine.put("openclaw", '[ "$1" = --version ] && echo "OpenClaw 2026.8.1" || echo "{}"')
    machine.checkout = Checkout(tmp_path / "unbuilt")
    done = machine.install("--no-build")
    assert done.code == 1
    assert done.stderr.endswith("does not run; run ./install.sh without --no-build\n")
    assert list(machine.home.iterdir()) == []


def test_build_of_another_folder_is_told(tmp_path: Path, machine: Machine) -> None:
    """In a copied checkout the environment still runs the old one's code, so it is not taken."""
    machine.put("openclaw", '[ "$1" = --version ] && echo "OpenClaw 2026.8.1" || echo "{}"')
    shutil.copytree(machine.checkout.folder, tmp_path / "copy", symlinks=True)
    machine.checkout = Checkout(tmp_path / "copy")
    done = machine.install("--no-build")
    assert done.code == 1
    assert done.stderr == (
        f"error: {tmp_path}/copy/.venv was made in another folder;"
        " run ./install.sh without --no-build\n"
    )
    assert list(machine.home.iterdir()) == []


@pytest.mark.parametrize("name", ["my $dir", "a:b"])
def test_folder_that_cannot_be_built_in_is_told(
    tmp_path: Path, machine: Machine, name: str
) -> None:
    """Characters that Python's packaging does not take are named before anything is made."""
    machine.put("openclaw", '[ "$1" = --version ] && echo "OpenClaw 2026.8.1" || echo "{}"')
    machine.checkout = Checkout(tmp_path / name)
    done = machine.install()
    assert done.code == 1
    assert done.stderr == (
        f"error: Python packages cannot be built in {tmp_path}/{name}:"
        " rename the folder, without $ and :\n"
    )
    assert not (tmp_path / name / ".venv").exists()


@pytest.mark.skipif(
    os.name == "nt" or os.getuid() != 0 or shutil.which("setpriv") is None,
    reason="only root can become somebody who may not write",
)
def test_a_clone_that_may_not_be_written_is_told() -> None:
    """In a folder of somebody else nothing is begun, and nothing in it is taken away."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        checkout = Checkout(folder / "theirs")
        (checkout.folder / ".venv").mkdir()
        (folder / "openclaw").write_text('#!/bin/sh\n[ "$2" ] && echo {} || echo 2026.8.1\n')
        (folder / "openclaw").chmod(0o755)
        env = {"HOME": "/nonexistent", "PATH": f"{folder}:{os.environ['PATH']}"}
        nobody = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
        done = checkout.run(env, *nobody, checkout.folder / "install.sh")
        assert (done.code, done.stderr) == (
            1,
            f"error: {checkout.folder} cannot be written;"
            " clone flowctx into a folder of your own\n",
        )
        assert (checkout.folder / ".venv").is_dir()


def test_why_pip_failed_is_shown(tmp_path: Path) -> None:
    """What pip said last is shown, whatever the reason was."""
    checkout = Checkout(tmp_path / "broken")
    (checkout.folder / "sidecar" / "none.lock").write_text("")
    (checkout.folder / "sidecar" / "pyproject.toml").write_text("[project\n")
    env = {**os.environ, "PIP_NO_INDEX": "1"}
    done = checkout.run(env, "sh", checkout.folder / "sidecar" / "make-venv.sh", "none.lock")
    assert done.code == 1
    assert "at the end of a table declaration" in done.stderr
    assert done.stderr.endswith("error: pip could not install flowctx; it says why above\n")


def test_truncated_script_does_nothing(machine: Machine) -> None:
    """Half a download defines functions and runs none of them."""
    script = machine.checkout.folder / "install.sh"
    whole = script.read_text()
    try:
        script.write_text(whole[: whole.rindex("main ")])
        done = machine.install()
    finally:
        script.write_text(whole)
    assert (done.code, done.stdout, done.stderr) == (0, "", "")
