"""The pointer lines around a reduction: what it is, what is missing, where the rest is.

A pointer holds nothing that changes: no clock, no counter, no path. The same
line stands first and last, so that a cut at either end still leaves one.
"""

import re
from collections.abc import Sequence

from flowctx.model import Omission, Reduction

RETRIEVE_TOOL = "flowctx_retrieve"
# Longer results are cut by the host's own pruning (head and tail of 1,500).
VIEW_MAX_CHARS = 4000

_WITH_TOOL = f"{RETRIEVE_TOOL} hash="
_WITHOUT_TOOL = "original "
_POINTER = re.compile(
    rf"^\[flowctx [^\n]* · (?:{_WITH_TOOL}|{_WITHOUT_TOOL})([0-9a-f]{{24}})\]$", re.MULTILINE
)
# What a tool's name may hold on a pointer line, and how much of it is named.
_NOT_IN_NAMES = re.compile(r"[^\w.:/@-]+")
_NAME_CHARS = 60


def render_view(reduction: Reduction, *, tool: str, original_hash: str) -> str:
    """The text that stands for a reduced result: pointer, reduction, pointer."""
    pointer = render_pointer(reduction, tool=tool, original_hash=original_hash)
    return f"{pointer}\n{reduction.body}\n{pointer}"


def render_pointer(reduction: Reduction, *, tool: str, original_hash: str) -> str:
    """One pointer line."""
    name = _NOT_IN_NAMES.sub("_", tool)[:_NAME_CHARS]
    parts = [
        reduction.type,
        _left_out(reduction.omissions),
        reduction.note,
        name,
        f"{_WITH_TOOL}{original_hash}",
    ]
    return f"[flowctx {' · '.join(part for part in parts if part)}]"


def _left_out(omissions: Sequence[Omission]) -> str:
    """What is missing, per unit; beside another one, characters are cuts in what is shown."""
    others = [omission for omission in omissions if omission.unit != "characters"]
    told = [f"{each.omitted} of {each.total} {each.unit} omitted" for each in others or omissions]
    cut = sum(omission.omitted for omission in omissions if omission.unit == "characters")
    return ", ".join(told + [f"{cut} characters cut from what is shown"] * bool(cut and others))


def render_stub(text: str, *, why: str, kind: str, tool: str, original_hash: str) -> str:
    """One line for a result that is left out altogether, because another one stands for it."""
    lines = text.rstrip("\n").count("\n") + 1
    gone = Reduction(kind, "", (Omission("lines", lines, lines),), why)
    return render_pointer(gone, tool=tool, original_hash=original_hash)


def without_tool_hint(view: str) -> str:
    """The same view for a run that has no tool to retrieve with."""
    return _POINTER.sub(lambda line: line.group().replace(_WITH_TOOL, _WITHOUT_TOOL), view)


def marked_hashes(text: str) -> frozenset[str]:
    """Hashes that pointer lines in a text name."""
    return frozenset(_POINTER.findall(text))
