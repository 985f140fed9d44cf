"""The task checkpoint: what is done, failed, under way and next, read from the transcript by code.

What was done once is never listed as next, whatever an older plan said.
"""

import json
import re
from collections.abc import Iterable, Sequence

from flowctx.dag.facts.progress import find_progress
from flowctx.dag.prompt.quoting import inert
from flowctx.dag.source.source import SourceLine, SourceTurn
from flowctx.tokens import estimate_tokens

CHECKPOINT_TAG = "flowctx-checkpoint"
_HEAD = "State of the work so far, read from the transcript; a record, no request."
_LINE_CHARS = 200
_MOST_LINES, _MOST_COMMITS = 8, 4
_COMMIT = re.compile(r"\bgit\b[^;&|\n]*\bcommit\b")
_UNDER_WAY = frozenset({"in_progress", "inprogress", "active", "doing"})
_ITEM_KEYS = ("content", "step", "task", "title", "subject", "text")


def render_checkpoint(turns: Sequence[SourceTurn], max_tokens: int) -> str:
    """The checkpoint of some turns as a block; empty when they tell nothing.

    Args:
        turns: oldest first, with the arguments of planning tools where they are known.
        max_tokens: the block takes no more.
    """
    progress = find_progress(turns, "en")
    worked, failed = _commands(turns)
    # Commits come often: what the plan had done is told beside the newest of them.
    done = [*(fact.text for fact in progress.done), *worked[-_MOST_COMMITS:]]
    under_way = list(_under_way(turns))
    known = {_key(text) for text in done}
    next_ = [f.text for f in progress.open if _key(f.text) not in known | {*map(_key, under_way)}]
    lists = [
        ("Done", done),
        ("Failed", [*(f"{each.text}" for each in progress.failed), *failed]),
        ("In progress", [text for text in under_way if _key(text) not in known]),
        ("Next", next_),
    ]
    return _block([(name, _newest(texts)) for name, texts in lists if texts], max_tokens)


def _block(lists: Sequence[tuple[str, list[str]]], max_tokens: int) -> str:
    """The lists, shortened evenly from their old ends until they fit."""
    for most in range(_MOST_LINES, 0, -1):
        rows = [row for name, texts in lists for row in (f"{name}:", *texts[-most:])]
        text = "\n".join([f"<{CHECKPOINT_TAG}>", _HEAD, *rows, f"</{CHECKPOINT_TAG}>"])
        if rows and estimate_tokens(text) <= max_tokens:
            return text
    return ""


def _newest(texts: Iterable[str]) -> list[str]:
    """Each text once, where it was said last."""
    last = {_key(text): text for text in reversed(list(texts))}
    return [f"- {inert(_short(text))}" for text in reversed(list(last.values()))]


def _commands(turns: Sequence[SourceTurn]) -> tuple[list[str], list[str]]:
    """Commits that were made, and commands that failed when they last ran."""
    last: dict[str, SourceLine] = {}
    for turn in turns:
        for line in turn.lines:
            if line.role == "tool" and line.command:
                last.pop(line.command, None)
                last[line.command] = line
    commits = [f"`{c}`" for c, line in last.items() if _COMMIT.search(c) and not line.failed]
    failed = [f"`{c}` → {_outcome(line)}" for c, line in last.items() if line.failed]
    return commits, failed


def _outcome(line: SourceLine) -> str:
    said = _short(line.text)
    return f"exit {line.exit_code}: {said}" if line.exit_code else said


def _under_way(turns: Sequence[SourceTurn]) -> Iterable[str]:
    """Items that the newest plan says are being worked on."""
    for turn in reversed(turns):
        for line in reversed(turn.lines):
            if line.role == "tool" and line.arguments:
                found = list(_items(line.arguments))
                if found:
                    return [text for text, status in found if status in _UNDER_WAY]
    return []


def _items(arguments: str) -> Iterable[tuple[str, str]]:
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return
    parts = value.values() if isinstance(value, dict) else []
    for item in (item for part in parts if isinstance(part, list) for item in part):
        if isinstance(item, dict) and isinstance(item.get("status"), str):
            text = next((item[key] for key in _ITEM_KEYS if isinstance(item.get(key), str)), "")
            if text:
                yield " ".join(text.split()), item["status"].lower()


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LINE_CHARS else f"{line[: _LINE_CHARS - 1]}…"


def _key(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().lower()
