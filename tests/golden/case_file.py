r"""Reading golden cases.

A case is headers, then sections that begin with `%%`:

    rule: test/pytest          content type of the reduction; left out where it is unchanged
    tool: exec                 also: command, exit_code
    escapes: true              \x1b, \x0d, \x00 and the like are the bytes they name
    expand: true               "@40 text {n}" stands for 40 lines; see `_expand`
    join: true                 the lines of the input are one line
    %% why
    %% input
    %% output                  left out where the text must stay as it is
    %% must_keep               written by hand, never refreshed; in order, one a line
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

from flowctx.model import ToolOutput

FOLDER = Path(__file__).parent / "reducers"
_SECTION = re.compile(r"^%% (why|input|output|must_keep)$", re.MULTILINE)
_ESCAPE = re.compile(r"\\x([0-9a-f]{2})")
_REPEAT = re.compile(r"@(\d+) (.*)")
_SLOT = re.compile(r"\{(n|w|h)(?:([+%])(\d+))?\}")
_WORDS = ("amber", "basil", "cedar", "dahlia", "ember", "fennel", "ginger", "hazel", "iris", "kelp")


@dataclass(frozen=True)
class GoldenCase:
    """One case.

    Attributes:
        path: its file.
        headers: header lines by name.
        sections: section bodies as they stand in the file.
    """

    path: Path
    headers: dict[str, str] = field(default_factory=dict)
    sections: dict[str, str] = field(default_factory=dict)

    @property
    def output(self) -> ToolOutput:
        """The tool result it is about."""
        code = self.headers.get("exit_code")
        return ToolOutput(
            text=self._text(),
            tool=self.headers.get("tool", "exec"),
            command=self.headers.get("command", ""),
            exit_code=int(code) if code else None,
        )

    @property
    def must_keep(self) -> list[str]:
        """Strings that must stand in the view, in this order."""
        return [line for line in self.sections.get("must_keep", "").split("\n") if line]

    @property
    def expected(self) -> str | None:
        """The body of the reduction; None where the text must stay unchanged."""
        return self.sections.get("output")

    def _text(self) -> str:
        text = self.sections["input"]
        if self.headers.get("expand"):
            text = "\n".join(line for each in text.split("\n") for line in _expand(each))
        if self.headers.get("join"):
            text = text.replace("\n", "")
        if self.headers.get("escapes"):
            text = _ESCAPE.sub(lambda match: chr(int(match.group(1), 16)), text)
        return text


def read_case(path: Path) -> GoldenCase:
    """Read a case file."""
    head, *parts = _SECTION.split(path.read_text("utf-8"))
    headers = dict(line.split(": ", 1) for line in head.strip().split("\n") if line)
    bodies = (body.removeprefix("\n").removesuffix("\n") for body in parts[1::2])
    sections = {
        name: re.sub(r"^\\%%", "%%", body, flags=re.MULTILINE)
        for name, body in zip(parts[::2], bodies, strict=True)
    }
    return GoldenCase(path, headers, sections)


def write_output(case: GoldenCase, output: str | None) -> None:
    """Rewrite the output section of a case, and nothing else."""
    text = case.path.read_text("utf-8")
    text = re.sub(r"^%% output\n.*?(?=^%% must_keep$|\Z)", "", text, flags=re.DOTALL | re.MULTILINE)
    if output is not None:
        section = "%% output\n" + re.sub(r"^%%", r"\\%%", output, flags=re.MULTILINE) + "\n"
        before, mark, after = text.partition("%% must_keep\n")
        text = before + section + mark + after
    case.path.write_text(text, "utf-8")


def all_cases() -> list[GoldenCase]:
    """Every case, by path."""
    return [read_case(path) for path in sorted(FOLDER.rglob("*.case"))]


def _expand(line: str) -> list[str]:
    """A line as it stands, or "@count template" once for each n from 0.

    In a template {n} is the number, {n+7} and {n%7} what they say, {w} a word
    and {h} eight hex digits that depend on n, and ⏎ a line end.
    """
    match = _REPEAT.fullmatch(line)
    if not match:
        return [line]
    count, template = int(match.group(1)), match.group(2).replace("⏎", "\n")
    return [_SLOT.sub(lambda slot: _fill(slot, n), template) for n in range(count)]  # noqa: B023


def _fill(slot: re.Match[str], n: int) -> str:
    kind, operator, operand = slot.groups()
    if operator:
        n = n + int(operand) if operator == "+" else n % int(operand)
    if kind == "w":
        return _WORDS[n * 7 % len(_WORDS)]
    return str(n) if kind == "n" else hashlib.sha256(str(n).encode()).hexdigest()[:8]
