"""Shortening documents that are trees: JSON, XML and the like.

The result is a list of omissions; everything else of the document is shown.
Members of one build are treated as rows of a table: those that stand out are
kept, the rest is counted. Other members share the room, small ones whole.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from flowctx.reducers.columns import judge_column, score_rows
from flowctx.reducers.document import Document
from flowctx.reducers.draft import Draft, Note, Omitted, render_draft
from flowctx.reducers.leaves import read_nested, rows_of_few
from flowctx.reducers.names import names_room, tell_names
from flowctx.reducers.odd_parts import caps_of, odd_parts, parts_below
from flowctx.reducers.oddity import farthest, oddest
from flowctx.reducers.own_names import read_own_named
from flowctx.reducers.rows import (
    describe_rows,
    rank_rows,
    read_records,
    with_nested,
)
from flowctx.reducers.select import water_level
from flowctx.reducers.taking import MARK_CHARS, runs_of, take_members, take_rows

NodeKind = Literal["object", "array", "element", "string", "scalar"]

_MIN_ROWS = 6
# Rows whose fields agree at least this much are a table.
_SAME_BUILD = 0.6
# As many rows tell whether all of them are a table.
_JUDGED_ROWS = 2000
_MIN_CONTAINER = 90
# Of more rows the odd ones are looked at, and a sample of all.
_MAX_LOOKED, _SAMPLE_SHARE = 4000, 0.4
_CLIPPED_HEAD, _CLIPPED_TAIL = 0.75, 0.15
# The part of the room that parts take for which a row is shown.
_ODD_SHARE = 0.8
_MAX_DEPTH = 12
_TRIED_SHARES = (1.0, 0.75, 0.55, 0.4, 0.28)


class Node(NamedTuple):
    """A member of a tree.

    Attributes:
        start, end: all of its characters, a key before the value included.
        open: where the value itself begins.
        kind: what the value is.
        fields: what it holds, flat: path and value as text; for rows.
        value: what it holds, parsed; None where it is not known.
        key: the name it has in an object.
    """

    start: int
    end: int
    open: int
    kind: NodeKind
    fields: Mapping[str, str] = MappingProxyType({})
    value: Any = None
    key: str = ""

    @property
    def size(self) -> int:
        """Number of characters."""
        return self.end - self.start


@dataclass(slots=True)
class Cut:
    """What is left out of a tree, and what is said of it; filled while shrinking.

    Attributes:
        omitted: omissions, unordered.
        notes: notes by the offset they stand at.
        totals: members of the containers that something was left out of, per unit.
    """

    omitted: list[Omitted] = field(default_factory=list)
    notes: dict[int, Note] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)


class Judged(NamedTuple):
    """What is told of rows, the rank of each, and the paths of what makes some odd."""

    note: str
    ranks: Mapping[int, float]
    odd: Mapping[int, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Shrinker:
    """Shortens one tree.

    Attributes:
        expand: the members of a container.
        cues: offsets of error cues in the text, sorted.
        cut: what has been left out so far.
        judged: rows by the offset of the first; they are the same in every room.
        text: the text that is the tree.
    """

    expand: Callable[[Node], Sequence[Node]]
    cues: Sequence[int]
    cut: Cut
    judged: dict[int, Judged]
    text: str

    def shrink(
        self, node: Node, room: int, depth: int = 0, odd: frozenset[str] = frozenset()
    ) -> None:
        """Leave out as much of a node as it takes to fit the room, what is odd in it last."""
        if node.size <= room:
            return
        if node.kind == "string":
            self._clip(node, room)
        elif node.kind != "scalar" and depth < _MAX_DEPTH:
            members = list(self.expand(node))
            if room < _MIN_CONTAINER or not members:
                self._omit(members, range(len(members)), _unit(node))
            elif self._are_rows(members):
                unit = "elements" if node.kind == "element" else "rows"
                self._keep_rows(members, room, depth, unit)
            else:
                wanted = {at: parts_below(odd, each.key) for at, each in enumerate(members)}
                wanted = {at: parts for at, parts in wanted.items() if parts}
                left = self._keep_odd(members, wanted, room, depth)
                self._share(node, members, left, depth, wanted)

    def _are_rows(self, members: Sequence[Node]) -> bool:
        return (
            members[0].start in self.judged
            or is_table(members)
            or bool(read_own_named([member.value for member in members]))
        )

    def _keep_odd(
        self, members: Sequence[Node], wanted: Mapping[int, frozenset[str]], room: int, depth: int
    ) -> int:
        """Shrink the parts a row is shown for; what room they leave."""
        most = max(int(room * _ODD_SHARE), room - 2 * MARK_CHARS)
        level = water_level([members[at].size for at in wanted], most)
        for at, parts in wanted.items():
            self.shrink(members[at], level, depth + 1, parts)
            room -= min(members[at].size, level) + MARK_CHARS // 2
        return room

    def _share(
        self, node: Node, members: Sequence[Node], room: int, depth: int, done: Collection[int]
    ) -> None:
        """Give small members their whole size and the large ones equal parts of the rest."""
        order = [at for at in self._by_weight(members) if at not in done]
        level = water_level([members[at].size for at in order], room)
        if level < _MIN_CONTAINER:
            aside = names_room([member.key for member in members], room)
            room -= aside
            kept = take_members(order, [each.size for each in members], room, _MIN_CONTAINER)
            shown = kept.union(done)
            self._tell_names(members, shown, aside)
            self._omit(members, [at for at in range(len(members)) if at not in shown], _unit(node))
            order = sorted(kept)
            level = max(water_level([members[at].size for at in order], room), _MIN_CONTAINER)
        for at in order:
            self.shrink(members[at], level, depth + 1)

    def _keep_rows(self, members: Sequence[Node], room: int, depth: int, unit: str) -> None:
        first = members[0].start
        if first not in self.judged:
            self.judged[first] = self._judge(members, unit)
        note, ranks, odd = self.judged[first]
        self.cut.notes[first] = Note(note)
        sizes = {at: members[at].size for at in ranks}
        caps = caps_of(ranks, sizes, room, odd)
        aside = names_room([member.key for member in members], room)
        left = room - len(note) - aside
        kept = take_rows(ranks, sizes, caps, left)
        self._tell_names(members, kept, aside)
        self._omit(members, [at for at in range(len(members)) if at not in kept], unit)
        for at in sorted(kept):
            cap = max(caps[at], _MIN_CONTAINER)
            self.shrink(members[at], cap, depth + 1, odd.get(at, frozenset()))

    def _judge(self, members: Sequence[Node], unit: str) -> Judged:
        total, looked = len(members), list(range(len(members)))
        most = min(_MAX_LOOKED, rows_of_few([member.value for member in members]))
        if total > most:
            lines = [self.text[each.start : each.end] for each in members]
            if "\n" in self.text:
                lines = [line.replace("\n", " ") for line in lines]
            looked = farthest(lines, most) or oddest(lines, most, _SAMPLE_SHARE)
            members = [members[at] for at in looked]
        values = [member.value for member in members]
        if is_table(members):
            rows = with_nested(read_records([x.fields for x in members]), read_nested(values))
        else:
            rows = with_nested(read_records([{}] * len(members)), read_own_named(values))
        cued = [at for at, member in enumerate(members) if self._has_cue(member)]
        note = describe_rows(rows, unit)
        ranks = rank_rows(rows, cued)
        if total == len(members):
            return Judged(note, ranks, odd_parts(rows))
        columns = note.partition("; ")[2]
        told = f"{total} {unit}; of {len(looked)} looked at, the odd and a sample: {columns}"
        odd = {looked[at]: parts for at, parts in odd_parts(rows).items()}
        return Judged(told, {looked[at]: rank for at, rank in ranks.items()}, odd)

    def _by_weight(self, members: Sequence[Node]) -> list[int]:
        scores = score_rows([judge_column("", [_plain_form(member) for member in members])])
        cued = [at for at, member in enumerate(members) if self.cues and self._has_cue(member)]
        raised = {at: (1, scores.get(at, 0.0)) for at in cued}
        standing = {at: (0, bits) for at, bits in scores.items()} | raised
        return sorted(range(len(members)), key=lambda at: standing.get(at, (0, 0.0)), reverse=True)

    def _has_cue(self, node: Node) -> bool:
        at = bisect_left(self.cues, node.open)
        return at < len(self.cues) and self.cues[at] < node.end

    def _omit(self, members: Sequence[Node], left_out: Iterable[int], unit: str) -> None:
        """Announce members that are left out, neighbours together."""
        before = len(self.cut.omitted)
        for first, last in runs_of(left_out):
            where = f"{first + 1}-{last + 1}" if last > first else f"{last + 1}"
            start, end = members[first].start, members[last].end
            where = where if unit in ("rows", "elements") else ""
            self.cut.omitted.append(Omitted(start, end, last - first + 1, unit, where))
        if len(self.cut.omitted) > before:
            self.cut.totals[unit] = self.cut.totals.get(unit, 0) + len(members)

    def _tell_names(self, members: Sequence[Node], kept: Collection[int], room: int) -> None:
        hidden = [member for at, member in enumerate(members) if at not in kept and member.key]
        told = tell_names([member.key for member in hidden], room)
        if told:
            before = self.cut.notes.get(hidden[0].start)
            self.cut.notes[hidden[0].start] = Note(f"{before.text}; {told}" if before else told)

    def _clip(self, node: Node, room: int) -> None:
        room = max(room - MARK_CHARS, MARK_CHARS)
        start = node.open + int(room * _CLIPPED_HEAD)
        end = node.end - int(room * _CLIPPED_TAIL)
        if end - start > MARK_CHARS:
            self.cut.omitted.append(Omitted(start, end, end - start, "characters"))
            self.cut.totals.setdefault("characters", 0)


def fit(shrink: Callable[[int], Draft | None], document: Document, room: int) -> Draft | None:
    """The draft of a tree that fits the room; marks take more the more is left out."""
    draft = None
    for share in _TRIED_SHARES:
        draft = shrink(int(room * share))
        if draft is None or len(render_draft(document, draft)) <= room:
            return draft
    return draft


def is_table(members: Sequence[Node]) -> bool:
    """True for many members of one build: their outermost fields mostly agree."""
    if len(members) < _MIN_ROWS:
        return False
    members = members[:: max(len(members) // _JUDGED_ROWS, 1)]
    if sum(1 for member in members if member.fields) < 0.8 * len(members):
        return False
    outer = [{name.split(".", 1)[0] for name in member.fields} for member in members]
    seen = Counter(name for names in outer for name in names)
    shared = sum(count for count in seen.values() if count >= _SAME_BUILD * len(members))
    return shared >= _SAME_BUILD * sum(seen.values())


def _unit(node: Node) -> str:
    return {"array": "items", "element": "elements"}.get(node.kind, "keys")


def _plain_form(node: Node) -> str:
    if isinstance(node.value, bool) or node.value is None:
        return f"{node.kind} {node.value}"
    return ",".join(sorted(node.fields)) or node.kind
