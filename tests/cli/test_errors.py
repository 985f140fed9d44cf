"""What the command line says when it cannot do what was asked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner

from flowctx.cli.main import main
from flowctx.paths import StatePaths
from tests.support.host import HostSession, open_context
from tests.support.sidecar import PATIENCE_S, SidecarProcess
from tests.support.state import fill, run
from tests.support.turns import turns

FULL = Path("/dev/full")

HASH = "0" * 24
WITHOUT_STORE = [
    ["sessions"],
    ["stats"],
    ["explain", "agent:main:main"],
    ["retrieve", HASH],
    ["purge", "--session", "agent:main:main"],
    ["purge", "--hash", HASH, "--dry-run"],
]


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
    assert told["kind"] == "StoreMissingError" and told["message"] in result.stderr


def test_status_without_anything_says_never(tmp_path):
    """Nothing offered yet is no time at all."""
    result = run(tmp_path, "status")
    assert result.exit_code == 1 and "last offered   never\n" in result.stdout


def test_doctor_says_what_to_do_about_a_setting(tmp_path):
    """Each setting that was not taken comes with the commands that change it or leave it out."""
    plugins = {"entries": {"flowctx": {"config": {"projectionThreshold": "many"}}}}
    (tmp_path / "openclaw.json").write_text(json.dumps({"plugins": plugins}))
    checks = json.loads(run(tmp_path, "doctor", "--json").stdout)["checks"]
    (hint,) = [each["hint"] for each in checks if each["name"] == "setting projectionThreshold"]
    key = "plugins.entries.flowctx.config.projectionThreshold"
    assert f"`openclaw config set {key} VALUE`" in hint
    assert f"`openclaw config unset {key}`" in hint


INSTALL = "run `./install.sh` in flowctx's folder."
ENABLE = "run `openclaw plugins enable flowctx`."


@pytest.mark.parametrize(
    ("plugins", "is_linked", "step"),
    [
        (None, False, INSTALL),
        ({}, False, INSTALL),
        ({"slots": {"contextEngine": "legacy"}}, False, INSTALL),
        # What the host's own uninstall leaves.
        ({"entries": {"flowctx": {"enabled": False}}}, False, INSTALL),
        ({"slots": {"contextEngine": "flowctx"}}, False, INSTALL),
        ({"slots": {"contextEngine": "legacy"}}, True, ENABLE),
        (
            {"slots": {"contextEngine": "flowctx"}, "entries": {"flowctx": {"enabled": False}}},
            True,
            ENABLE,
        ),
    ],
)
@pytest.mark.parametrize("command", ["status", "doctor"])
def test_the_next_step_is_one_that_works(tmp_path, plugins, is_linked, step, command):
    """Only a plugin that is there can be enabled; where there is none it is installed first."""
    if is_linked:
        manifest = tmp_path / "flowctx" / "plugin-shim" / "openclaw.plugin.json"
        manifest.parent.mkdir(parents=True)
        manifest.write_text('{"id": "flowctx"}')
        plugins = {**plugins, "load": {"paths": [str(manifest.parent)]}}
    if plugins is not None:
        (tmp_path / "openclaw.json").write_text(json.dumps({"plugins": plugins}))
    said = run(tmp_path, command).stdout
    other = ENABLE if step == INSTALL else INSTALL
    assert step[1:] in said and other[1:] not in said


def test_a_file_that_is_missing_is_named(tmp_path):
    """The path stands in the message."""
    result = CliRunner().invoke(main, ["reduce", str(tmp_path / "none.txt")])
    assert result.exit_code != 0 and "none.txt" in result.stderr


def test_figures_of_a_session_that_is_not_stored_are_an_error(tmp_path):
    """The name of no session is told, as explain does, instead of an empty table."""
    fill(tmp_path)
    for command in ("stats", "explain"):
        result = run(tmp_path, command, "nosuch")
        assert result.exit_code == 1 and "No session 'nosuch' is stored." in result.stderr
    assert run(tmp_path, "stats", "agent:main:main").exit_code == 0


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full here")
@pytest.mark.parametrize(
    "arguments",
    [["reduce", __file__], ["reduce", __file__, "--json"], ["status"], ["status", "--json"]],
    ids=" ".join,
)
def test_output_that_cannot_be_written_is_told_in_one_line(tmp_path, arguments):
    """A full disk behind a redirection is no crash."""
    fill(tmp_path)
    state = [] if arguments[0] == "reduce" else ["--state-dir", str(tmp_path)]
    with FULL.open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "flowctx", *arguments, *state],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == "Error: The output could not be written (No space left on device).\n"


def test_a_sidecar_that_was_killed_is_told_in_a_short_line(tmp_path):
    """What the transport says of a dead address is not shown."""
    with TemporaryDirectory(prefix="fx-") as name:
        sidecar = SidecarProcess(Path(name))
        sidecar.kill()
        sidecar.close()
        result = run(Path(name), "status")
        (reason,) = [line for line in result.stdout.splitlines() if "does not run" in line]
        assert len(reason) < 120 and "ipv4" not in reason and "Nothing answers at unix:" in reason


@pytest.mark.parametrize("command", ["status", "doctor"])
@pytest.mark.parametrize("name", ["", "run", "log"])
def test_what_is_in_the_way_of_a_sidecar_is_named(tmp_path, command, name):
    """A file where a folder has to be: the path and what to do, not just that none runs."""
    (tmp_path / "flowctx").mkdir()
    obstacle = tmp_path / "flowctx" / name
    if not name:
        obstacle.rmdir()
    obstacle.write_text("in the way")
    said = run(tmp_path, command).stdout
    assert f"{obstacle} is not a folder: move it away" in said


def test_why_the_last_sidecar_did_not_start_is_told(tmp_path):
    """What only the sidecar itself finds out stands in its log, and in the status."""
    with TemporaryDirectory(prefix="fx-") as name:
        paths = StatePaths(Path(name))
        paths.lock.mkdir(parents=True)
        sidecar = SidecarProcess(Path(name))
        assert sidecar.process.wait(PATIENCE_S) == 1
        sidecar.close()
        said = run(Path(name), "status").stdout
        assert "the last one could not start: " in said and str(paths.lock) in said


@pytest.mark.parametrize("width", [None, 80, 40])
@pytest.mark.parametrize("command", ["sessions", "stats"])
def test_the_key_of_a_session_stays_whole(tmp_path, command, width):
    """It is copied, and looked for with other programs, at whatever width and in a pipe."""
    paths = fill(tmp_path)
    key = "agent:main:telegram:group:-1009876543210:topic:77"
    context = open_context(paths.home)
    HostSession(context, key).assemble(turns(2))
    context.close()
    env = {"COLUMNS": str(width)} if width else {"COLUMNS": None}
    said = CliRunner(env=env).invoke(main, [command, "--state-dir", str(tmp_path)]).stdout
    (line,) = [line for line in said.splitlines() if key in line]
    assert width or "open" in line or "%" in line


@pytest.mark.parametrize("command", ["status", "doctor"])
@pytest.mark.parametrize("width", [80, 40])
def test_lines_fit_the_width_that_is_asked_for(tmp_path, command, width):
    """Long lines go on below, set in; without a width they stay whole."""
    settings = {"projectionThreshold": "a text of some length", "shortTermMemory": "yes"}
    plugins = {"entries": {"flowctx": {"config": settings}}}
    (tmp_path / "openclaw.json").write_text(json.dumps({"plugins": plugins}))
    whole = run(tmp_path, command).stdout
    fitted = CliRunner(env={"COLUMNS": str(width)}).invoke(
        main, [command, "--state-dir", str(tmp_path)]
    )
    assert max(map(len, whole.splitlines())) > 80
    words = [word for word in fitted.stdout.split() if len(word) < width - 20]
    lines = [line for line in fitted.stdout.splitlines() if set(line.split()) <= set(words)]
    assert lines and max(map(len, lines)) <= width
    assert fitted.stdout.split() == whole.split()
