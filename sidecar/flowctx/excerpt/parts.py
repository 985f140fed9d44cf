"""What part of an original is wanted, and the entries it is cut down to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, overload

# Answers have this much room where the caller does not say.
DEFAULT_TOKENS = 4_000
LEAST_TOKENS, MOST_TOKENS = 100, 100_000
MOST_CONTEXT = 100

Mark = Literal["hit", "near", "head"]


@dataclass(frozen=True, slots=True)
class Part:
    """The part of an original that is wanted, as the caller wrote it; empty fields ask for all.

    Attributes:
        lines: "120-180", "120-", "-50" (the last 50), several joined by commas;
            "12@4001" begins inside a line.
        grep: a text, or `/expression/` with `i` behind it to ignore case.
        context: lines to show around each hit.
        json_path: of values in JSON or JSON lines.
        rows, columns: of a table.
        max_tokens: room for the answer.
    """

    lines: str = ""
    grep: str = ""
    context: int = 0
    json_path: str = ""
    rows: str = ""
    columns: str = ""
    max_tokens: int = DEFAULT_TOKENS

    @property
    def is_whole(self) -> bool:
        """True when no part is asked for."""
        asked = (self.lines, self.json_path, self.rows, self.columns)
        return not self.grep and not any(word.strip() for word in asked)

    @property
    def room(self) -> int:
        """Tokens the answer may take, within what is sensible."""
        return min(max(self.max_tokens or DEFAULT_TOKENS, LEAST_TOKENS), MOST_TOKENS)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line or row.

    Attributes:
        number: of the line or row in the original, from 1; 0 for a table's head.
        text: of the line, without its end.
        mark: "hit" for what was asked for, "near" for context, "head" for a table's head.
        skipped: characters left out at its beginning.
    """

    number: int
    text: str
    mark: Mark = "hit"
    skipped: int = 0


class Lines(Sequence[Entry]):
    """The lines of a text as entries that are made when they are looked at."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Entry]: ...
    def __getitem__(self, at: int | slice) -> Entry | Sequence[Entry]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        place = range(len(self.texts))[at]
        return Entry(place + 1, self.texts[place])


@dataclass(frozen=True, slots=True)
class Selection:
    """What is left of a text.

    Attributes:
        entries: in order.
        unit: "lines" or "rows".
        total: how many there are in all.
        note: something to know about what was found.
    """

    entries: Sequence[Entry]
    unit: Literal["lines", "rows"]
    total: int
    note: str = ""


class UnusablePartError(ValueError):
    """Raised when a part cannot be read, or does not fit the text; the message is for a model."""
