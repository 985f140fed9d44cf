"""A reduction before it is text: raw spans, omissions announced in place, and notes.

The pieces of a draft cover the document from its first to its last character,
so what is missing is always said where it is missing.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from flowctx.model import Omission
from flowctx.reducers.document import Document


class Shown(NamedTuple):
    """Characters [start, end) of the document, as they are."""

    start: int
    end: int


class Omitted(NamedTuple):
    """Characters [start, end) left out, announced in place.

    Attributes:
        amount: how many of the unit they hold.
        unit: the content's own unit.
        where: lines or rows they cover, e.g. "13-48"; may be empty.
    """

    start: int
    end: int
    amount: int
    unit: str
    where: str = ""


class Note(NamedTuple):
    """Something said about the content: counts, columns, constants. Never raw text."""

    text: str


Piece = Shown | Omitted | Note


@dataclass(frozen=True, slots=True)
class Draft:
    """What a family makes of a document.

    Attributes:
        type: content type and rule, e.g. "json/array".
        pieces: in the document's order.
        totals: how many there are of each unit that omissions count.
        may_exceed: the facts alone need more room than a view has.
    """

    type: str
    pieces: tuple[Piece, ...]
    totals: tuple[tuple[str, int], ...]
    may_exceed: bool = False

    def exceeding(self) -> "Draft":
        """The same draft, allowed to take more room than a view has."""
        return replace(self, may_exceed=True)


def render_draft(document: Document, draft: Draft) -> str:
    """The draft as text: raw spans and marks, one below the other."""
    shown: list[str] = []
    unit = ""
    for piece in draft.pieces:
        shown.append(_render_piece(document, piece, unit))
        unit = piece.unit if isinstance(piece, Omitted) else unit
    return "\n".join(shown)


def count_omissions(draft: Draft) -> tuple[Omission, ...]:
    """What a draft leaves out, summed per unit; units with nothing left out are not named."""
    omitted = {unit: 0 for unit, _ in draft.totals}
    for piece in draft.pieces:
        if isinstance(piece, Omitted):
            omitted[piece.unit] = omitted.get(piece.unit, 0) + piece.amount
    return tuple(
        Omission(unit, omitted[unit], total) for unit, total in draft.totals if omitted[unit]
    )


def mark(piece: Omitted) -> str:
    """The line that stands for an omission."""
    unit = piece.unit
    if piece.amount == 1:
        unit = _SINGULAR.get(unit, unit.removesuffix("s"))
    where = f", {piece.where}" if piece.where else ""
    return f"[… {piece.amount} {unit} omitted{where} …]"


def one_line(parts: Iterable[str]) -> str:
    """Parts of a note joined on one line, without line ends or brackets that would end it."""
    return "; ".join(" ".join(part.split()) for part in parts if part)


# What running text is made of; how many more are left out is told by short marks.
_OF_TEXTS = ("sentences", "passages")
_SINGULAR = {"entries": "entry", "properties": "property"}


def _render_piece(document: Document, piece: Piece, unit: str) -> str:
    """A piece as text; a mark of sentences that follows another one is short."""
    if isinstance(piece, Shown):
        return document.text[piece.start : piece.end]
    if isinstance(piece, Omitted):
        is_further = piece.unit == unit and unit in _OF_TEXTS
        return f"[… {piece.amount} omitted …]" if is_further else mark(piece)
    return f"[{piece.text}]"
