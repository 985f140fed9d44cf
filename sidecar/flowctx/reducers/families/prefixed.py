"""Texts with a prefix before every line, reduced as what stands behind the prefixes.

What is shown are the lines as they stand, prefix and all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft, Note, Piece, Shown, render_draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.families.parts import fit_part
from flowctx.reducers.line_prefixes import Prefixed, read_prefixed

# Up to so many lines all are looked at.
_WHOLE_UP_TO = 20_000
# Where less than this share of the room is taken, there is a second draft for the rest.
_FILLED = 0.75
# What may stand between two pieces.
_GLUE = " \t\n,;"


def wrapping(families: Sequence[Family[Any]], messages: Sequence[Family[Any]]) -> Family[Prefixed]:
    """The family of texts with prefixes.

    Args:
        families: what a text may be behind prefixes.
        messages: what it may be where each line behind a time or a name may be a message.
    """

    def draft(case: Case, found: Prefixed) -> Draft | None:
        return _draft(case, found, messages if found.may_be_log else families)

    return Family(
        "prefixed",
        read_prefixed,
        draft,
        whole_up_to=_WHOLE_UP_TO,
        looks_for="times, names, numbers or blanks before every line",
    )


def _draft(case: Case, found: Prefixed, families: Sequence[Family[Any]]) -> Draft | None:
    """The draft of what is behind the prefixes; a second one where they leave much room."""
    room = int(case.room * len(found.inner.text) / len(found.outer.text))
    inner = case.of_part(found.inner, room)
    part = fit_part(inner, families)
    if part is None:
        return None
    draft = _outer(part.draft, found)
    taken = len(render_draft(found.outer, draft))
    if taken >= _FILLED * case.room:
        return draft
    more = part.again(inner.with_room(room * case.room // taken))
    fuller = _outer(more, found) if more else draft
    return fuller if len(render_draft(found.outer, fuller)) <= case.room else draft


def _outer(draft: Draft, found: Prefixed) -> Draft:
    return replace(draft, pieces=tuple(_placed(draft.pieces, found)))


def _placed(pieces: Sequence[Piece], found: Prefixed) -> Iterator[Piece]:
    """The pieces of the inner text as pieces of the outer one, whole lines with their prefix."""
    text, at = found.outer.text, 0
    for piece in pieces:
        if isinstance(piece, Note):
            yield piece
            continue
        start = _start(piece.start, found, at)
        if text[at:start].strip(_GLUE):
            # Lines that are blank behind their prefix go with what follows.
            start = at + (text[at] == "\n")
        at = _end(piece.end, found)
        if isinstance(piece, Shown):
            yield Shown(start, at)
        else:
            amount = at - start if piece.unit == "characters" else piece.amount
            yield piece._replace(start=start, end=at, amount=amount)
    if text[at:].strip(_GLUE):
        yield Shown(at + (text[at] == "\n"), len(text))


def _start(offset: int, found: Prefixed, at: int) -> int:
    """Where a piece begins: at its line, where nothing but blanks is before it."""
    line = found.inner.line_at(offset)
    begins_line = not found.inner.text[found.inner.starts[line] : offset].strip()
    start = found.outer.starts[line]
    return start if begins_line and start >= at else found.place(offset)


def _end(offset: int, found: Prefixed) -> int:
    """Where a piece ends: behind its line, frame and all, where it takes the rest of it."""
    inner = found.inner
    line = inner.line_at(offset)
    if offset == inner.starts[line] and inner.lines[line]:
        line -= 1
    return found.outer.line_end(line) if offset >= inner.line_end(line) else found.place(offset)
