"""Checking a reduction against its original, without the code that made it."""

from __future__ import annotations

import re

from flowctx.model import Reduction

_MARK = re.compile(r"\[… (\d+) (?:([a-z ]+?) omitted(?:, [^\]]*)?|omitted) …\]")
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[ -/]*[0-~])?")

# What a terminal does not show has no place in the text to stand a mark.
_UNSEEN = ("line states", "escape sequences")
_BACKSPACE = re.compile(r"[^\n\x08]\x08")


def faults(text: str, reduction: Reduction) -> list[str]:
    """What is wrong with a reduction of a text; empty when it is honest."""
    text = _as_shown(text)
    found: list[str] = []
    sums: dict[str, int] = {}
    at = shown = 0
    unit = ""
    for line in reduction.body.split("\n"):
        mark = _MARK.fullmatch(line)
        if mark:
            # "3 omitted" are of the unit that the mark before names.
            unit = _plural(mark.group(2)) if mark.group(2) else unit
            sums[unit] = sums.get(unit, 0) + int(mark.group(1))
            continue
        where = text.find(line, at)
        if where >= 0:
            at, shown = where + len(line), shown + 1
        elif not (line.startswith("[") and line.endswith("]")):
            found.append(f"not of the input, or out of order: {line[:120]!r}")
    said = {part.unit: part.omitted for part in reduction.omissions if part.unit not in _UNSEEN}
    if sums != said:
        found.append(f"marks say {sums}, the pointer {said}")
    found += _miscount(text, reduction, shown)
    return found


def _miscount(text: str, reduction: Reduction, shown: int) -> list[str]:
    """Where only whole lines were left out, shown and omitted ones make up the text."""
    if [part.unit for part in reduction.omissions] != ["lines"]:
        return []
    part = reduction.omissions[0]
    notes = sum(1 for line in reduction.body.split("\n") if _is_note(line, text))
    body = reduction.body.count("\n") + 1
    marks = len(_MARK.findall(reduction.body))
    total = text.rstrip("\n").count("\n") + 1
    if part.total == total and body - marks - notes + part.omitted != total:
        return [f"{body - marks - notes} shown and {part.omitted} omitted of {total} ({shown})"]
    return []


def _is_note(line: str, text: str) -> bool:
    is_bracketed = line.startswith("[") and line.endswith("]")
    return is_bracketed and not _MARK.fullmatch(line) and f"\n{line}\n" not in f"\n{text}\n"


def _plural(unit: str) -> str:
    return {"entry": "entries"}.get(unit, unit if unit.endswith("s") else f"{unit}s")


def _as_shown(text: str) -> str:
    """The text without what only a terminal reads; lone surrogates as the view shows them."""
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = _ESCAPES.sub("", text.replace("\r\n", "\n"))
    while _BACKSPACE.search(text):
        text = _BACKSPACE.sub("", text)
    return text
