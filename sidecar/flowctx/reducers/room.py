"""How many characters a view may take: of a long text a fixed number, of a short one a share."""

from flowctx.model import Reduction
from flowctx.reducers.case import Case
from flowctx.reducers.guards import view_chars
from flowctx.reducers.marker import VIEW_MAX_CHARS
from flowctx.tokens import estimate_tokens

# A view takes at most this share of the original, so that a short text is not just restated.
_MAX_SHARE = 0.5
# Two pointer lines as they usually are.
_POINTER_CHARS = 280
# Of letters, so many are a token.
_TOKEN_CHARS = 4
# A view that took too much gets less room than in proportion, as its dense lines go last.
_STEP = 0.8


def room_for(case: Case) -> int:
    """Characters for what a view shows: what it may have, or the share, without the pointer lines.

    They take less of a text in a script whose characters count as words.
    """
    chars = len(case.output.text)
    chars_per_token = chars / max(case.tokens, 1)
    pointers = _POINTER_CHARS * min(chars_per_token / _TOKEN_CHARS, 1.0)
    return int(min(VIEW_MAX_CHARS - _POINTER_CHARS, _MAX_SHARE * chars - pointers))


def room_left(whole: Case, made: Reduction, room: int, fault: str) -> int:
    """Characters to try next; as many as before where what was made is right.

    A text of several scripts has dense parts, which may be those worth showing, and what
    stands before each line may take more than was thought: then less room brings the view
    to its share of the tokens.

    Args:
        whole: the text.
        made: what one try made of it.
        room: characters that try had.
        fault: why it may not be shown, or nothing.
    """
    if fault:
        over = view_chars(made, whole.output) - VIEW_MAX_CHARS
        return room - max(over, room // 5)
    share = estimate_tokens(made.body) / max(whole.tokens, 1)
    return room if share <= _MAX_SHARE else int(room * _STEP * _MAX_SHARE / share)
