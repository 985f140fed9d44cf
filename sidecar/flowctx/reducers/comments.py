"""Comments in JSON, as services give them: who says what, and where it is written.

They are read as the turns of a talk, in a text of their own; every piece of that text
knows where it stands in the JSON.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from flowctx.reducers.draft import Note, Omitted, Piece, Shown
from flowctx.reducers.escapes import Unescaped
from flowctx.reducers.json_tree import as_node, expand
from flowctx.reducers.nodes import Node
from flowctx.reducers.running import count_words
from flowctx.reducers.turns import Turn

_STRING = r'"((?:[^"\\]++|\\.)*+)"'
_BODY = re.compile(rf'"(?:body|text|content|message|comment|note)"\s*:\s*{_STRING}', re.DOTALL)
_AUTHOR = re.compile(
    r'"(?:login|username|user_?name|display_?name|real_?name|author|user|sender|speaker|from)"'
    r'\s*:\s*"([^"\\\n]{1,60})"'
)
# Keys of what is no comment, or of which more must be told than what is said.
_OTHER = re.compile(
    r'"(?:level|severity|sha|commit|path|status|state|price|rating|score|stars|priority|exit_?code'
    r"|role|tool_calls|type\"\s*:\s*\"(?!message|User|user|Bot|comment|note))\""
)
_MIN_ITEMS, _MIN_HELD, _MIN_WORDS = 6, 0.8, 6
_UNIT = "passages"
# What may stand between two pieces without a word about it.
_GLUE = re.compile(r"(?:[\s,;]|\\[nrt])*+")


@dataclass(frozen=True, slots=True)
class Comments:
    """Comments as a text of its own.

    Attributes:
        text: names and what they say, a line each or more.
        turns: of the comments.
        starts: in that text, where the parts begin that are written in one place.
        places: of each part, where its characters are written.
    """

    text: str
    turns: Sequence[Turn]
    starts: Sequence[int]
    places: Sequence[Unescaped]

    def place(self, offset: int) -> int:
        """Where the character at an offset of the text is written."""
        at = max(bisect_right(self.starts, offset) - 1, 0)
        return self.places[at].place(offset - self.starts[at])

    def end(self, offset: int) -> int:
        """Where the character before an offset of the text has been written."""
        at = max(bisect_right(self.starts, offset - 1) - 1, 0)
        return self.places[at].end(offset - self.starts[at])


def read_comments(text: str) -> Comments | None:
    """The comments that JSON holds, where it holds hardly anything else."""
    items = list(_items(text))
    if len(items) < _MIN_ITEMS:
        return None
    pairs = [
        (author, body)
        for item in items
        if (author := _AUTHOR.search(text, item.start, item.end))
        and (body := _longest(text, item))
        and not _OTHER.search(text, item.start, item.end)
    ]
    words = sum(count_words(body.group(1)) for _, body in pairs)
    if len(pairs) < _MIN_HELD * len(items) or words < _MIN_WORDS * len(pairs):
        return None
    return _lay_out(text, pairs)


def _items(text: str) -> Iterator[Node]:
    """The members of the array that takes the most room, or the objects of the lines."""
    root = as_node(text, len(text) - len(text.lstrip()))
    if root and root.kind == "object":
        members = [each for each in expand(text, root) if each.kind == "array"]
        root = max(members, key=lambda each: each.size, default=None)
    if root and root.kind == "array":
        yield from (each for each in expand(text, root) if each.kind == "object")


def _longest(text: str, item: Node) -> re.Match[str] | None:
    found = list(_BODY.finditer(text, item.start, item.end))
    return max(found, key=lambda each: each.end() - each.start(), default=None)


def _lay_out(text: str, pairs: Sequence[tuple[re.Match[str], re.Match[str]]]) -> Comments:
    """The comments one below the other, each below the name of who says it."""
    parts: list[str] = []
    starts, places, turns = [], [], []
    length = line = 0
    for author, body in pairs:
        begun, is_headed = line, author.end() <= body.start()
        # Where the name comes behind, only what is said is read.
        for start, end in (author.span(), body.span(1)) if is_headed else (body.span(1),):
            said = Unescaped.read(text, start, end)
            starts.append(length)
            places.append(said)
            parts.append(said.text)
            length += len(said.text) + 1
            line += said.text.count("\n") + 1
        heads = (begun,) if is_headed else ()
        turns.append(Turn(author.group(1), heads, begun, begun + len(heads), line))
    return Comments("\n".join(parts), turns, starts, places)


def place_pieces(text: str, pieces: Sequence[Piece], comments: Comments) -> list[Piece]:
    """Pieces of a draft of comments where they are written, and what stands between them."""
    placed: list[Piece] = []
    at = 0
    for piece in chain.from_iterable(_placed(each, comments) for each in pieces):
        if isinstance(piece, Note):
            placed.append(piece)
            continue
        if not _GLUE.fullmatch(text, at, piece.start):
            piece = _join(placed, piece, at)
        placed.append(piece)
        at = piece.end
    if not _GLUE.fullmatch(text, at, len(text)):
        _end(placed, at, len(text))
    return placed


def _placed(piece: Piece, comments: Comments) -> Iterator[Piece]:
    if isinstance(piece, Note):
        yield piece
    elif isinstance(piece, Omitted):
        yield piece._replace(start=comments.place(piece.start), end=comments.end(piece.end))
    else:
        at = piece.start
        for line in comments.text[piece.start : piece.end].split("\n"):
            if line.strip():
                yield Shown(comments.place(at), comments.end(at + len(line)))
            at += len(line) + 1


def _join(placed: list[Piece], piece: Shown | Omitted, at: int) -> Shown | Omitted:
    """A piece with what stands before it in the JSON, which is left out."""
    if isinstance(piece, Omitted):
        return piece._replace(start=at)
    _end(placed, at, piece.start)
    return piece


def _end(placed: list[Piece], at: int, end: int) -> None:
    """Leave out what stands up to a place: with what is left out before it, or by itself."""
    last = placed[-1] if placed else None
    if isinstance(last, Omitted):
        placed[-1] = last._replace(end=end)
    else:
        placed.append(Omitted(at, end, 1, _UNIT))
