"""The digest for the budget, made from messages of which one line each is kept.

It is written while a reply waits, so only what the user said and the newest
lines are searched for facts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from flowctx.dag.digest import write_digest
from flowctx.dag.extract import must_keep
from flowctx.dag.language import conversation_language
from flowctx.dag.note import TAG
from flowctx.dag.source import SourceTurn
from flowctx.tokens import estimate_tokens

_NEWEST_LINES = 400
_NEWEST_TURNS = 200


def render_digest(turns: Sequence[SourceTurn], messages: int, max_tokens: int) -> str:
    """Write and wrap the digest of some turns, oldest first, in at most `max_tokens`.

    The tags and the line that says what it is are always written, so a budget
    below 60 tokens may be overrun by them.

    Args:
        turns: oldest first.
        messages: how many messages they were.
        max_tokens: of the digest with its tags.
    """
    language = conversation_language(turns[-_NEWEST_TURNS:])
    facts = must_keep(list(_searched(turns)), language=language)
    head = f'<{TAG} kind="digest" depth="0" turns="{len(turns)}" messages="{messages}">'
    frame = estimate_tokens(f"{head}\n\n</{TAG}>")
    text = write_digest(turns, facts, language=language, max_tokens=max_tokens - frame)
    return f"{head}\n{text}\n</{TAG}>"


def _searched(turns: Sequence[SourceTurn]) -> Iterator[SourceTurn]:
    """The newest turns whole, of older ones what the user said."""
    left = _NEWEST_LINES
    whole = len(turns)
    while whole and left > 0:
        whole -= 1
        left -= len(turns[whole].lines)
    for turn in turns[:whole]:
        yield replace(turn, lines=tuple(line for line in turn.lines if line.role == "user"))
    yield from turns[whole:]
