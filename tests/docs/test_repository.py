"""What several files must say alike, and what none may hold."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path

from flowctx import __version__
from tests.docs.example import ROOT

SHIM = ROOT / "plugin-shim"
# Folders of a developer's machine, and hosts of package indexes: "npmjs.org" and the like.
_PRIVATE = re.compile(
    r"/(?:work\b|tmp/wt-|root/|Users/)|registry\.[a-z]|files\.pythonhosted|pypi\.org|npmjs\.(?:org|com)"
)
_THIS = Path(__file__).relative_to(ROOT)


def _json(path: Path) -> dict[str, object]:
    content: dict[str, object] = json.loads(path.read_text())
    return content


def _tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    return [Path(name) for name in listed.stdout.split("\0") if name]


def test_versions_are_equal() -> None:
    """Package, shim, manifest and sidecar carry one version; Python takes it from the code."""
    project = tomllib.loads((ROOT / "sidecar" / "pyproject.toml").read_text())
    assert project["project"]["dynamic"] == ["version"]
    constants = (SHIM / "src" / "constants.ts").read_text()
    lock = _json(SHIM / "package-lock.json")
    assert {
        "package.json": _json(SHIM / "package.json")["version"],
        "package-lock.json": lock["version"],
        "openclaw.plugin.json": _json(SHIM / "openclaw.plugin.json")["version"],
        "constants.ts": re.findall(r'VERSION = "(.+?)"', constants)[0],
    } == dict.fromkeys(
        ("package.json", "package-lock.json", "openclaw.plugin.json", "constants.ts"), __version__
    )


def test_manifest_lists_the_tools_that_are_registered() -> None:
    """The host hides a tool that the manifest does not name."""
    constants = (SHIM / "src" / "constants.ts").read_text()
    named = re.findall(r'"((?:flowctx|sliding_context)_\w+)"', constants)
    contracts = _json(SHIM / "openclaw.plugin.json")["contracts"]
    assert contracts == {"tools": named}
    tools = "".join(path.read_text() for path in (SHIM / "src" / "tools").glob("*.ts"))
    for constant in re.findall(r"export const (\w+_TOOLS?) ", constants):
        assert len(re.findall(rf"\b{constant}\b", tools)) > 1, constant


def test_stubs_are_what_the_contract_gives(tmp_path: Path) -> None:
    """`make proto` would change nothing."""
    (tmp_path / "py").mkdir()
    (tmp_path / "ts").mkdir()
    places = (f"PROTO_PYTHON={tmp_path / 'py'}", f"PROTO_TYPESCRIPT={tmp_path / 'ts'}")
    subprocess.run(["make", "proto", *places], cwd=ROOT, capture_output=True, check=True)
    made = sorted((tmp_path / "py" / "flowctx" / "v1").iterdir())
    assert len(made) == 4
    for path in made:
        assert path.read_text() == (ROOT / "sidecar" / "flowctx" / "v1" / path.name).read_text()
    typescript = (tmp_path / "ts" / "flowctx.ts").read_text()
    assert typescript == (SHIM / "src" / "v1" / "flowctx.ts").read_text()


def test_no_file_names_a_private_place() -> None:
    """No path of a machine, and no host of a package index, is in the repository."""
    found = []
    for name in _tracked():
        if name != _THIS and (ROOT / name).is_file():
            text = (ROOT / name).read_text(errors="replace")
            found += [f"{name}: {hit.group()}" for hit in _PRIVATE.finditer(text)]
    assert found == []


def test_make_explains_itself() -> None:
    """`make` alone lists the targets and does nothing else."""
    said = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for target in ("setup", "proto", "demo", "test", "quick", "e2e", "bench", "lint", "dist"):
        assert re.search(rf"^  make {target} +\S", said, re.MULTILINE), target
