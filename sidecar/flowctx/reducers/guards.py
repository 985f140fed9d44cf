"""What every draft must pass before it may stand for a result.

The guards look only at the document and the pieces, not at how the family came
to them. A family that fails one gives way to the next.
"""

import re
from collections.abc import Callable

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft, Note, Omitted, Shown
from flowctx.reducers.facts import required_lines
from flowctx.reducers.marker import VIEW_MAX_CHARS, render_view
from flowctx.tokens import estimate_tokens

# Between two pieces nothing may be lost but the separators that tie units together.
# In a string of JSON a line ends with two characters, and a colour is written out.
_GLUE = re.compile(r"(?:[\s,;]|\\[nrt]|\\u001[bB]\[[0-?]*[ -/]*[@-~])*+")
_HASH = "0" * 24


def covers_document(case: Case, draft: Draft) -> str:
    """Every character is shown or within an announced omission, in order."""
    text, at = case.document.text, 0
    for piece in draft.pieces:
        if isinstance(piece, Note):
            if "\n" in piece.text or "]" in piece.text[-1:]:
                return "a note that is no single mark"
            continue
        if piece.start < at or piece.end < piece.start:
            return "pieces out of order"
        if not _GLUE.fullmatch(text, at, piece.start):
            return f"characters {at}-{piece.start} neither shown nor announced"
        at = piece.end
    if not _GLUE.fullmatch(text, at, len(text)):
        return f"characters {at}-{len(text)} neither shown nor announced"
    return ""


def counts_add_up(case: Case, draft: Draft) -> str:
    """Omitted lines are as many as their spans hold, and no unit exceeds its total."""
    text = case.document.text
    sums: dict[str, int] = {}
    for piece in draft.pieces:
        if not isinstance(piece, Omitted):
            continue
        if piece.amount <= 0:
            return "an omission of nothing"
        held = _count_in(text, piece)
        if held is not None and held != piece.amount:
            return f"an omission says {piece.amount} {piece.unit} and holds {held}"
        sums[piece.unit] = sums.get(piece.unit, 0) + piece.amount
    totals = dict(draft.totals)
    over = [unit for unit, count in sums.items() if count > totals.get(unit, 0)]
    return f"more {over[0]} omitted than there are" if over else ""


def shows_something(case: Case, draft: Draft) -> str:
    """At least one raw span is shown, and something is left out."""
    del case
    if not any(isinstance(piece, Shown) and piece.end > piece.start for piece in draft.pieces):
        return "nothing shown"
    if not any(isinstance(piece, Omitted) for piece in draft.pieces):
        return "nothing left out"
    return ""


DRAFT_GUARDS: tuple[Callable[[Case, Draft], str], ...] = (
    covers_document,
    counts_add_up,
    shows_something,
)


def check_draft(case: Case, draft: Draft) -> str:
    """Why a draft may not be used; empty when it may."""
    return next((fault for guard in DRAFT_GUARDS if (fault := guard(case, draft))), "")


def missing_fact(case: Case, draft: Draft) -> str:
    """The first fact of a report that a draft does not show; empty where it shows all."""
    spans = [(piece.start, piece.end) for piece in draft.pieces if isinstance(piece, Shown)]
    for line in required_lines(case):
        start = case.document.starts[line]
        if not any(begin <= start < end for begin, end in spans):
            return f"the fact in line {line + 1} is missing"
    return ""


def view_chars(reduction: Reduction, output: ToolOutput) -> int:
    """Length of the view with its pointer lines."""
    return len(render_view(reduction, tool=output.tool, original_hash=_HASH))


def check_view(reduction: Reduction, case: Case, *, may_exceed: bool) -> str:
    """Why a reduction may not be shown: no gain, or longer than a view may be."""
    view = render_view(reduction, tool=case.output.tool, original_hash=_HASH)
    if estimate_tokens(view) >= case.tokens:
        return "no gain"
    if len(view) > VIEW_MAX_CHARS and not may_exceed:
        return f"{len(view)} characters, more than a view may have"
    return ""


def _count_in(text: str, piece: Omitted) -> int | None:
    if piece.unit == "lines":
        return text.count("\n", piece.start, piece.end) + 1
    if piece.unit == "characters":
        return piece.end - piece.start
    return None
