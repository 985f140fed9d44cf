"""Signatures told by the numbers of their lines, where raw lines take too much room.

All are told by name, some names on a line; those that would be missed most
stand whole, as far as the room reaches, each on a line of its own.
"""

import re
from bisect import bisect
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from flowctx.reducers.case import Case

# Longer ones are cut behind this, but not before their name.
_MAX_CHARS = 120
# Without a name that can be told, as much of the line stands for it.
_NAME_CHARS = 48
# The brackets and the line end around a note.
_AROUND = 3
_PACKED_CHARS = 100
# Signatures are facts: whole ones may take more than the room of a view, up to so many
# characters and so much of the text; in a part of a view they may not.
_WHOLE_CHARS, _WHOLE_SHARE, _VIEW_ROOM = 7000, 0.3, 2500
# What a view takes beside the notes: its pointer lines, its head.
_BESIDE_CHARS = 500
_NUMBER = re.compile(r"\s*(\d+)")
# What is called or defined: the word before the first parenthesis, or behind its kind.
_NAME = re.compile(
    r"(?!func \()(?:[\w$]+(?:<[\w, ]{0,60}>)?::)?[\w$~!?]+(?=(?:<[^<>()]{0,60}>)? ?\()"
    r"|(?:class|interface|type|struct|enum|union|trait|namespace|module|object|protocol) [\w$]+"
)


class Telling(NamedTuple):
    """Lines [start, end] of a file that may be told.

    Attributes:
        rank: how much they would be missed; of equal ones the shorter come first.
        is_named: their name at least must be told.
    """

    start: int
    end: int
    rank: float
    is_named: bool


class _Text(NamedTuple):
    """What may be told of some lines: all of it, and the name or nothing."""

    whole: str
    name: str

    @property
    def cost(self) -> int:
        """How many more characters all of it takes."""
        return len(self.whole) - len(self.name) + (0 if self.name else _AROUND)


def tell_signatures(
    case: Case, tellings: Sequence[Telling], shown: Sequence[int], room: int
) -> dict[int, str]:
    """Signatures and what goes with them as notes, by the line each note stands before.

    Args:
        case: the text they stand in; numbers are those a listing gives its lines.
        tellings: what may be told.
        shown: the lines that are shown raw, at least one, in order; notes stand behind them.
        room: characters all notes may take; names and signatures may take more.
    """
    texts = {each.start: _text(case, each) for each in tellings}
    texts = _affordable(tellings, texts, max(room, len(case.document.text) // 2 - _BESIDE_CHARS))
    whole = _whole(tellings, texts, _beside_names(texts, room))
    if not whole.issuperset(each.start for each in tellings if each.is_named):
        # What opens a body is the first that can be missed.
        texts = {
            at: text._replace(whole=text.whole.removesuffix(" {")) for at, text in texts.items()
        }
        whole = _whole(tellings, texts, _beside_names(texts, room))
    rest = [each for each in tellings if each.is_named and each.start not in whole]
    whole |= _whole(rest, texts, _excess(case, room))
    told = [at for at in sorted(texts) if at in whole or texts[at].name]
    gaps = groupby(told, key=lambda at: shown[bisect(shown, at) - 1] + 1 if at > shown[0] else 0)
    return {gap: "\n".join(_lines(texts, held, whole)) for gap, held in gaps}


def _affordable(
    tellings: Sequence[Telling], texts: Mapping[int, _Text], limit: int
) -> dict[int, _Text]:
    """The texts without the names that a view cannot hold, of those missed least."""
    kept = dict(texts)
    for each in sorted(tellings, key=lambda each: (-each.rank, each.start)):
        limit -= len(texts[each.start].name) + _AROUND
        if limit < 0:
            kept[each.start] = texts[each.start]._replace(name="")
    return kept


def _whole(tellings: Sequence[Telling], texts: Mapping[int, _Text], left: int) -> set[int]:
    """Those that are told whole, the ones that would be missed most first."""
    whole: set[int] = set()
    for each in sorted(tellings, key=lambda each: (-each.rank, texts[each.start].cost)):
        if texts[each.start].cost <= left:
            whole.add(each.start)
            left -= texts[each.start].cost
    return whole


def _beside_names(texts: Mapping[int, _Text], room: int) -> int:
    """What the names of all leave of the room."""
    return room - sum(len(text.name) + _AROUND for text in texts.values() if text.name)


def _excess(case: Case, room: int) -> int:
    """Characters that whole signatures may take beyond the room."""
    most = min(_WHOLE_CHARS, int(_WHOLE_SHARE * len(case.document.text)))
    return most - room if room >= _VIEW_ROOM else 0


def _lines(
    texts: Mapping[int, _Text], held: Iterable[int], whole: Collection[int]
) -> Iterator[str]:
    """Whole ones each on a line, the names between on as few lines as hold them."""
    names = ""
    for at in held:
        text = texts[at].whole if at in whole else texts[at].name
        is_full = len(names) + len(text) > _PACKED_CHARS
        if names and (at in whole or is_full):
            yield names
            names = ""
        if at in whole:
            yield text
        else:
            names = f"{names}, {text}" if names else text
    if names:
        yield names


def _text(case: Case, telling: Telling) -> _Text:
    lines = case.plain_lines[telling.start : telling.end + 1]
    text = " ".join(line.strip() for line in lines).replace("\t", " ")
    number = case.document.number(telling.start)
    if case.is_listing and (own := _NUMBER.match(case.document.lines[telling.start])):
        number = int(own.group(1))
    name = _name(text) if telling.is_named else ""
    return _Text(f"{number} {_cut(text)}", f"{number} {name}" if name else "")


def _cut(text: str) -> str:
    if len(text) > _MAX_CHARS:
        name = _NAME.search(text)
        end = max(_MAX_CHARS, name.end() if name else 0)
        text = f"{text[:end]}…"
    # A note ends with a bracket of its own.
    return f"{text} " if text.endswith("]") else text


def _name(text: str) -> str:
    name = _NAME.search(text)
    return name.group() if name else text[:_NAME_CHARS].rstrip("]")
