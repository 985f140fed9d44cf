"""Shortening documents that are trees: JSON, XML and the like.

The result is a list of omissions; everything else of the document is shown.
Members of one build are treated as rows of a table: those that stand out are
kept, the rest is counted. Other members share the room, small ones whole.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from flowctx.reducers.document import Document
from flowctx.reducers.draft import Draft, Note, one_line, render_draft
from flowctx.reducers.leaves import Leaf, read_nested, rows_of_few
from flowctx.reducers.maps import odd_members
from flowctx.reducers.names import names_room, tell_names
from flowctx.reducers.nodes import MARK_CHARS, Cut, Node, unit_of
from flowctx.reducers.odd_parts import OddParts, odd_leaves, row_names
from flowctx.reducers.oddity import looked_at
from flowctx.reducers.own_names import read_own_named
from flowctx.reducers.rows import (
    ODD_RANK,
    PLAIN_RANK,
    Rows,
    describe_rows,
    rank_rows,
    read_records,
    with_nested,
)
from flowctx.reducers.select import water_level

_MIN_ROWS = 6
# Rows whose fields agree at least this much are a table.
_SAME_BUILD = 0.6
# As many rows tell whether all of them are a table.
_JUDGED_ROWS = 2000
_MIN_CONTAINER = 90
# Of more rows the odd ones are looked at, and a sample of all.
_MAX_LOOKED = 4000
_PLAIN_SHARE = 0.6
_MIN_SHOWN = 3
# So few rows are all called by name where there is room.
_MAX_CALLED = 60
# The part of the room one row may take at most.
_ODD_CAP, _PLAIN_CAP = 0.5, 0.2
# Where so few members have a sentence in them, each takes so many times the room of another,
# and all of them this part of it, or of little room all but that.
_SAID_PART, _SAID_TIMES, _SAID_ROOM, _SAID_CHARS = 0.25, 3, 0.3, 700
_MAX_DEPTH = 12
# What is left of a member at the edge of a cut is shown where there is room, behind odd rows.
_PIECE_RANK = ODD_RANK - 1
_TRIED_SHARES = (1.0, 0.75, 0.55, 0.4, 0.28)


class Judged(NamedTuple):
    """What is told of rows, the rank of each, what is odd in it, and what few rows are called."""

    note: str
    ranks: Mapping[int, float]
    odd: Mapping[int, frozenset[Leaf]]
    names: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Shrinker:
    """Shortens one tree.

    Attributes:
        expand: the members of a container.
        cues: offsets of error cues in the text, sorted.
        cut: what has been left out so far.
        judged: rows by the offset of the first; they are the same in every room.
        text: the text that is the tree.
        said: offsets of the few sentences among the values, sorted; they get more room.
        is_inner: the tree is a row of another one.
    """

    expand: Callable[[Node], Sequence[Node]]
    cues: Sequence[int]
    cut: Cut
    judged: dict[int, Judged]
    text: str
    said: Sequence[int] = ()
    is_inner: bool = False

    def shrink(self, node: Node, room: int, depth: int = 0) -> None:
        """Leave out as much of a node as it takes to fit the room, as far as possible."""
        if node.size <= room:
            return
        if node.kind == "string":
            self.cut.clip(node, room)
        elif node.kind != "scalar" and depth < _MAX_DEPTH:
            members = list(self.expand(node))
            if room < _MIN_CONTAINER or not members:
                self.cut.leave_out(members, range(len(members)), unit_of(node))
            elif self._are_rows(members):
                unit = "elements" if node.kind == "element" else "rows"
                self._keep_rows(members, room, depth, f"inner {unit}" if self.is_inner else unit)
            else:
                self._share(node, members, room, depth)

    def _are_rows(self, members: Sequence[Node]) -> bool:
        return (
            members[0].start in self.judged
            or is_table(members)
            or bool(read_own_named([member.value for member in members]))
        )

    def _share(self, node: Node, members: Sequence[Node], room: int, depth: int) -> None:
        """Give small members their whole size and the large ones equal parts of the rest."""
        level = water_level([member.size for member in members], room)
        if level < _MIN_CONTAINER:
            order = self._by_weight(members)
            aside = names_room([member.key for member in members], room)
            room -= aside
            kept = _take(order, members, room, _MIN_CONTAINER)
            self._tell_names(members, kept, aside)
            self.cut.leave_out(
                members, [at for at in range(len(members)) if at not in kept], unit_of(node)
            )
            members = [members[at] for at in sorted(kept)]
        for member, level in zip(members, self._levels(members, room), strict=True):
            self.shrink(member, max(level, _MIN_CONTAINER), depth + 1)

    def _levels(self, members: Sequence[Node], room: int) -> list[int]:
        """The room of each member: the same for all, or more for the few that say something."""
        level = water_level([member.size for member in members], room)
        saying = [bool(self.said) and _holds(member, self.said) for member in members]
        if not 0 < sum(saying) <= _SAID_PART * len(members):
            return [level] * len(members)
        most = _SAID_ROOM if room > _SAID_CHARS else 1 - _SAID_ROOM
        more = min(_SAID_TIMES * max(level, _MIN_CONTAINER), int(room * most) // sum(saying))
        others = [
            member.size for member, is_said in zip(members, saying, strict=True) if not is_said
        ]
        given = sum(
            min(each.size, more) for each, is_said in zip(members, saying, strict=True) if is_said
        )
        rest = water_level(others, room - given)
        return [max(more, level) if is_said else rest for is_said in saying]

    def _keep_rows(self, members: Sequence[Node], room: int, depth: int, unit: str) -> None:
        first = members[0].start
        if first not in self.judged:
            self.judged[first] = self._judge(members, unit)
        note, ranks, odd, names = self.judged[first]
        self.cut.notes[first] = Note(note)
        aside = names_room([member.key for member in members], room)
        left = room - len(note) - aside
        parts = OddParts(self.expand, self.cues).shorten(members, ranks, odd, left)
        if parts:
            # Where odd rows are many and large, an example of the others comes behind them.
            ranks = {at: rank if at in odd else min(rank, ODD_RANK) for at, rank in ranks.items()}
        odd_cap = _PLAIN_CAP if parts else _ODD_CAP
        caps = {at: int(room * (odd_cap if ranks[at] > ODD_RANK else _PLAIN_CAP)) for at in ranks}
        sizes = {at: min(members[at].size, caps[at]) for at in ranks}
        sizes |= {at: part.size for at, part in parts.items()}
        kept = _take_rows(ranks, sizes, left)
        self._tell_names(members, kept, aside)
        hidden = [at for at in range(len(members)) if at not in kept]
        self.cut.leave_out(members, hidden, unit)
        left -= sum(sizes[at] + MARK_CHARS for at in kept)
        if names and sum(len(names[at]) + 2 for at in hidden) <= left:
            self._tell_rows(members, hidden, names)
        inner = replace(self, is_inner=True)
        for at in sorted(kept):
            if at in parts:
                self.cut.add(parts[at].cut)
            else:
                inner.shrink(members[at], max(caps[at], _MIN_CONTAINER), depth + 1)

    def _judge(self, members: Sequence[Node], unit: str) -> Judged:
        pieces = {at for at, each in enumerate(members) if each.value is None and each.is_piece}
        whole = [at for at in range(len(members)) if at not in pieces]
        rest = [members[at] for at in whole] if pieces else members
        looked = [whole[at] for at in self._looked_at(rest)]
        rows = _read_rows([members[at] for at in looked])
        cued = [place for place, at in enumerate(looked) if self._has_cue(members[at])]
        ranks = dict.fromkeys(pieces, _PIECE_RANK)
        ranks |= {looked[place]: rank for place, rank in rank_rows(rows, cued).items()}
        odd = {looked[place]: leaves for place, leaves in odd_leaves(rows).items()}
        total = len(whole) if len(looked) < len(whole) else None
        names = row_names(rows) if len(looked) == len(members) <= _MAX_CALLED else ()
        return Judged(describe_rows(rows, unit, total=total), ranks, odd, names)

    def _looked_at(self, members: Sequence[Node]) -> Sequence[int]:
        """All members, or of very many the oddest and a sample."""
        chars = members[-1].end - members[0].start
        most = min(_MAX_LOOKED, rows_of_few([member.value for member in members], chars))
        if len(members) <= most:
            return range(len(members))
        starts, ends = map(itemgetter(0), members), map(itemgetter(1), members)
        lines = list(map(self.text.__getitem__, map(slice, starts, ends)))
        if "\n" in self.text:
            lines = [line.replace("\n", " ") for line in lines]
        return looked_at(lines, most)

    def _by_weight(self, members: Sequence[Node]) -> list[int]:
        scores = odd_members(members)
        cued = [at for at, member in enumerate(members) if self.cues and self._has_cue(member)]
        raised = {at: (1, scores.get(at, 0.0)) for at in cued}
        standing = {at: (0, bits) for at, bits in scores.items() if bits > 0} | raised
        ahead = sorted(sorted(standing), key=standing.__getitem__, reverse=True)
        return [*ahead, *(at for at in range(len(members)) if at not in standing)]

    def _has_cue(self, node: Node) -> bool:
        return _holds(node, self.cues)

    def _tell_rows(
        self, members: Sequence[Node], hidden: Sequence[int], names: Sequence[str]
    ) -> None:
        """What the rows of each gap are called, before it."""
        gaps = groupby(enumerate(hidden), key=lambda pair: pair[1] - pair[0])
        for held in ([at for _, at in gap] for _, gap in gaps):
            start = members[held[0]].start
            told = one_line([f"left out: {names[held[0]]}", *(names[at] for at in held[1:])])
            # A note ends with a bracket of its own.
            told += " " * told.endswith("]")
            self.cut.note(start, told)

    def _tell_names(self, members: Sequence[Node], kept: Collection[int], room: int) -> None:
        hidden = [at for at in range(len(members)) if at not in kept] if room else ()
        named = [members[at] for at in hidden if members[at].key]
        told = tell_names([member.key for member in named], room)
        if told:
            self.cut.note(named[0].start, told)


def _holds(node: Node, offsets: Sequence[int]) -> bool:
    at = bisect_left(offsets, node.open)
    return at < len(offsets) and offsets[at] < node.end


def fit(shrink: Callable[[int], Draft | None], document: Document, room: int) -> Draft | None:
    """The draft of a tree that fits the room; marks take more the more is left out."""
    draft = None
    for share in _TRIED_SHARES:
        draft = shrink(int(room * share))
        if draft is None or len(render_draft(document, draft)) <= room:
            return draft
    return draft


def _read_rows(members: Sequence[Node]) -> Rows:
    """Members as rows of a table, or of one in which every row has names of its own."""
    values = [member.value for member in members]
    if is_table(members):
        return with_nested(read_records([member.fields for member in members]), read_nested(values))
    return with_nested(read_records([{}] * len(members)), read_own_named(values))


def is_table(members: Sequence[Node]) -> bool:
    """True for many members of one build: their outermost fields mostly agree."""
    if len(members) < _MIN_ROWS:
        return False
    members = members[:: max(len(members) // _JUDGED_ROWS, 1)]
    outer = [_outer_names(member) for member in members]
    if sum(map(bool, outer)) < 0.8 * len(members):
        return False
    seen = Counter(name for names in outer for name in names)
    shared = sum(count for count in seen.values() if count >= _SAME_BUILD * len(members))
    return shared >= _SAME_BUILD * sum(seen.values())


def _outer_names(node: Node) -> frozenset[str]:
    """The names of a row without what lies deeper."""
    names = node.value if node.kind == "object" and node.value else node.fields
    return frozenset(name.split(".", 1)[0] for name in names)


def _take_rows(ranks: Mapping[int, float], sizes: Mapping[int, int], room: int) -> frozenset[int]:
    """Rows that fit, the highest ranks first; plain ones only up to a part of the room."""
    kept: set[int] = set()
    left = room
    for at in sorted(ranks, key=lambda row: (-ranks[row], row)):
        neighbours = (at - 1 in kept) + (at + 1 in kept)
        cost = sizes[at] + 4 + (1 - neighbours) * MARK_CHARS
        is_extra = ranks[at] <= PLAIN_RANK and len(kept) >= _MIN_SHOWN
        if cost <= left - (room * (1 - _PLAIN_SHARE) if is_extra else 0):
            kept.add(at)
            left -= cost
    return frozenset(kept)


def _take(order: Sequence[int], members: Sequence[Node], room: int, each: int) -> frozenset[int]:
    kept: set[int] = set()
    for at in order:
        cost = min(members[at].size, each) + MARK_CHARS // 2
        if cost <= room:
            kept.add(at)
            room -= cost
        elif room < MARK_CHARS // 2:
            break
    return frozenset(kept)
