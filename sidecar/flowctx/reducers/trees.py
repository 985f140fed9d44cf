"""Shortening documents that are trees: JSON, XML and the like.

The result is a list of omissions; everything else of the document is shown.
Members of one build are treated as rows of a table: those that stand out are
kept, the rest is counted. Other members share the room, small ones whole.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from flowctx.reducers.columns import Column, describe_column, judge_column, score_rows
from flowctx.reducers.draft import Note, Omitted, one_line

NodeKind = Literal["object", "array", "string", "scalar"]

_MIN_ROWS = 6
# Rows whose fields agree at least this much are a table.
_SAME_BUILD = 0.6
_MARK_CHARS = 34
_MIN_CONTAINER = 90
_CLIPPED_HEAD, _CLIPPED_TAIL = 0.75, 0.15
_PLAIN_SHARE = 0.6
# Below this a row hardly differs from the others.
_TELLING_BITS = 4.0
_MAX_COLUMNS = 40
_MAX_DEPTH = 12
_NOTE_CHARS = 420
ABSENT = "(absent)"


@dataclass(frozen=True, slots=True)
class Node:
    """A member of a tree.

    Attributes:
        start, end: all of its characters, a key before the value included.
        open: where the value itself begins.
        kind: what the value is.
        fields: what it holds, flat: path and value as text; for rows.
    """

    start: int
    end: int
    open: int
    kind: NodeKind
    fields: dict[str, str] = field(default_factory=dict)

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


@dataclass(frozen=True, slots=True)
class Shrinker:
    """Shortens one tree.

    Attributes:
        expand: the members of a container.
        cues: offsets of error cues in the text, sorted.
        cut: what has been left out so far.
    """

    expand: Callable[[Node], Sequence[Node]]
    cues: Sequence[int]
    cut: Cut

    def shrink(self, node: Node, room: int, depth: int = 0) -> None:
        """Leave out as much of a node as it takes to fit the room, as far as possible."""
        if node.size <= room:
            return
        if node.kind == "string":
            self._clip(node, room)
        elif node.kind != "scalar" and depth < _MAX_DEPTH:
            members = list(self.expand(node))
            if room < _MIN_CONTAINER or not members:
                self._omit(members, range(len(members)), _unit(node))
            elif is_table(members):
                self._keep_rows(members, room, depth)
            else:
                self._share(node, members, room, depth)

    def _share(self, node: Node, members: Sequence[Node], room: int, depth: int) -> None:
        """Give small members their whole size and the large ones equal parts of the rest."""
        order = self._by_weight(members)
        level = _water_level([member.size for member in members], room)
        if level < _MIN_CONTAINER:
            kept = _take(order, members, room, _MIN_CONTAINER)
            self._omit(members, [at for at in range(len(members)) if at not in kept], _unit(node))
            members = [members[at] for at in sorted(kept)]
            level = max(_water_level([member.size for member in members], room), _MIN_CONTAINER)
        for member in members:
            self.shrink(member, level, depth + 1)

    def _keep_rows(self, rows: Sequence[Node], room: int, depth: int) -> None:
        columns = _columns(rows)
        note = describe_rows(columns, rows)
        self.cut.notes[rows[0].start] = Note(note)
        scores = score_rows(column for _, column in columns)
        ranks = self._rank_rows(rows, scores)
        each = max(room // 4, 2 * _MIN_CONTAINER)
        kept = _take_rows(ranks, rows, room - len(note), each)
        self._omit(rows, [at for at in range(len(rows)) if at not in kept], "rows")
        for at in kept:
            self.shrink(rows[at], each, depth + 1)

    def _rank_rows(self, rows: Sequence[Node], scores: dict[int, float]) -> dict[int, float]:
        """Ranks above 10 for rows that stand out, and for the first and the last."""
        ranks = {at: 20 + bits for at, bits in scores.items() if bits >= _TELLING_BITS}
        cued = [at for at, row in enumerate(rows) if self._has_cue(row)]
        if len(cued) <= max(3, len(rows) // 5):
            ranks |= {at: ranks.get(at, 20) + 10 for at in cued}
        plain = {at: 10 - at / len(rows) for at in range(len(rows))}
        ends = {0: 26.0, len(rows) - 1: 19.0}
        return plain | {at: max(ranks.get(at, 0), ends.get(at, 0)) for at in ranks | ends}

    def _by_weight(self, members: Sequence[Node]) -> list[int]:
        scores = score_rows([judge_column("", [_plain_form(member) for member in members])])
        return sorted(
            range(len(members)),
            key=lambda at: (not self._has_cue(members[at]), -scores.get(at, 0), at),
        )

    def _has_cue(self, node: Node) -> bool:
        at = bisect_left(self.cues, node.open)
        return at < len(self.cues) and self.cues[at] < node.end

    def _omit(self, members: Sequence[Node], left_out: Iterable[int], unit: str) -> None:
        """Announce members that are left out, neighbours together."""
        before = len(self.cut.omitted)
        for first, last in _runs(left_out):
            where = f"{first + 1}-{last + 1}" if last > first else f"{last + 1}"
            start, end = members[first].start, members[last].end
            where = where if unit == "rows" else ""
            self.cut.omitted.append(Omitted(start, end, last - first + 1, unit, where))
        if len(self.cut.omitted) > before:
            self.cut.totals[unit] = self.cut.totals.get(unit, 0) + len(members)

    def _clip(self, node: Node, room: int) -> None:
        room = max(room - _MARK_CHARS, _MARK_CHARS)
        start = node.open + int(room * _CLIPPED_HEAD)
        end = node.end - int(room * _CLIPPED_TAIL)
        if end - start > _MARK_CHARS:
            self.cut.omitted.append(Omitted(start, end, end - start, "characters"))
            self.cut.totals.setdefault("characters", 0)


def is_table(members: Sequence[Node]) -> bool:
    """True for many members of one build."""
    if len(members) < _MIN_ROWS:
        return False
    if any(not member.fields for member in members):
        return False
    seen: dict[str, int] = {}
    for member in members:
        for name in member.fields:
            seen[name] = seen.get(name, 0) + 1
    shared = sum(count for count in seen.values() if count >= _SAME_BUILD * len(members))
    return shared >= _SAME_BUILD * sum(seen.values())


def describe_rows(columns: Sequence[tuple[Sequence[str], Column]], rows: Sequence[Node]) -> str:
    """Row count and what each column holds, in one line."""
    told = [f"{len(rows)} rows"]
    length = len(told[0])
    for values, column in columns:
        text = describe_column(column, values)
        length += len(text) + 2
        if length > _NOTE_CHARS:
            told.append("…")
            break
        told.append(text)
    return one_line(told)


def _columns(rows: Sequence[Node]) -> list[tuple[Sequence[str], Column]]:
    names = list(dict.fromkeys(name for row in rows for name in row.fields))[:_MAX_COLUMNS]
    told: list[tuple[Sequence[str], Column]] = []
    for name in names:
        values = [row.fields.get(name, ABSENT) for row in rows]
        told.append((values, judge_column(name, values)))
    return told


def _take_rows(
    ranks: dict[int, float], rows: Sequence[Node], room: int, each: int
) -> frozenset[int]:
    """Rows that fit, the highest ranks first; plain ones only up to a part of the room."""
    kept: set[int] = set()
    left = room
    for at in sorted(ranks, key=lambda row: (-ranks[row], row)):
        neighbours = (at - 1 in kept) + (at + 1 in kept)
        cost = min(rows[at].size, each) + 4 + (1 - neighbours) * _MARK_CHARS
        reserve = 0 if ranks[at] > 10 or len(kept) < 3 else (1 - _PLAIN_SHARE) * room
        if cost <= left - reserve:
            kept.add(at)
            left -= cost
    return frozenset(kept)


def _take(order: Sequence[int], members: Sequence[Node], room: int, each: int) -> frozenset[int]:
    kept: set[int] = set()
    for at in order:
        cost = min(members[at].size, each) + _MARK_CHARS // 2
        if cost <= room:
            kept.add(at)
            room -= cost
    return frozenset(kept)


def _water_level(sizes: Sequence[int], room: int) -> int:
    """The size that, as a cap on every member, fills the room."""
    left, remaining = room, len(sizes)
    for size in sorted(sizes):
        if size * remaining > left:
            break
        left -= size
        remaining -= 1
    return left // remaining if remaining else max(sizes, default=0)


def _runs(indexes: Iterable[int]) -> Iterable[tuple[int, int]]:
    start = last = -2
    for at in indexes:
        if at != last + 1:
            if start >= 0:
                yield start, last
            start = at
        last = at
    if start >= 0:
        yield start, last


def _unit(node: Node) -> str:
    return "items" if node.kind == "array" else "keys"


def _plain_form(node: Node) -> str:
    return ",".join(sorted(node.fields)) or node.kind


def flatten(value: Any, limit: int = 3) -> dict[str, str]:
    """The leaves of parsed JSON by dotted path, as text; deeper ones by their size."""
    leaves: dict[str, str] = {}
    pending: list[tuple[str, Any, int]] = [("", value, 0)]
    while pending:
        path, part, depth = pending.pop()
        if isinstance(part, dict) and depth < limit and part:
            below = [
                (f"{path}.{key}" if path else str(key), v, depth + 1) for key, v in part.items()
            ]
            pending.extend(reversed(below))
        else:
            leaves[path] = _leaf(part)
    return leaves


def _leaf(value: Any) -> str:
    if isinstance(value, str):
        return value if len(value) <= 300 else f"{value[:300]}… ({len(value)})"
    if isinstance(value, list):
        return f"[{len(value)}]"
    if isinstance(value, dict):
        return f"{{{len(value)}}}"
    return {None: "null", True: "true", False: "false"}.get(value, str(value))
