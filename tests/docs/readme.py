"""The parts of the README that are made from the code, each between two marks.

A part called `settings` lies between `<!-- settings: made by make docs -->` and
`<!-- settings: end -->`.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import orjson

from flowctx.config import ALIASES, SETTINGS
from flowctx.embedding_settings import EMBEDDING_GROUP, EMBEDDING_SETTINGS
from flowctx.setting import Setting, attribute_of
from flowctx.sliding_settings import GROUP, SLIDING_SETTINGS
from tests.docs.example import COMMAND, ROOT, RUN, SESSION, shown, stored_example

README = ROOT / "README.md"
REDUCE = f'flowctx reduce {RUN.name} --tool exec --command "{COMMAND}" --exit-code 1'
_HEAD_LINES, _TAIL_LINES = 8, 15
_ALL_SOURCES = (ROOT / "sidecar" / "flowctx", "*.py"), (ROOT / "plugin-shim" / "src", "*.ts")


def refreshed(text: str) -> str:
    """The README with every made part made anew.

    Raises:
        KeyError: it has marks of a part that nobody makes.
    """
    return re.sub(
        r"(<!-- (\w+): made by make docs -->\n).*?(<!-- \2: end -->)",
        lambda mark: f"{mark[1]}{_PARTS[mark[2]]()}\n{mark[3]}",
        text,
        flags=re.DOTALL,
    )


def part_names() -> frozenset[str]:
    """Names of all parts."""
    return frozenset(_PARTS)


def is_active(setting: Setting) -> bool:
    """True when something besides the reading of settings asks for this one."""
    asked = f".{attribute_of(setting.key)}", f'settings["{setting.key}"]'
    sources = (path for folder, kind in _ALL_SOURCES for path in folder.rglob(kind))
    return any(
        re.search(rf"{re.escape(word)}(?!\w)", path.read_text())
        for path in sources
        if path.name != "config.py"
        for word in asked
    )


def _settings() -> str:
    rows = ["| key | default | range | effect |", "|---|---|---|---|"]
    for setting in SETTINGS:
        later = "" if is_active(setting) else " *(not active yet)*"
        names = [alias for alias, key in ALIASES.items() if key == setting.key]
        also = f" (also `{names[0]}`)" if names else ""
        rows.append(
            f"| `{setting.key}`{also} | {_value(setting.default)} | {_range(setting)} |"
            f" {setting.effect}{later} |"
        )
    rows.extend(
        f"| `{GROUP}.{setting.key}` | {_value(setting.default)} | {_range(setting)} |"
        f" {setting.effect} |"
        for setting in SLIDING_SETTINGS
    )
    rows.extend(
        f"| `{GROUP}.{EMBEDDING_GROUP}.{setting.key}` | {_value(setting.default)} |"
        f" {_range(setting)} | {setting.effect} |"
        for setting in EMBEDDING_SETTINGS
    )
    return "\n".join(rows)


def _range(setting: Setting) -> str:
    if isinstance(setting.default, tuple):
        return "list of texts"
    if setting.low is None or setting.high is None:
        words = "true, false" if isinstance(setting.default, bool) else "any text"
        return ", ".join(setting.choices) or words
    return f"{_value(setting.low)} – {_value(setting.high)} {setting.unit}".strip()


def _value(value: float | str | tuple[str, ...]) -> str:
    if value == "":
        return "*(empty)*"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _before_after() -> str:
    rows = RUN.read_text().splitlines()
    cut = f"        … {len(rows) - _HEAD_LINES - _TAIL_LINES} more lines like these …"
    figures = orjson.loads(shown(f"{REDUCE} --json"))
    before, after = figures["tokens_before"], figures["tokens_after"]
    fewer = 100 - 100 * after / before
    return "\n".join(
        [
            f"**Before**: {before:,} tokens, in every request from now on.",
            "",
            *_fenced("text", [*rows[:_HEAD_LINES], cut, *rows[-_TAIL_LINES:]]),
            "",
            f"**After**: {after:,} tokens ({fewer:.0f} % fewer), from the next turn on.",
            "",
            *_fenced("text", shown(REDUCE).splitlines()),
        ]
    )


def _commands() -> str:
    out: list[str] = []
    with tempfile.TemporaryDirectory() as folder, stored_example(Path(folder)):
        hash_ = orjson.loads(shown(f"{REDUCE} --json"))["hash"]
        for line, text, limit in _EXAMPLES:
            command = line.format(hash=hash_)
            state = None if command.startswith("flowctx reduce") else Path(folder)
            rows = shown(command, state).splitlines()
            more = [f"… {len(rows) - limit} more lines …"] if len(rows) > limit else []
            out += [text, "", *_fenced("console", [f"$ {command}", *rows[:limit], *more]), ""]
    return "\n".join(out).rstrip()


def _fenced(kind: str, rows: list[str]) -> list[str]:
    return [f"```{kind}", *rows, "```"]


def _targets() -> str:
    said = subprocess.run(
        ["make", "--no-print-directory", "help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return "\n".join(_fenced("text", said.stdout.rstrip().splitlines()))


# Command line, what it is for, and how many lines of its output are shown.
_EXAMPLES = (
    ("flowctx status", "**Is it really in use?** If not, it says why, and exits with 1.", 20),
    ("flowctx doctor", "**Is everything sound?** Each line says what to do when it is not.", 30),
    ("flowctx sessions", "**What is stored?**", 20),
    ("flowctx stats", "**What did it take off the prompts?**", 20),
    (f"flowctx explain {SESSION}", "**Why does each message look as it does?**", 20),
    ("flowctx retrieve {hash}", "**Give me an original**, byte for byte.", 4),
    ("flowctx retrieve {hash} --grep FAILED --context 1", "**Only a part of it:** lines, matches,"
     " a path in JSON, rows and columns.", 20),
    ("flowctx search 'which coupon test failed'", "**Where was that?** Words, phrases, filters.",
     20),
    ("flowctx pins", "**What stays in view word for word?** `flowctx pin TEXT` sets one and"
     " `flowctx unpin ID`\nremoves it, or in a chat `/flowctx pin` and `/flowctx unpin`.", 20),
    (f"flowctx preview {SESSION} --budget 300", "**What would the next round fold?**", 20),
    (f"{REDUCE} --json", "**How would this output look once it is old?** Without `--json`: as the"
     " model sees it.", 4),
    ("flowctx sliding list", "**What do sessions leave for one another?** Also `stats` and `clear`;"
     " inside OpenClaw `openclaw sc list`.", 10),
    ("flowctx import", "**Bring in the sessions OpenClaw already has**: `--yes` does it.", 4),
    (f"flowctx purge --session {SESSION} --dry-run", "**Delete for good** a session (or `--hash"
     " HASH`, `--older-than 30d`).", 4),
)  # fmt: skip

_PARTS: Mapping[str, Callable[[], str]] = {
    "before_after": _before_after,
    "settings": _settings,
    "commands": _commands,
    "targets": _targets,
}
