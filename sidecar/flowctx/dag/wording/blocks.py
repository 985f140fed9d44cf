"""Blocks between an opening and a closing tag, found in one pass over a text."""

import re
from collections.abc import Iterable, Iterator


def block_spans(text: str, opening: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Spans from each opening tag to its closing one; an opening without one is no block.

    Args:
        text: searched from left to right; blocks do not nest.
        opening: its first group is the tag's name.
    """
    lowered = text.lower()
    unclosed: set[str] = set()
    at = 0
    while found := opening.search(text, at):
        name = found.group(1).lower()
        at = found.end()
        # Looked for once: a tag that is never closed may be opened a thousand times.
        end = -1 if name in unclosed else lowered.find(f"</{name}>", at)
        if end < 0:
            unclosed.add(name)
            continue
        at = end + len(name) + 3
        yield found.start(), at


def without_spans(text: str, spans: Iterable[tuple[int, int]], filler: str = "") -> str:
    """The text with each span replaced; spans may overlap."""
    parts: list[str] = []
    at = 0
    for start, end in sorted(spans):
        if start >= at:
            parts += [text[at:start], filler]
        at = max(at, end)
    return "".join([*parts, text[at:]])
