"""Snippets: where a text answers best, on one line, its hits highlighted."""

import re
from collections.abc import Sequence

from flowctx.dag.prompt.quoting import inert

SNIPPET_CHARS = 240
_SEARCHED_CHARS = 400_000
_MOST_HITS = 2_000
# Words are shown as hits by their beginnings: the index knows their stems alone.
_LEAST_STEM, _ENDING = 4, 3

# A terminal that shows a snippet would obey them.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")


def snippet(text: str, shown: Sequence[str]) -> str:
    """The stretch of a text with the most different hits, each between `**`."""
    text = text[:_SEARCHED_CHARS]
    pattern = _pattern(shown)
    spans = [] if pattern is None else _spans(pattern, text)
    start = _best_start(text, spans)
    end = min(start + SNIPPET_CHARS, len(text))
    parts, at = [], start
    for first, last in spans:
        if first >= at and last <= end:
            parts += [text[at:first], f"**{text[first:last]}**"]
            at = last
    line = _CONTROLS.sub("", " ".join("".join([*parts, text[at:end]]).split()))
    return inert(f"{'…' if start else ''}{line}{'…' if end < len(text) else ''}")


def _pattern(shown: Sequence[str]) -> re.Pattern[str] | None:
    stems = [_stem(word) for word in shown if word.strip()]
    return re.compile("|".join(stems), re.IGNORECASE) if stems else None


def _stem(word: str) -> str:
    if not word.isascii() or not word.isalpha():
        return re.escape(word)
    kept = word[: max(len(word) - _ENDING, _LEAST_STEM)]
    # Words inside names count, too: FTS5 parts them at every sign.
    return rf"(?<![^\W_]){re.escape(kept)}[^\W_]*"


def _spans(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for match in pattern.finditer(text):
        # Pairs of characters that follow on one another are one hit.
        if spans and match.start() == spans[-1][1] and not match.group().isascii():
            spans[-1] = (spans[-1][0], match.end())
        else:
            spans.append(match.span())
        if len(spans) == _MOST_HITS:
            break
    return spans


def _best_start(text: str, spans: Sequence[tuple[int, int]]) -> int:
    best, most = 0, -1
    for at, (first, _) in enumerate(spans):
        inside = {
            text[a:b][:_LEAST_STEM].lower()
            for a, b in spans[at : at + 40]
            if b <= first + SNIPPET_CHARS * 3 // 4
        }
        if len(inside) > most:
            best, most = first, len(inside)
    if best < SNIPPET_CHARS // 2:
        return 0
    return best - SNIPPET_CHARS // 6
