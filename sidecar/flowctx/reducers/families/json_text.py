"""Text inside JSON: what a tool printed, as the string of an answer that wraps it.

The string is read as the text that it stands for, by the family that fits it. What is
shown of it is written as it stands there, a line of the text on each line.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flowctx.reducers.case import Case
from flowctx.reducers.document import Document
from flowctx.reducers.draft import Draft, Note, Omitted, Piece, Shown
from flowctx.reducers.escapes import Unescaped
from flowctx.reducers.families.family import ALL_LINES, Family
from flowctx.reducers.families.parts import draft_part
from flowctx.reducers.select import water_level

# A string, closed or cut off, with what names it.
_STRING = re.compile(r'(?:"([^"\\]{1,80}+)"\s*:\s*)?"((?:[^"\\]++|\\.)*+)(?:"|\Z)', re.DOTALL)
_EXIT_CODE = re.compile(
    r'"(?:exit_?code|return_?code|exit_?status)"\s*:\s*(-?\d{1,9})', re.IGNORECASE
)
_OPENING = ("{", "[", '"')
_LINE_END = "\\n"
# How JSON in one line begins within a string.
_NESTED = ('{\\"', '[{\\"', '[\\"', "[[")
_MIN_LINES, _MIN_CHARS = 5, 600
_MIN_SHARE, _MAX_TEXTS = 0.6, 12
# What stands around the texts may take at most this part of the room.
_MAX_FRAME = 0.5
_MIN_ROOM = 200
_UNIT = "text lines"


@dataclass(frozen=True, slots=True)
class Inner:
    """A text in a string: the characters [start, end) that write it, and the key before it."""

    key: str
    start: int
    end: int

    @property
    def size(self) -> int:
        """Number of characters that write it."""
        return self.end - self.start


def wrapping(families: Sequence[Family[Any]]) -> Family[list[Inner]]:
    """The family of JSON that mostly holds texts, over the families these may fit."""

    def draft(case: Case, found: list[Inner]) -> Draft | None:
        return _draft(case, found, families)

    return Family(
        "text in JSON",
        _find,
        draft,
        whole_up_to=ALL_LINES,
        looks_for="strings of many lines, or of JSON, that make up most of a JSON document",
    )


def _find(case: Case) -> list[Inner] | None:
    text = case.document.text
    if not text.lstrip().startswith(_OPENING) or "\\" not in text:
        return None
    found = list(_texts(text))
    held = sum(inner.size for inner in found)
    return found if 0 < len(found) <= _MAX_TEXTS and held >= _MIN_SHARE * len(text) else None


def _texts(text: str) -> Iterator[Inner]:
    for match in _STRING.finditer(text):
        start, end = match.span(2)
        has_lines = text.count(_LINE_END, start, end) >= _MIN_LINES
        if end - start >= _MIN_CHARS and (has_lines or text.startswith(_NESTED, start)):
            yield Inner(match.group(1) or "", start, end)


def _draft(case: Case, found: list[Inner], families: Sequence[Family[Any]]) -> Draft | None:
    text = case.document.text
    frame = len(text) - sum(inner.size for inner in found)
    room = case.room - frame
    if frame > _MAX_FRAME * case.room or room < _MIN_ROOM * len(found):
        return None
    level = water_level([inner.size for inner in found], room)
    plain = case.with_exit_code(_exit_code(case.document.text, found))
    pieces: list[Piece] = []
    totals: dict[str, int] = {}
    parts, at = [], 0
    for inner in found:
        part = _reduce(plain, inner, level, families)
        pieces += [Shown(at, inner.start), *part.pieces]
        at = inner.end
        for unit, total in part.totals:
            totals[unit] = totals.get(unit, 0) + total
        parts.append(part)
    pieces.append(Shown(at, len(text)))
    exceeds = any(part.may_exceed for part in parts)
    return Draft(parts[0].type, tuple(pieces), tuple(totals.items()), exceeds)


def _exit_code(text: str, found: Sequence[Inner]) -> int | None:
    """The exit code that stands beside the texts."""
    code = _EXIT_CODE.search(text, 0, found[0].start) or _EXIT_CODE.search(text, found[-1].end)
    return int(code.group(1)) if code else None


def _reduce(case: Case, inner: Inner, room: int, families: Sequence[Family[Any]]) -> Draft:
    """The draft of one text, its pieces placed where they are written."""
    said = Unescaped.read(case.document.text, inner.start, inner.end)
    document = Document.read(said.text)
    whole = Draft("json/text", (Shown(0, len(document.text)),), ())
    if not said.text.startswith(document.text):
        # Repaints and backspaces were taken away, so that no place could be told.
        return _clipped(case.document, inner, room)
    part: Draft | None = whole
    if inner.size > room:
        part = draft_part(Case(replace(case.output, text=said.text), document, room), families)
    if part is None:
        return _clipped(case.document, inner, room)
    note = Note(f"the string {inner.key}, line by line" if inner.key else "line by line")
    pieces = (note, *(placed for piece in part.pieces for placed in _placed(piece, said)))
    totals = [(_UNIT if unit == "lines" else unit, total) for unit, total in part.totals]
    return Draft(part.type, pieces, tuple(totals), part.may_exceed)


def _clipped(document: Document, inner: Inner, room: int) -> Draft:
    """The two ends of a text of which no more can be told."""
    cut = Omitted(inner.start + room // 2, inner.end - room // 4, 0, "characters")
    if cut.end <= cut.start:
        return Draft("json/text", (Shown(inner.start, inner.end),), ())
    cut = cut._replace(amount=cut.end - cut.start)
    pieces = (Shown(inner.start, cut.start), cut, Shown(cut.end, inner.end))
    return Draft("json/text", pieces, (("characters", len(document.text)),))


def _placed(piece: Piece, said: Unescaped) -> Iterator[Piece]:
    """A piece of the text where it is written; each line of what is shown by itself."""
    if isinstance(piece, Note):
        yield piece
    elif isinstance(piece, Omitted):
        start, end = said.place(piece.start), said.place(piece.end)
        amount = end - start if piece.unit == "characters" else piece.amount
        unit = _UNIT if piece.unit == "lines" else piece.unit
        yield piece._replace(start=start, end=end, amount=amount, unit=unit)
    else:
        at = piece.start
        for line in said.text[piece.start : piece.end].split("\n"):
            if line.strip():
                yield Shown(said.place(at), said.end(at + len(line)))
            at += len(line) + 1
