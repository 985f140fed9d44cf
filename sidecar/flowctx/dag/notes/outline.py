"""The outline of a turn that has just ended: each step on a line, none left out if they fit.

It stands between the user's words and the last steps, which stay as they are.
Deterministic: same source and size, same text.
"""

from collections.abc import Iterator, Sequence

from flowctx.dag.notes.digest import action_line
from flowctx.dag.notes.note import escape_tags
from flowctx.dag.source.source import SourceLine
from flowctx.dag.wording.lexicon import lexicon
from flowctx.tokens import estimate_tokens

# Characters of what was said, of what was tried, and of what came out, by the room there is.
_SIZES = (
    (360, 240, 240), (240, 180, 160), (160, 140, 110), (110, 110, 70), (70, 80, 40), (0, 80, 40),
    (0, 60, 0),
)  # fmt: skip
_OMISSION_TOKENS = 12


def write_outline(lines: Sequence[SourceLine], *, language: str, max_tokens: int) -> str:
    """Write the steps of a turn in at most `max_tokens`, without the tags around them.

    Args:
        lines: of the messages it stands for, in order.
        language: of its labels.
        max_tokens: the first lines, which say what it is, are written in any case.
    """
    labels = lexicon(language).labels
    head = [labels["record"], labels["digest"]]
    room = max_tokens - estimate_tokens("\n".join(head)) - 1
    for sizes in _SIZES:
        steps = list(_steps(lines, sizes))
        if estimate_tokens("\n".join(steps)) <= room:
            return "\n".join([*head, *steps])
    return "\n".join([*head, *_newest(steps, room - _OMISSION_TOKENS, labels["omitted"])])


def _steps(lines: Sequence[SourceLine], sizes: tuple[int, int, int]) -> Iterator[str]:
    said, attempt, result = sizes
    for line in lines:
        if line.role == "tool":
            yield f"- {action_line(line, attempt, result)}"
        elif said and line.text.strip():
            yield escape_tags(_cut(line.text, said))


def _newest(steps: Sequence[str], room: int, omitted: str) -> list[str]:
    """The last steps that fit, under a count of the others."""
    kept = len(steps)
    while kept and (cost := estimate_tokens(steps[kept - 1]) + 1) <= room:
        room -= cost
        kept -= 1
    return [f"[… {kept} {omitted} …]", *steps[kept:]]


def _cut(text: str, chars: int) -> str:
    line = " ".join(text[: chars * 4 + 8].split())
    return line if len(line) <= chars else f"{line[: max(chars - 1, 0)].rstrip()}…"
