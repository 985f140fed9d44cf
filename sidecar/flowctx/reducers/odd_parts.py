"""Large rows by their odd parts: what is unlike the other rows, and what names the row."""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from flowctx.reducers.leaves import Leaf, inner_leaves, item_path, join_path
from flowctx.reducers.nodes import MARK_CHARS, Cut, Node, unit_of
from flowctx.reducers.rows import ODD_RANK, Rows
from flowctx.reducers.values import ABSENT

# What is odd is shown whole up to this size, and longer texts are cut to it.
_WHOLE_CHARS = 400
# Rows that are hardly shorter by their odd parts are better whole.
_MIN_GAIN = 0.3
_MIN_CHARS, _SMALL_SHARE = 600, 0.25
# And one row is whole only where it leaves room for others.
_MAX_SHARE = 0.5
_MAX_NAME_CHARS = 80
_HASH = re.compile(r"[0-9a-fA-F-]{7,}")
# What names things inside of a row, by the end of its path.
_NAME, _MAX_INNER_NAMES = re.compile(r"(?:id|name|title|key|arn|path)$", re.IGNORECASE), 2
# What is shown of a row beside its odd parts.
_CONTEXT_CHARS = 200


def odd_leaves(rows: Rows) -> dict[int, frozenset[Leaf]]:
    """What is odd in each row that has anything odd, and the value that names the row."""
    odd: dict[int, set[Leaf]] = {row: set(leaves) for row, leaves in rows.inside.items()}
    for column, values in zip(rows.columns, rows.values, strict=True):
        if len(values) == rows.count and column.name not in rows.nested:
            for row in column.scores:
                odd.setdefault(row, set()).add(Leaf(column.name, values[row]))
    naming = _naming(rows)
    names = {
        row: {Leaf(name, values[row]) for name, values in naming if _names(name, leaves)}
        for row, leaves in odd.items()
    }
    # A row of which but the name is odd says nothing by it alone.
    return {
        row: frozenset(leaves | names[row]) for row, leaves in odd.items() if leaves - names[row]
    }


def row_names(rows: Rows) -> list[str]:
    """What each row is called, by up to two columns of texts; none where no column does."""
    pairs = list(zip(rows.columns, rows.values, strict=True))
    texts = [
        values
        for column, values in pairs
        if column.kind == "text" and column.name not in rows.nested
        if column.distinct == rows.count and _is_short_each(values)
        if not any(map(_HASH.fullmatch, values))
    ]
    return [" · ".join(each) for each in zip(*texts[:2], strict=True)]


def _naming(rows: Rows) -> list[tuple[str, Sequence[str]]]:
    """The columns that name a row: a short value of its own in each, a text before a number.

    Inside of arrays it is those called so, as of the one item that an envelope holds.
    """
    pairs = list(zip(rows.columns, rows.values, strict=True))
    own = [pair for pair in pairs if pair[0].distinct == rows.count and _is_short_each(pair[1])]
    outer = [pair for pair in own if pair[0].name not in rows.nested]
    outer.sort(key=lambda pair: pair[0].kind != "text")
    inner = [pair for pair in own if pair[0].name in rows.single and _NAME.search(pair[0].name)]
    return [(column.name, values) for column, values in outer[:1] + inner[:_MAX_INNER_NAMES]]


def _names(path: str, leaves: Collection[Leaf]) -> bool:
    """True for what names the row, or the item in it that something odd stands in."""
    item = path.rpartition("[]")[0]
    return not item or any(leaf.path.startswith(item) for leaf in leaves)


def _is_short_each(values: Sequence[str]) -> bool:
    return ABSENT not in values and max(map(len, values)) <= _MAX_NAME_CHARS


class Parts(NamedTuple):
    """What a row by its odd parts leaves out, and the characters it takes."""

    cut: Cut
    size: int


@dataclass(frozen=True, slots=True)
class OddParts:
    """Shows rows of a tree by their odd parts.

    Attributes:
        expand: the members of a container.
        cues: offsets of error cues in the text, sorted.
    """

    expand: Callable[[Node], Sequence[Node]]
    cues: Sequence[int]

    def shorten(
        self,
        members: Sequence[Node],
        ranks: Mapping[int, float],
        odd: Mapping[int, frozenset[Leaf]],
        room: int,
    ) -> dict[int, Parts]:
        """Odd rows by their odd parts, as far as the room may reach; none where all fit whole."""
        order = sorted((at for at in odd if ranks[at] > ODD_RANK), key=lambda at: -ranks[at])
        sizes = [members[at].size + MARK_CHARS for at in order]
        # Odd rows that leave no room for an example of the others are better shown by their parts.
        example = 0 if 0 in odd else min(members[0].size, int(room * _MAX_SHARE))
        if sum(sizes) + example <= room and max(sizes, default=0) <= room * _MAX_SHARE:
            return {}
        parts: dict[int, Parts] = {}
        smallest = max(_MIN_CHARS, room * _SMALL_SHARE)
        for at in order:
            size = members[at].size
            if size > smallest:
                part = self._of_row(members[at], odd[at])
                if part is not None and part.size <= (1 - _MIN_GAIN) * size:
                    parts[at], size = part, part.size
            room -= size
            if room < 0:
                break
        return parts

    def _of_row(self, row: Node, odd: frozenset[Leaf]) -> Parts | None:
        """None where what is odd is found under no path of the row, as where names are its own."""
        cut = Cut()
        context = _short_values(self.expand(row))
        if not self._keep(row, "", odd, cut, context):
            return None
        gone = sum(omitted.end - omitted.start - MARK_CHARS for omitted in cut.omitted)
        return Parts(cut, row.size - gone)

    def _keep(
        self,
        node: Node,
        path: str,
        odd: frozenset[Leaf],
        cut: Cut,
        context: Collection[int] = (),
    ) -> bool:
        """Leave out the members of a container that hold nothing odd; false where none does."""
        members = self.expand(node)
        kept = dict(self._telling(node, members, path, odd))
        gone = [at for at in range(len(members)) if at not in kept and at not in context]
        cut.leave_out(members, gone, unit_of(node))
        for at, below in kept.items():
            member = members[at]
            if member.kind in ("string", "scalar"):
                cut.clip(member, _WHOLE_CHARS)
            elif member.size > MARK_CHARS:
                self._keep(member, below, odd, cut)
        return bool(kept)

    def _telling(
        self, node: Node, members: Sequence[Node], path: str, odd: frozenset[Leaf]
    ) -> Iterable[tuple[int, str]]:
        """Members that hold something odd or a cue, each with the path of what is in it."""
        for at, member in enumerate(members):
            below = _path_of(node, member, path, at)
            has_odd = not odd.isdisjoint(inner_leaves(below, member.value))
            if has_odd or self._has_cue(member):
                yield at, below

    def _has_cue(self, node: Node) -> bool:
        at = bisect_left(self.cues, node.open)
        return at < len(self.cues) and self.cues[at] < node.end


def _short_values(members: Sequence[Node]) -> frozenset[int]:
    """The first short values of a row: what it is, when it was."""
    short = [at for at, member in enumerate(members) if _is_short(member)]
    sizes = accumulate(members[at].size for at in short)
    return frozenset(at for at, size in zip(short, sizes, strict=True) if size <= _CONTEXT_CHARS)


def _is_short(member: Node) -> bool:
    return member.kind in ("string", "scalar") and member.size <= _MAX_NAME_CHARS


def _path_of(node: Node, member: Node, path: str, at: int) -> str:
    if member.step:
        return join_path(path, member.step)
    return item_path(path, node.value, at) if node.kind == "array" else join_path(path, member.key)
