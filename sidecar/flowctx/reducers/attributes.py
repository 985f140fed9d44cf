"""What stands in front of a declaration and is no part of its signature.

Annotations of Java, attributes of C#, decorators of Python.
"""

from collections.abc import Iterator, Sequence
from typing import Any

_KINDS = frozenset({"attribute_list", "annotation", "marker_annotation", "decorator", "attribute"})
_STARTS = (b"@", b"[", b"#[")
# A node that holds annotations beside words like "public".
_HOLDERS = frozenset({"modifiers", "attributes"})


def attributes_of(node: Any, source: bytes) -> list[Any]:
    """The attributes that a declaration begins with, where it does."""
    if not source.startswith(_STARTS, node.start_byte):
        return []
    found = []
    for part in _parts(node):
        if part.type not in _KINDS:
            break
        found.append(part)
    return found


def row_behind(node: Any, attributes: Sequence[Any]) -> int:
    """The row of the first word of a declaration behind its attributes."""
    end = attributes[-1].end_byte
    behind = (part for part in _parts(node) if part.start_byte >= end)
    return int(next((part.start_point.row for part in behind), node.start_point.row))


def _parts(node: Any) -> Iterator[Any]:
    for child in node.children:
        if child.type in _HOLDERS:
            yield from child.children
        else:
            yield child
