"""The members of trees, and what is left out of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from flowctx.reducers.draft import Note, Omitted

NodeKind = Literal["object", "array", "element", "string", "scalar"]

# Length of the mark of an omission, with its line end.
MARK_CHARS = 34
_CLIPPED_HEAD, _CLIPPED_TAIL = 0.75, 0.15


def no_row(value: Any) -> Mapping[str, str]:
    """Of what is no row of a table there are no fields."""
    del value
    return MappingProxyType({})


class Node(NamedTuple):
    """A member of a tree.

    Attributes:
        start, end: all of its characters, a key before the value included.
        open: where the value itself begins.
        kind: what the value is.
        read: how what it holds is told as the row of a table; of few it is asked.
        value: what it holds, parsed; None where it is not known.
        key: the name it has in an object.
        step: how a path names it below its container, where the key does not.
    """

    start: int
    end: int
    open: int
    kind: NodeKind
    read: Callable[[Any], Mapping[str, str]] = no_row
    value: Any = None
    key: str = ""
    step: str = ""

    @property
    def size(self) -> int:
        """Number of characters."""
        return self.end - self.start

    @property
    def is_piece(self) -> bool:
        """True for a part of a value, of which nothing is known: the text is cut there."""
        return self.value is None and self.kind != "scalar"

    @property
    def fields(self) -> Mapping[str, str]:
        """What it holds as a row: path and value as text; read anew each time."""
        return self.read(self.value)


# A member of all its fields, in their order: documents hold very many.
make_node: Callable[[tuple[Any, ...]], Node] = partial(tuple.__new__, Node)


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

    def leave_out(self, members: Sequence[Node], left_out: Iterable[int], unit: str) -> None:
        """Announce members that are left out, neighbours together."""
        before = len(self.omitted)
        for first, last in _runs(left_out):
            where = f"{first + 1}-{last + 1}" if last > first else f"{last + 1}"
            start, end = members[first].start, members[last].end
            where = where if unit.endswith(("rows", "elements")) else ""
            self.omitted.append(Omitted(start, end, last - first + 1, unit, where))
        if len(self.omitted) > before:
            self.totals[unit] = self.totals.get(unit, 0) + len(members)

    def note(self, at: int, told: str) -> None:
        """Say something at an offset, behind what is said there already."""
        before = self.notes.get(at)
        self.notes[at] = Note(f"{before.text}; {told}" if before else told)

    def clip(self, node: Node, room: int) -> None:
        """Announce the characters left out of the middle of a long value."""
        room = max(room - MARK_CHARS, MARK_CHARS)
        start = node.open + int(room * _CLIPPED_HEAD)
        end = node.end - int(room * _CLIPPED_TAIL)
        if end - start > MARK_CHARS:
            self.omitted.append(Omitted(start, end, end - start, "characters"))
            self.totals.setdefault("characters", 0)

    def add(self, other: "Cut") -> None:
        """Take over what another part of the tree leaves out."""
        self.omitted += other.omitted
        self.notes.update(other.notes)
        for unit, total in other.totals.items():
            self.totals[unit] = self.totals.get(unit, 0) + total


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


def unit_of(node: Node) -> str:
    """What the members of a container are called."""
    return {"array": "items", "element": "elements"}.get(node.kind, "keys")
