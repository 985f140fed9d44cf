"""Comments in JSON: what is stated in them, each below who says it, as it is written there."""

import re
from dataclasses import replace

from flowctx.reducers.case import Case, remembered
from flowctx.reducers.comments import Comments, place_pieces, read_comments
from flowctx.reducers.conversation import draft_talk, read_talk
from flowctx.reducers.document import Document
from flowctx.reducers.draft import Draft, Omitted
from flowctx.reducers.families.family import ALL_LINES, Family

# A long text beside a name, which everything else is asked for behind.
_MAY_BE = re.compile(
    r'"(?:login|author|user|user_?name|sender|speaker|from|display_?name)"\s*:.{0,2000}?'
    r'"(?:body|text|content|message|comment|note)"\s*:\s*"[^"]{20}',
    re.DOTALL,
)
_SEEN = 6000
# What marks within the comments take beyond those of a text.
_ROOM_SHARE = 0.85


@remembered
def _find(case: Case) -> Comments | None:
    text = case.document.text
    if text.lstrip()[:1] not in ("[", "{") or not _MAY_BE.search(text, 0, _SEEN):
        return None
    return read_comments(text)


def _draft(case: Case, comments: Comments) -> Draft | None:
    document = Document.read(comments.text)
    if document.text != comments.text:
        return None
    part = case.of_part(document, int(case.room * _ROOM_SHARE))
    said = draft_talk(part, read_talk(part, comments.turns))
    pieces = place_pieces(case.document.text, said.pieces, comments)
    left_out = sum(piece.amount for piece in pieces if isinstance(piece, Omitted))
    total = dict(said.totals)["passages"]
    gaps = left_out - sum(piece.amount for piece in said.pieces if isinstance(piece, Omitted))
    totals = (("passages", total + gaps),)
    return replace(said, type="json/comments", pieces=tuple(pieces), totals=totals)


FAMILY = Family(
    "comments",
    _find,
    _draft,
    whole_up_to=ALL_LINES,
    looks_for="objects in JSON that hold a name and what is said, and hardly anything else",
)
