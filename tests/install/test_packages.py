"""`make dist`: what it builds can be used without this checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from flowctx import __version__
from tests.e2e.harness.host_install import ROOT

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def dist() -> Path:
    """The folder with the packages, built anew."""
    subprocess.run(["make", "dist"], cwd=ROOT, check=True, capture_output=True)
    return ROOT / "dist"


def test_wheel_runs_in_an_empty_environment(dist: Path, tmp_path: Path) -> None:
    """The wheel brings what it needs: the command runs, the rules are in it."""
    wheel = dist / f"flowctx-{__version__}-py3-none-any.whl"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    command = [tmp_path / "env" / "bin" / "pip", "install", "--quiet", wheel]
    # This checkout on PYTHONPATH would count as installed.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run(command, env=env, check=True, capture_output=True)
    text = tmp_path / "long.txt"
    text.write_text("".join(f"{number} worker done, ok\n" for number in range(1000)))
    program = tmp_path / "env" / "bin" / "flowctx"
    said = [
        subprocess.run([program, *words], cwd=tmp_path, env=env, check=True, stdout=subprocess.PIPE)
        for words in (["--version"], ["reduce", "long.txt"])
    ]
    assert said[0].stdout.decode() == f"flowctx {__version__}\n"
    assert said[1].stdout.startswith(b"[flowctx ")


def test_npm_package_holds_the_plugin(dist: Path) -> None:
    """Manifest, bundle and license are in it, and nothing that only a build needs."""
    with tarfile.open(dist / f"flowctx-{__version__}.tgz") as package:
        names = sorted(package.getnames())
    assert names == [
        "package/LICENSE",
        "package/dist/index.js",
        "package/openclaw.plugin.json",
        "package/package.json",
    ]
