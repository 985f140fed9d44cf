"""The shape of the code: small files and functions, and imports that point one way."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.example import ROOT

PACKAGE = ROOT / "sidecar" / "flowctx"
FILE_LINES, FUNCTION_LINES, PARAMETERS = 300, 40, 5
CORE = "core"
# What each part may import besides itself (cli is on top, core knows nobody).
MAY_IMPORT = {
    CORE: set(),
    "store": {CORE},
    "reducers": {CORE},
    "dag": {CORE},
    "view": {CORE},
    "excerpt": {CORE},
    "service": {CORE, "store", "reducers", "dag", "view", "excerpt"},
    "rpc": {CORE, "store", "service", "excerpt", "v1"},
    "replay": {CORE, "store", "reducers", "dag", "view", "service"},
    "cli": {CORE, "store", "reducers", "service", "excerpt", "rpc", "replay"},
    "__main__": {"cli"},
}
# Libraries that one part alone may know.
OWNERS = {"grpc": "rpc", "grpc_health": "rpc", "google": "rpc", "apsw": "store", "click": "cli"}
_TS_HEAD = re.compile(
    r"^(?P<indent> *)(?:export |default |async |private |static |get )*"
    r"(?:function \w+|(?!if\b|for\b|while\b|switch\b|catch\b|return\b)[a-z]\w*)(?:<[^>]*>)?\("
)


def _sources(*kinds: str) -> list[Path]:
    folders = (ROOT / "sidecar", ROOT / "plugin-shim" / "src", ROOT / "tests")
    return [
        path
        for folder in folders
        for kind in kinds
        for path in sorted(folder.rglob(kind))
        if not {"v1", "node_modules", "build"} & set(path.parts)
    ]


def test_files_are_short() -> None:
    """No hand-written source file has more than 300 lines."""
    sizes = {path: len(path.read_text().splitlines()) for path in _sources("*.py", "*.ts", "*.sh")}
    assert len(sizes) > 100
    assert {str(path): size for path, size in sizes.items() if size > FILE_LINES} == {}


def test_python_functions_are_short() -> None:
    """No function has more than 40 lines without its docstring, or more than 5 parameters.

    Commands have one parameter for each option, so only their length counts.
    """
    wrong = []
    for path in _sources("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines, parameters = _length(node), _parameters(node)
                if lines > FUNCTION_LINES or (parameters > PARAMETERS and not _is_command(node)):
                    wrong.append(f"{path}:{node.lineno} {node.name}: {lines}, {parameters}")
    assert wrong == []


def test_typescript_functions_are_short() -> None:
    """The same for the shim, whose functions end at the brace of their own indentation."""
    found = [each for path in _sources("*.ts") for each in _typescript_functions(path)]
    assert len(found) > 100
    assert [
        f"{where}: {lines}, {parameters}"
        for where, lines, parameters in found
        if lines > FUNCTION_LINES or parameters > PARAMETERS
    ] == []


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda p: p.stem)
def test_imports_point_one_way(path: Path) -> None:
    """Each part imports only what lies below it, and each library has one owner."""
    part = _part(path.relative_to(PACKAGE).with_suffix("").parts)
    if part == "v1":
        return
    for name in _imported(ast.parse(path.read_text())):
        words = name.split(".")
        if words[0] == "flowctx":
            other = _part(tuple(words[1:]))
            assert other in MAY_IMPORT[part] | {part}, f"{part} imports {name}"
        else:
            assert OWNERS.get(words[0], part) == part, f"{part} imports {name}"


def _part(parts: tuple[str, ...]) -> str:
    if parts and (parts[0] == "__main__" or (PACKAGE / parts[0]).is_dir()):
        return parts[0]
    return CORE


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            # `from flowctx import x` names either a module or a value of the package.
            yield from (
                f"{node.module}.{alias.name}" if node.module == "flowctx" else node.module
                for alias in node.names
            )


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
    return (node.end_lineno or 0) - body[0].lineno + 1


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    arguments = node.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return len([each for each in named if each.arg not in ("self", "cls")])


def _is_command(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("click.command" in ast.unparse(each) for each in node.decorator_list)


def _typescript_functions(path: Path) -> Iterator[tuple[str, int, int]]:
    rows = path.read_text().splitlines()
    for at, row in enumerate(rows):
        head = _TS_HEAD.match(row)
        end = _closing_row(rows, at, head["indent"]) if head else None
        if head and end is not None:
            text = "\n".join(rows[at : end + 1])
            yield f"{path}:{at + 1}", end - at + 1, _typescript_parameters(text, head.end())


def _closing_row(rows: list[str], at: int, indent: str) -> int | None:
    for end in range(at, len(rows)):
        if re.match(rf"{indent}\}}", rows[end]) and end > at:
            return end
        if rows[end].startswith(f"{indent})") and not rows[end].endswith("{"):
            return None
        if end == at and not rows[end].endswith(("{", "(")):
            return None
    return None


def _typescript_parameters(text: str, start: int) -> int:
    depth, commas, last = 1, 0, start
    inside = text.replace("=>", "  ")
    for at in range(start, len(inside)):
        depth += (inside[at] in "([{<") - (inside[at] in ")]}>")
        if depth == 0:
            return commas + bool(inside[last:at].strip())
        if depth == 1 and inside[at] == ",":
            commas, last = commas + 1, at + 1
    return commas
