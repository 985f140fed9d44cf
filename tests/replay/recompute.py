"""The figures of a replay, from its dump alone: none of the code that made it is used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def recompute(folder: Path) -> dict[int, dict[str, float]]:
    """Figures of each task, from `requests.jsonl`."""
    head, *rows = [json.loads(line) for line in _raw_lines(folder)]
    raws = _raw_lines(folder)[1:]
    system, prices = head["system_tokens"], head["prices"]
    prompt: list[tuple[bytes, int]] = []
    last_ms, has_called = 0, False
    tasks: dict[int, dict[str, float]] = {}
    for row, raw in zip(rows, raws, strict=True):
        figures = tasks.setdefault(row["task"], dict.fromkeys(_NAMES, 0))
        if "summary" in row:
            read, written = row["summary"]
            figures["summary_tokens"] += read + written
            figures["cost"] += read + prices["output"] * written
            continue
        # What stands behind the kept messages may be partly the same, byte for byte.
        old, new = prompt[row["kept"] :], _messages(row, raw)
        shared = sum(tokens for _, tokens in prompt[: row["kept"]]) + _common(old, new)
        prompt = prompt[: row["kept"]] + new
        tokens = system + sum(count for _, count in prompt)
        expired = (
            row["time_ms"]
            and last_ms
            and (row["time_ms"] - last_ms > 1000 * head["cache_ttl_seconds"])
        )
        cached = system + shared if has_called and not expired else 0
        last_ms = row["time_ms"] or last_ms
        figures["calls"] += 1
        figures["tokens_in"] += tokens
        figures["cached_tokens"] += cached
        figures["cost"] += prices["cached"] * cached + prices["write"] * (tokens - cached)
        figures["peak_prompt_tokens"] = max(figures["peak_prompt_tokens"], tokens)
        if row["opens_turn"] and has_called:
            figures["resent_tokens"] += max(tokens - cached - row["new_tokens"], 0)
        has_called = True
    return tasks


_NAMES = (
    "calls", "tokens_in", "cached_tokens", "cost", "peak_prompt_tokens", "resent_tokens",
    "summary_tokens",
)  # fmt: skip


def _raw_lines(folder: Path) -> list[bytes]:
    return (folder / "requests.jsonl").read_bytes().splitlines()


def _messages(row: dict[str, Any], raw: bytes) -> list[tuple[bytes, int]]:
    """The messages of a line, each with the very bytes that stand in it."""
    decoder, text = json.JSONDecoder(), raw.decode()
    at = text.index('"messages":[') + len('"messages":[')
    found = []
    for entry in row["messages"]:
        at = text.index('"message":', at) + len('"message":')
        _, end = decoder.raw_decode(text, at)
        found.append((text[at:end].encode(), entry["tokens"]))
        at = end
    return found


def _common(old: list[tuple[bytes, int]], new: list[tuple[bytes, int]]) -> int:
    total = 0
    for (before, _), (after, tokens) in zip(old, new, strict=False):
        if before == after:
            total += tokens
            continue
        same = 0
        while same < min(len(before), len(after)) and before[same] == after[same]:
            same += 1
        return total + tokens * same // len(after)
    return total
