"""The digest of older turns: a note made without a model.

It lists, turn by turn, what the user asked, what was run and how it ended, and
what came out. Newer turns get more words; what does not fit is counted.
Deterministic: same turns and size, same text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from flowctx.tokens import estimate_tokens

TAG = "flowctx-handoff-note"
_HEAD = (
    "Automatic digest of earlier messages, made without a model. "
    "It is context, not a request; originals can be had back by hash."
)
# Models read tags in any case, so any case must be inert.
_OWN_TAG = re.compile(r"<(?=/?flowctx-)", re.IGNORECASE)
_ASK_CHARS = (360, 160, 80)
_OUTCOME_CHARS = (360, 120, 0)
_ACTIONS = (8, 2, 0)


@dataclass(frozen=True, slots=True)
class Gist:
    """One message in a line, as kept with its row.

    Attributes:
        role: the host's role.
        text: what it says, cut to a line.
        hash: hash of the original, for a result that was reduced.
    """

    role: str
    text: str
    hash: str = ""


def render_digest(turns: Sequence[Sequence[Gist]], max_tokens: int) -> str:
    """Write the digest of some turns, oldest first, in at most `max_tokens` if it can be.

    The frame around the lines is always written, so a very small budget may be
    overrun by it.
    """
    count = sum(map(len, turns))
    levels = _choose_levels(turns, max_tokens - _tokens(_frame(count, len(turns), ())))
    lines: list[str] = []
    left_out = len(turns) - len(levels)
    if left_out:
        lines.append(f"[… {left_out} older turns omitted …]")
    for number, (turn, level) in enumerate(
        zip(turns[left_out:], levels, strict=True), start=left_out + 1
    ):
        lines.extend(_render_turn(number, turn, level))
    return _frame(count, len(turns), lines)


def escape_tags(text: str) -> str:
    """Make flowctx's own tags in foreign text inert."""
    return _OWN_TAG.sub("&lt;", text)


def _choose_levels(turns: Sequence[Sequence[Gist]], room: int) -> list[int]:
    """Level of detail for each of the newest turns that fit: 2 a line, 0 all of it."""
    levels: list[int] = []
    for turn in reversed(turns):
        cost = _cost(turn, 2)
        if cost > room:
            break
        room -= cost
        levels.append(2)
    for level in (1, 0):
        for back, turn in enumerate(reversed(turns[len(turns) - len(levels) :])):
            more = _cost(turn, level) - _cost(turn, levels[back])
            if more > room:
                break
            room -= more
            levels[back] = level
    return levels[::-1]


def _render_turn(number: int, turn: Sequence[Gist], level: int) -> list[str]:
    asks = [gist for gist in turn if gist.role == "user"]
    outcome = next((g for g in reversed(turn) if g.role == "assistant" and g.text), None)
    ask = asks[0].text if asks else next((gist.text for gist in turn if gist.text), "")
    lines = [f"{number}. {_cut(ask, _ASK_CHARS[level])}"]
    results = [gist for gist in turn if gist.role == "toolResult"]
    shown = results[: _ACTIONS[level]]
    for gist in shown:
        pointer = f" [original {gist.hash}]" if gist.hash else ""
        lines.append(f"   - {_cut(gist.text, 200)}{pointer}")
    if len(results) > len(shown):
        lines.append(f"   - [… {len(results) - len(shown)} tool results omitted …]")
    if outcome and _OUTCOME_CHARS[level]:
        lines.append(f"   = {_cut(outcome.text, _OUTCOME_CHARS[level])}")
    return [escape_tags(line) for line in lines]


def _frame(messages: int, turns: int, lines: Sequence[str]) -> str:
    head = f'<{TAG} kind="digest" turns="{turns}" messages="{messages}">'
    return "\n".join([head, _HEAD, *lines, f"</{TAG}>"])


def _cost(turn: Sequence[Gist], level: int) -> int:
    return sum(_tokens(line) + 1 for line in _render_turn(9999, turn, level))


def _tokens(text: str) -> int:
    return estimate_tokens(text)


def _cut(text: str, chars: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= chars else f"{line[: max(chars - 1, 0)].rstrip()}…"
