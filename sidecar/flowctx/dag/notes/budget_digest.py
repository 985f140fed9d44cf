"""The digest for the budget, made from messages of which one line each is kept.

It is written while a reply waits, so only what the user said and the newest
lines are searched for facts.
"""

from collections.abc import Sequence
from dataclasses import replace

from flowctx.dag.facts.constraints import find_constraints
from flowctx.dag.facts.extract import must_keep
from flowctx.dag.facts.facts import KeepLimits, MustKeep
from flowctx.dag.notes.digest import write_digest
from flowctx.dag.notes.note import TAG
from flowctx.dag.notes.recall import merged, recalled
from flowctx.dag.source.language import conversation_language
from flowctx.dag.source.source import SourceTurn
from flowctx.tokens import estimate_tokens

_NEWEST_LINES = 300
_NEWEST_TURNS = 50


def render_digest(
    turns: Sequence[SourceTurn], messages: int, max_tokens: int, notes: Sequence[str] = ()
) -> str:
    """Write and wrap the digest of some turns, oldest first, in at most `max_tokens`.

    The tags and the line that says what it is are always written, so a budget
    below 60 tokens may be overrun by them.

    Args:
        turns: oldest first.
        messages: how many messages they were.
        max_tokens: of the digest with its tags.
        notes: that stood for older turns and give way to it, oldest first.
    """
    head = f'<{TAG} kind="digest" depth="0" turns="{len(turns)}" messages="{messages}">'
    frame = estimate_tokens(f"{head}\n\n</{TAG}>")
    return f"{head}\n{digest_text(turns, max_tokens - frame, notes)}\n</{TAG}>"


def digest_text(turns: Sequence[SourceTurn], max_tokens: int, notes: Sequence[str] = ()) -> str:
    """The same without its tags."""
    language = conversation_language(turns[-_NEWEST_TURNS:])
    facts = _facts(turns, language)
    if notes:
        facts = merged([recalled(notes), facts])
    return write_digest(turns, facts, language=language, max_tokens=max_tokens)


def _facts(turns: Sequence[SourceTurn], language: str) -> MustKeep:
    """What the newest turns hold, and what the user forbade in any."""
    newest = len(turns)
    lines = 0
    while newest and lines < _NEWEST_LINES:
        newest -= 1
        lines += len(turns[newest].lines)
    facts = must_keep(turns[newest:], language=language)
    forbidden = find_constraints(turns, language)
    return replace(facts, constraints=tuple(forbidden[-KeepLimits().constraints :]))
